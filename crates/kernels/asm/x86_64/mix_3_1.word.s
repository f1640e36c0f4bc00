movsd xmm0,QWORD PTR [r11-0x8]
addsd xmm0,QWORD PTR [r11+rdx*1-0x8]
addsd xmm0,QWORD PTR [r11+rsi*1-0x8]
movsd QWORD PTR [r11-0x8],xmm0
movsd xmm0,QWORD PTR [r11]
addsd xmm0,QWORD PTR [r11+rdx*1]
addsd xmm0,QWORD PTR [r11+rsi*1]
movsd QWORD PTR [r11],xmm0
add r11,0x10
add r10,0x10
cmp rdx,r10
jne line 1
