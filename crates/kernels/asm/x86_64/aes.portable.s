lea ecx,[r8-0xc]
mov r11d,ecx
and r11d,0x8
mov r11,QWORD PTR [rsp+r11*1-0x80]
mov ebx,r10d
and ebx,0x3
and ecx,0x4
or ecx,ebx
shl ecx,0x3
shr r11,cl
movzx ecx,r11b
movzx ebx,BYTE PTR [rcx+rsi*1]
lea r11,[r10+0x1]
lea ecx,[r8-0x8]
mov r14d,ecx
and r14d,0x8
mov r14,QWORD PTR [rsp+r14*1-0x80]
mov ebp,r11d
and ebp,0x3
and ecx,0x4
or ecx,ebp
shl ecx,0x3
shr r14,cl
movzx ecx,r14b
movzx ebp,BYTE PTR [rcx+rsi*1]
lea r15d,[r10+0x2]
lea ecx,[r8-0x4]
mov r14d,ecx
and r14d,0x8
mov r14,QWORD PTR [rsp+r14*1-0x80]
and r15d,0x3
and ecx,0x4
or ecx,r15d
shl ecx,0x3
shr r14,cl
lea r15d,[r10-0x1]
mov ecx,r8d
and ecx,0x8
mov r12,QWORD PTR [rsp+rcx*1-0x80]
and r15d,0x3
mov ecx,r8d
and ecx,0x4
or ecx,r15d
shl ecx,0x3
shr r12,cl
movzx ecx,r14b
movzx r14d,r12b
mov r15d,ebp
xor r15b,bl
sar bl,0x7
and bl,0x1b
mov r12d,ebp
sar r12b,0x7
and r12b,0x1b
add r15b,r15b
xor r15b,bl
xor r15b,r12b
xor r15b,BYTE PTR [rcx+rsi*1]
xor r15b,BYTE PTR [r14+rsi*1]
xor r15b,bpl
movzx ebx,r15b
mov ecx,r9d
and cl,0x38
shl rbx,cl
and r10,0xfffffffffffffff8
or QWORD PTR [rsp+r10*1+0x10],rbx
add r9,0x8
add r8,0x5
mov r10,r11
cmp r11,0x10
jne line 1
