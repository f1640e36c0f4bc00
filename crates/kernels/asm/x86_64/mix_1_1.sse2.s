movapd xmm0,XMMWORD PTR [rdi+rcx*1]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x10]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x10],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x20]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x20],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x30]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x30],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x40]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x40],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x50]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x50],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x60]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x60],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x70]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x70],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x80]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x80],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0x90]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x90],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0xa0]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xa0],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0xb0]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xb0],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0xc0]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xc0],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0xd0]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xd0],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0xe0]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xe0],xmm0
movapd xmm0,XMMWORD PTR [rdi+rcx*1+0xf0]
addpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xf0],xmm0
add rcx,0x100
jne line 1
