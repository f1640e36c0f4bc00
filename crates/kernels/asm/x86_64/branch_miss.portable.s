dec rdx
je out
mov rdi,rax
shl rdi,0xd
xor rdi,rax
mov r8,rdi
shr r8,0x7
xor r8,rdi
mov rax,r8
shl rax,0x11
xor rax,r8
mov rdi,rsi
test rdi,rax
je line 1
