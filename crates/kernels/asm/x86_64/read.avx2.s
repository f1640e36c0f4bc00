vpaddq ymm0,ymm0,YMMWORD PTR [rsi+rcx*1]
vpaddq ymm1,ymm1,YMMWORD PTR [rsi+rcx*1+0x20]
vpaddq ymm2,ymm2,YMMWORD PTR [rsi+rcx*1+0x40]
vpaddq ymm3,ymm3,YMMWORD PTR [rsi+rcx*1+0x60]
vpaddq ymm4,ymm4,YMMWORD PTR [rsi+rcx*1+0x80]
vpaddq ymm5,ymm5,YMMWORD PTR [rsi+rcx*1+0xa0]
vpaddq ymm6,ymm6,YMMWORD PTR [rsi+rcx*1+0xc0]
vpaddq ymm7,ymm7,YMMWORD PTR [rsi+rcx*1+0xe0]
add rcx,0x100
jne line 1
