add r8,0x1
pxor xmm1,xmm1
cvtsi2sd xmm1,r8
comisd xmm0,xmm1
jb out
mov rax,rsi
xor edx,edx
div r8
test rdx,rdx
jne line 1
