vpaddq zmm0,zmm0,ZMMWORD PTR [rsi+rcx*1]
vpaddq zmm1,zmm1,ZMMWORD PTR [rdi+rcx*1]
vpaddq zmm2,zmm2,ZMMWORD PTR [r10+rcx*1]
vpaddq zmm3,zmm3,ZMMWORD PTR [r11+rcx*1]
add rcx,0x40
jne line 1
