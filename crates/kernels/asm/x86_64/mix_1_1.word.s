movsd xmm1,QWORD PTR [rdi+r8*1]
addsd xmm1,xmm0
movsd QWORD PTR [rdi+r8*1],xmm1
movsd xmm1,QWORD PTR [rdi+r8*1+0x8]
addsd xmm1,xmm0
movsd QWORD PTR [rdi+r8*1+0x8],xmm1
movsd xmm1,QWORD PTR [rdi+r8*1+0x10]
addsd xmm1,xmm0
movsd QWORD PTR [rdi+r8*1+0x10],xmm1
movsd xmm1,QWORD PTR [rdi+r8*1+0x18]
addsd xmm1,xmm0
movsd QWORD PTR [rdi+r8*1+0x18],xmm1
add r8,0x20
cmp rcx,r8
jne line 1
