movq QWORD PTR [rdi+r15*1],xmm0
movq QWORD PTR [rdi+r15*1+0x8],xmm0
movq QWORD PTR [rdi+r15*1+0x10],xmm0
movq QWORD PTR [rdi+r15*1+0x18],xmm0
movq QWORD PTR [rdi+r15*1+0x20],xmm0
movq QWORD PTR [rdi+r15*1+0x28],xmm0
movq QWORD PTR [rdi+r15*1+0x30],xmm0
movq QWORD PTR [rdi+r15*1+0x38],xmm0
add r15,0x40
cmp rsi,r15
jne line 1
