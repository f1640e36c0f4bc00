mov x13, x12
mov w12, #0x7f03
movk w12, #0x5a4d, lsl #16
ldr w14, [x10, x13]
lsr w15, w12, #24
and w16, w12, #0xff
sub w16, w16, w12, uxtb #2
sub w14, w14, w15
add w14, w14, w15, lsl #7
lsr w15, w12, #1
ubfx w12, w12, #16, #8
add w14, w14, w16
and w15, w15, #0x7f80
sub w14, w14, w15
madd w14, w12, w11, w14
add x12, x13, #0x8
cmp x12, #0xc0
orr x14, x14, x14, lsl #32
str x14, [x10, x13]
b.ne line 1
