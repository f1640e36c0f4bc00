vaddpd zmm0,zmm15,ZMMWORD PTR [rdi+rcx*1]
vmovapd ZMMWORD PTR [rdi+rcx*1],zmm0
vaddpd zmm0,zmm15,ZMMWORD PTR [rdi+rcx*1+0x40]
vmovapd ZMMWORD PTR [rdi+rcx*1+0x40],zmm0
vaddpd zmm0,zmm15,ZMMWORD PTR [rdi+rcx*1+0x80]
vmovapd ZMMWORD PTR [rdi+rcx*1+0x80],zmm0
vaddpd zmm0,zmm15,ZMMWORD PTR [rdi+rcx*1+0xc0]
vmovapd ZMMWORD PTR [rdi+rcx*1+0xc0],zmm0
add rcx,0x100
jne line 1
