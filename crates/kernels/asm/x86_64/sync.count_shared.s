lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
add rax,0xfffffffffffffff6
jne line 1
