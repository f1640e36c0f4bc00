vmovapd ymm0,YMMWORD PTR [rdi+rcx*1]
vaddpd ymm0,ymm0,YMMWORD PTR [rsi+rcx*1]
vmovapd YMMWORD PTR [rdi+rcx*1],ymm0
vmovapd ymm0,YMMWORD PTR [rdi+rcx*1+0x20]
vaddpd ymm0,ymm0,YMMWORD PTR [rsi+rcx*1+0x20]
vmovapd YMMWORD PTR [rdi+rcx*1+0x20],ymm0
vmovapd ymm0,YMMWORD PTR [rdi+rcx*1+0x40]
vaddpd ymm0,ymm0,YMMWORD PTR [rsi+rcx*1+0x40]
vmovapd YMMWORD PTR [rdi+rcx*1+0x40],ymm0
vmovapd ymm0,YMMWORD PTR [rdi+rcx*1+0x60]
vaddpd ymm0,ymm0,YMMWORD PTR [rsi+rcx*1+0x60]
vmovapd YMMWORD PTR [rdi+rcx*1+0x60],ymm0
vmovapd ymm0,YMMWORD PTR [rdi+rcx*1+0x80]
vaddpd ymm0,ymm0,YMMWORD PTR [rsi+rcx*1+0x80]
vmovapd YMMWORD PTR [rdi+rcx*1+0x80],ymm0
vmovapd ymm0,YMMWORD PTR [rdi+rcx*1+0xa0]
vaddpd ymm0,ymm0,YMMWORD PTR [rsi+rcx*1+0xa0]
vmovapd YMMWORD PTR [rdi+rcx*1+0xa0],ymm0
vmovapd ymm0,YMMWORD PTR [rdi+rcx*1+0xc0]
vaddpd ymm0,ymm0,YMMWORD PTR [rsi+rcx*1+0xc0]
vmovapd YMMWORD PTR [rdi+rcx*1+0xc0],ymm0
vmovapd ymm0,YMMWORD PTR [rdi+rcx*1+0xe0]
vaddpd ymm0,ymm0,YMMWORD PTR [rsi+rcx*1+0xe0]
vmovapd YMMWORD PTR [rdi+rcx*1+0xe0],ymm0
add rcx,0x100
jne line 1
