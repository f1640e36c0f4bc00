vpaddq zmm0,zmm0,ZMMWORD PTR [rsi+rcx*1]
vpaddq zmm1,zmm1,ZMMWORD PTR [rsi+rcx*1+0x40]
vpaddq zmm2,zmm2,ZMMWORD PTR [rsi+rcx*1+0x80]
vpaddq zmm3,zmm3,ZMMWORD PTR [rsi+rcx*1+0xc0]
add rcx,0x100
jne line 1
