movzx r8d,BYTE PTR [rdx]
mov ecx,0x0
test r8b,r8b
jne out
cmp ecx,0x10000
je line 1

cmp ecx,0x10000
je out
mov r8,QWORD PTR [rdi]
inc ecx
cmp r8,0x1
jne line 1
