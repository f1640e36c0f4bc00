ldadd x8, x9, [x20]
subs x19, x19, #0x1
b.ne line 1

mov w0, #0x1
mov x1, x20
bl __aarch64_ldadd8_acq_rel
subs x19, x19, #0x1
b.ne line 1
