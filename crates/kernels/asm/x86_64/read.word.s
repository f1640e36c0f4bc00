add rax,QWORD PTR [r11]
add rcx,QWORD PTR [r11+0x8]
add r8,QWORD PTR [r11+0x10]
add r9,QWORD PTR [r11+0x18]
add rax,QWORD PTR [r11+0x20]
add rcx,QWORD PTR [r11+0x28]
add r8,QWORD PTR [r11+0x30]
add r9,QWORD PTR [r11+0x38]
add r11,0x40
cmp r11,rsi
jne line 1
