movzx eax,BYTE PTR [rdx]
mov r10d,0x0
test al,al
jne out
cmp r10d,0x10000
je line 1

cmp r10d,0x10000
je out
inc r10d
mov eax,0x1
lock cmpxchg QWORD PTR [rdi],r8
jne line 1
