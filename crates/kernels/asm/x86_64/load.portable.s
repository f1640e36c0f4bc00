mov rax,QWORD PTR [r9]
add r9,0x8
test r9,r9
je out
cmp r9,rcx
jne line 1
