movsd xmm0,QWORD PTR [rsi+r9*1-0x18]
movsd QWORD PTR [rdi+r9*1],xmm0
movsd xmm0,QWORD PTR [rsi+r9*1-0x10]
movsd QWORD PTR [rdi+r9*1+0x8],xmm0
movsd xmm0,QWORD PTR [rsi+r9*1-0x8]
movsd QWORD PTR [rdi+r9*1+0x10],xmm0
movsd xmm0,QWORD PTR [rsi+r9*1]
movsd QWORD PTR [rdi+r9*1+0x18],xmm0
add r9,0x20
cmp rcx,r9
jne line 1
