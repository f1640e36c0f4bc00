mov QWORD PTR [r8],rax
add r8,0x8
test r8,r8
je out
cmp r8,rcx
jne line 1
