imul r11,rbx
imul r10,rbx
imul r9,rbx
imul r8,rbx
imul rdi,rbx
imul rsi,rbx
imul rax,rbx
imul rcx,rbx
dec rdx
jne line 1
