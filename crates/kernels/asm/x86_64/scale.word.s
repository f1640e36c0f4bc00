movsd xmm1,QWORD PTR [rsi+r9*1-0x18]
mulsd xmm1,xmm0
movsd QWORD PTR [rdi+r9*1],xmm1
movsd xmm1,QWORD PTR [rsi+r9*1-0x10]
mulsd xmm1,xmm0
movsd QWORD PTR [rdi+r9*1+0x8],xmm1
movsd xmm1,QWORD PTR [rsi+r9*1-0x8]
mulsd xmm1,xmm0
movsd QWORD PTR [rdi+r9*1+0x10],xmm1
movsd xmm1,QWORD PTR [rsi+r9*1]
mulsd xmm1,xmm0
movsd QWORD PTR [rdi+r9*1+0x18],xmm1
add r9,0x20
cmp rcx,r9
jne line 1
