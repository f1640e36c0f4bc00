inc QWORD PTR [rdi]
inc QWORD PTR [rdi]
inc QWORD PTR [rdi]
inc QWORD PTR [rdi]
add rdx,0xfffffffffffffffc
jne line 1

inc QWORD PTR [rdi]
dec rcx
jne line 1
