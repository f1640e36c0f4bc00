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
test r8,r8
jne line 1

movzx ecx,BYTE PTR [rdx]
mov eax,0x0
test cl,cl
jne out
cmp eax,0x10000
je line 1

cmp eax,0x10000
je out
mov rcx,QWORD PTR [rdi]
inc eax
test rcx,rcx
jne line 1
