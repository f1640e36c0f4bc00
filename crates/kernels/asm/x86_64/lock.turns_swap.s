mov rdx,rcx
xchg QWORD PTR [rdi],rcx
lea rcx,[rdx+0x1]
xchg QWORD PTR [rdi],rcx
lea rcx,[rdx+0x2]
xchg QWORD PTR [rdi],rcx
lea rcx,[rdx+0x3]
xchg QWORD PTR [rdi],rcx
lea rcx,[rdx+0x4]
xchg QWORD PTR [rdi],rcx
lea rcx,[rdx+0x5]
xchg QWORD PTR [rdi],rcx
lea rcx,[rdx+0x6]
xchg QWORD PTR [rdi],rcx
lea rcx,[rdx+0x8]
add rdx,0x7
xchg QWORD PTR [rdi],rdx
cmp rcx,rsi
jne line 1

lea rdx,[rcx+0x1]
xchg QWORD PTR [rdi],rcx
mov rcx,rdx
dec rax
jne line 1
