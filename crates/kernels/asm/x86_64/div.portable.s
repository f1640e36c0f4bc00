mov r8d,0x5a5a1235
test r8,r8
je out
mov rax,rdi
xor edx,edx
div r8
add rcx,rax
dec rsi
jne line 1
