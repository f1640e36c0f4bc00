movapd XMMWORD PTR [rdi+rcx*1],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x10],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x20],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x30],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x40],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x50],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x60],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x70],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x80],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x90],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xa0],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xb0],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xc0],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xd0],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xe0],xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xf0],xmm15
add rcx,0x100
jne line 1
