add r15,r12
add r14,r12
add r11,r12
add r10,r12
add r9,r12
add r8,r12
add rdi,r12
add rsi,r12
add rdx,r12
add rax,r12
add rcx,r12
dec rbx
jne line 1
