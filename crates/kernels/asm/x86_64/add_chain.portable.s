add rax,rcx
dec rdx
jne line 1
