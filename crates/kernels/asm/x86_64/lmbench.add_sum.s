addsd xmm0,QWORD PTR [rdi+rax*1]
add rax,0x8
cmp rax,rcx
jne line 1
