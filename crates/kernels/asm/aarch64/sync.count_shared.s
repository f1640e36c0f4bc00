ldadd x9, x10, [x19]
subs x8, x8, #0x1
b.ne line 1

mov w0, #0x1
mov x1, x19
bl __aarch64_ldadd8_relax
subs x20, x20, #0x1
b.ne line 1
