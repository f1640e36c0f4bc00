add r8,0x1
pxor xmm2,xmm2
cvtsi2sd xmm2,r8
comisd xmm1,xmm2
jb out
mov rax,rsi
xor edx,edx
div r8
test rdx,rdx
jne line 1
