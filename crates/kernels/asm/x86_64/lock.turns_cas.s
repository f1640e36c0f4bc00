mov rax,QWORD PTR [rdi]
lea r8,[rax+0x1]
lock cmpxchg QWORD PTR [rdi],r8
jne line 1

mov rax,QWORD PTR [rdi]
lea r8,[rax+0x1]
lock cmpxchg QWORD PTR [rdi],r8
jne line 1

mov rax,QWORD PTR [rdi]
lea r8,[rax+0x1]
lock cmpxchg QWORD PTR [rdi],r8
jne line 1

mov rax,QWORD PTR [rdi]
lea r8,[rax+0x1]
lock cmpxchg QWORD PTR [rdi],r8
jne line 1

mov rax,QWORD PTR [rdi]
lea rsi,[rax+0x1]
lock cmpxchg QWORD PTR [rdi],rsi
jne line 1
