dec rdx
je out
mov rsi,rax
shl rsi,0xd
xor rsi,rax
mov rdi,rsi
shr rdi,0x7
xor rdi,rsi
mov rax,rdi
shl rax,0x11
xor rax,rdi
xor esi,esi
test rsi,rax
je line 1
