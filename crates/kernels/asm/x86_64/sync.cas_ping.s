movzx eax,BYTE PTR [rdx]
mov r10d,0x0
test al,al
jne out
cmp r10d,0x10000
je line 1

cmp r10d,0x10000
je out
inc r10d
xor eax,eax
lock cmpxchg QWORD PTR [rdi],r9
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
