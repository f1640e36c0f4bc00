lock xadd QWORD PTR [rsp-0x8],rcx
dec rdx
jne line 1
