clflush BYTE PTR [rdi]
mfence
mov rdx,QWORD PTR [rdi]
lfence
dec rcx
jne line 1
