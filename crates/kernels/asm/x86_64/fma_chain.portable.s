movq xmm0,rax
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call r14
movq rax,xmm0
dec rbx
jne line 1
