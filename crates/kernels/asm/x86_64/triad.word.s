movsd xmm1,QWORD PTR [rsi+r10*1-0x8]
movsd xmm2,QWORD PTR [r8+r10*1-0x8]
mulsd xmm2,xmm0
addsd xmm2,xmm1
movsd QWORD PTR [rdi+r10*1],xmm2
movsd xmm1,QWORD PTR [rsi+r10*1]
movsd xmm2,QWORD PTR [r8+r10*1]
mulsd xmm2,xmm0
addsd xmm2,xmm1
movsd QWORD PTR [rdi+r10*1+0x8],xmm2
add r10,0x10
cmp rdx,r10
jne line 1
