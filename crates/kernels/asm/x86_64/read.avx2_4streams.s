vpaddq ymm0,ymm0,YMMWORD PTR [rsi+rcx*1]
vpaddq ymm1,ymm1,YMMWORD PTR [rsi+rcx*1+0x20]
vpaddq ymm2,ymm2,YMMWORD PTR [rdi+rcx*1]
vpaddq ymm3,ymm3,YMMWORD PTR [rdi+rcx*1+0x20]
vpaddq ymm4,ymm4,YMMWORD PTR [r10+rcx*1]
vpaddq ymm5,ymm5,YMMWORD PTR [r10+rcx*1+0x20]
vpaddq ymm6,ymm6,YMMWORD PTR [r11+rcx*1]
vpaddq ymm7,ymm7,YMMWORD PTR [r11+rcx*1+0x20]
add rcx,0x40
jne line 1
