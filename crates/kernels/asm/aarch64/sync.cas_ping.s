ldrb w8, [x21]
mov w23, wzr
cbnz w8, out
cmp w23, #0x10, lsl #12
b.eq line 1

cmp w23, #0x10, lsl #12
b.eq out
mov x0, xzr
mov w1, #0x1
mov x2, x20
bl __aarch64_cas8_acq_rel
add w23, w23, #0x1
cbnz x0, line 1

ldrb w9, [x21]
mov w8, wzr
cbnz w9, out
cmp w8, #0x10, lsl #12
b.eq line 1

cmp w8, #0x10, lsl #12
b.eq out
ldar x9, [x20]
add w8, w8, #0x1
cbnz x9, line 1
