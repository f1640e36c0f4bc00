clflush BYTE PTR [rdi]
mfence
dec rcx
jne line 1
