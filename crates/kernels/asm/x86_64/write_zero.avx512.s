vmovapd ZMMWORD PTR [rdi+rcx*1],zmm15
vmovapd ZMMWORD PTR [rdi+rcx*1+0x40],zmm15
vmovapd ZMMWORD PTR [rdi+rcx*1+0x80],zmm15
vmovapd ZMMWORD PTR [rdi+rcx*1+0xc0],zmm15
add rcx,0x100
jne line 1
