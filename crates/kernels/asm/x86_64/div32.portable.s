mov edi,0x5a5b
test edi,edi
je out
mov eax,0xfedcba98
xor edx,edx
div edi
add rcx,rax
dec rsi
jne line 1
