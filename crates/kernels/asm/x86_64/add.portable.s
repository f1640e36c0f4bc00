add r11,rbx
add r10,rbx
add r9,rbx
add r8,rbx
add rdi,rbx
add rsi,rbx
add rax,rbx
add rcx,rbx
dec rdx
jne line 1
