inc rax
dec rdx
jne line 1
