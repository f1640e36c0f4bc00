movapd xmm0,xmm1
mulsd xmm0,QWORD PTR [rdx+rax*1]
addsd xmm0,QWORD PTR [rsi+rax*1]
movsd QWORD PTR [rdi+rax*1],xmm0
add rax,0x8
cmp rax,rcx
jne line 1
