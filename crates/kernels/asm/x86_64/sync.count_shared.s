lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
add rdx,0xfffffffffffffff8
jne line 1

lock inc QWORD PTR [rdi]
dec rcx
jne line 1
