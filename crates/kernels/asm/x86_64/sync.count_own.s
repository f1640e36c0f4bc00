inc QWORD PTR [rdi]
inc QWORD PTR [rdi]
inc QWORD PTR [rdi]
inc QWORD PTR [rdi]
inc QWORD PTR [rdi]
add rax,0xfffffffffffffffb
jne line 1
