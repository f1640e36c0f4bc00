mov esi,0x5a5b
test esi,esi
je out
xor edx,edx
div esi
add eax,0xfedcba98
dec rcx
jne line 1
