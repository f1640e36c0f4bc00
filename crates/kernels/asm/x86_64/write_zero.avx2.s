vmovapd YMMWORD PTR [rdi+rcx*1],ymm15
vmovapd YMMWORD PTR [rdi+rcx*1+0x20],ymm15
vmovapd YMMWORD PTR [rdi+rcx*1+0x40],ymm15
vmovapd YMMWORD PTR [rdi+rcx*1+0x60],ymm15
vmovapd YMMWORD PTR [rdi+rcx*1+0x80],ymm15
vmovapd YMMWORD PTR [rdi+rcx*1+0xa0],ymm15
vmovapd YMMWORD PTR [rdi+rcx*1+0xc0],ymm15
vmovapd YMMWORD PTR [rdi+rcx*1+0xe0],ymm15
add rcx,0x100
jne line 1
