movapd xmm0,XMMWORD PTR [rsi+rcx*1]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x10]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x10],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x20]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x20],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x30]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x30],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x40]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x40],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x50]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x50],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x60]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x60],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x70]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x70],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x80]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x80],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0x90]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0x90],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0xa0]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xa0],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0xb0]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xb0],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0xc0]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xc0],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0xd0]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xd0],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0xe0]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xe0],xmm0
movapd xmm0,XMMWORD PTR [rsi+rcx*1+0xf0]
mulpd xmm0,xmm15
movapd XMMWORD PTR [rdi+rcx*1+0xf0],xmm0
add rcx,0x100
jne line 1
