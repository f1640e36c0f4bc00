mov ecx,0x1
xchg QWORD PTR [rdi],rcx
test rcx,rcx
jne out
inc QWORD PTR [rdi+0x8]
inc rax
mov QWORD PTR [rdi],0x0
cmp rax,rsi
jne line 1

pause
mov rcx,QWORD PTR [rdi]
test rcx,rcx
jne line 1
