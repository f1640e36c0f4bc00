movsd xmm0,QWORD PTR [rsi+r10*1-0x18]
addsd xmm0,QWORD PTR [r8+r10*1-0x18]
movsd QWORD PTR [rsi+r10*1-0x18],xmm0
movsd xmm0,QWORD PTR [rsi+r10*1-0x10]
addsd xmm0,QWORD PTR [r8+r10*1-0x10]
movsd QWORD PTR [rsi+r10*1-0x10],xmm0
movsd xmm0,QWORD PTR [rsi+r10*1-0x8]
addsd xmm0,QWORD PTR [r8+r10*1-0x8]
movsd QWORD PTR [rsi+r10*1-0x8],xmm0
movsd xmm0,QWORD PTR [rsi+r10*1]
addsd xmm0,QWORD PTR [r8+r10*1]
movsd QWORD PTR [rsi+r10*1],xmm0
add r10,0x20
cmp rcx,r10
jne line 1
