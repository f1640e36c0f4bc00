vmulpd ymm0,ymm15,YMMWORD PTR [rsi+rcx*1]
vmovntpd YMMWORD PTR [rdi+rcx*1],ymm0
vmulpd ymm0,ymm15,YMMWORD PTR [rsi+rcx*1+0x20]
vmovntpd YMMWORD PTR [rdi+rcx*1+0x20],ymm0
vmulpd ymm0,ymm15,YMMWORD PTR [rsi+rcx*1+0x40]
vmovntpd YMMWORD PTR [rdi+rcx*1+0x40],ymm0
vmulpd ymm0,ymm15,YMMWORD PTR [rsi+rcx*1+0x60]
vmovntpd YMMWORD PTR [rdi+rcx*1+0x60],ymm0
vmulpd ymm0,ymm15,YMMWORD PTR [rsi+rcx*1+0x80]
vmovntpd YMMWORD PTR [rdi+rcx*1+0x80],ymm0
vmulpd ymm0,ymm15,YMMWORD PTR [rsi+rcx*1+0xa0]
vmovntpd YMMWORD PTR [rdi+rcx*1+0xa0],ymm0
vmulpd ymm0,ymm15,YMMWORD PTR [rsi+rcx*1+0xc0]
vmovntpd YMMWORD PTR [rdi+rcx*1+0xc0],ymm0
vmulpd ymm0,ymm15,YMMWORD PTR [rsi+rcx*1+0xe0]
vmovntpd YMMWORD PTR [rdi+rcx*1+0xe0],ymm0
add rcx,0x100
jne line 1
