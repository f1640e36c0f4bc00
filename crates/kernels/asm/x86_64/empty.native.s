dec rcx
jne line 1
