ldrb w8, [x22]
mov w23, wzr
cbnz w8, out
cmp w23, #0x10, lsl #12
b.eq line 1

cmp w23, #0x10, lsl #12
b.eq out
mov w0, #0x1
mov x1, xzr
mov x2, x20
bl __aarch64_cas8_acq_rel
cmp x0, #0x1
add w23, w23, #0x1
b.ne line 1
