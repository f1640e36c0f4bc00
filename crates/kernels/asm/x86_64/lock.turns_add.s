lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
lock inc QWORD PTR [rdi]
add rsi,0xfffffffffffffff8
jne line 1

lock inc QWORD PTR [rdi]
dec rax
jne line 1
