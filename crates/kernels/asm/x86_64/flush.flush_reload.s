clflush BYTE PTR [rdi]
mov rdx,QWORD PTR [rdi]
dec rcx
jne line 1
