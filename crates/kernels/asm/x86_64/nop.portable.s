mov rsi,rdx
inc rdx
cmp rdx,0xee
jne line 1
