vmovapd zmm0,ZMMWORD PTR [rdi+rcx*1]
vaddpd zmm0,zmm0,ZMMWORD PTR [rsi+rcx*1]
vmovapd ZMMWORD PTR [rdi+rcx*1],zmm0
vmovapd zmm0,ZMMWORD PTR [rdi+rcx*1+0x40]
vaddpd zmm0,zmm0,ZMMWORD PTR [rsi+rcx*1+0x40]
vmovapd ZMMWORD PTR [rdi+rcx*1+0x40],zmm0
vmovapd zmm0,ZMMWORD PTR [rdi+rcx*1+0x80]
vaddpd zmm0,zmm0,ZMMWORD PTR [rsi+rcx*1+0x80]
vmovapd ZMMWORD PTR [rdi+rcx*1+0x80],zmm0
vmovapd zmm0,ZMMWORD PTR [rdi+rcx*1+0xc0]
vaddpd zmm0,zmm0,ZMMWORD PTR [rsi+rcx*1+0xc0]
vmovapd ZMMWORD PTR [rdi+rcx*1+0xc0],zmm0
add rcx,0x100
jne line 1
