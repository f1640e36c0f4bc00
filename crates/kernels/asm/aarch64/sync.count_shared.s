ldadd x8, x10, [x20]
subs x9, x9, #0x1
b.ne line 1

mov w0, #0x1
mov x1, x20
bl __aarch64_ldadd8_relax
subs x21, x21, #0x1
b.ne line 1
