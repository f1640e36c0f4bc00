imul r15,r12
imul r14,r12
imul r11,r12
imul r10,r12
imul r9,r12
imul r8,r12
imul rdi,r12
imul rsi,r12
imul rdx,r12
imul rax,r12
imul rcx,r12
dec rbx
jne line 1
