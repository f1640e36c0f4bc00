mov QWORD PTR [rsp+0x38],rax
mov QWORD PTR [rsp+0x40],rcx
movq xmm0,r15
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
mov rbx,QWORD PTR [rip]
call rbx
movq r15,xmm0
movq xmm0,r14
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq r14,xmm0
movq xmm0,rbp
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq rbp,xmm0
movq xmm0,r13
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq r13,xmm0
movq xmm0,r12
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq r12,xmm0
movq xmm0,QWORD PTR [rsp+0x8]
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq rax,xmm0
mov QWORD PTR [rsp+0x8],rax
movq xmm0,QWORD PTR [rsp+0x10]
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq rax,xmm0
mov QWORD PTR [rsp+0x10],rax
movq xmm0,QWORD PTR [rsp+0x18]
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq rax,xmm0
mov QWORD PTR [rsp+0x18],rax
movq xmm0,QWORD PTR [rsp+0x20]
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq rax,xmm0
mov QWORD PTR [rsp+0x20],rax
movq xmm0,QWORD PTR [rsp+0x28]
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq rax,xmm0
mov QWORD PTR [rsp+0x28],rax
movq xmm0,QWORD PTR [rsp+0x30]
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
movq rax,xmm0
mov QWORD PTR [rsp+0x30],rax
movq xmm0,QWORD PTR [rsp+0x38]
movsd xmm1,QWORD PTR [rip]
movsd xmm2,QWORD PTR [rip]
call rbx
mov rcx,QWORD PTR [rsp+0x40]
movq rax,xmm0
dec rcx
jne line 1
