mov edi,0x5a5a1235
test rdi,rdi
je out
mov rdx,rax
or rdx,rdi
shr rdx,0x20
jne out
xor edx,edx
div edi
add rax,rsi
dec rcx
jne line 1
