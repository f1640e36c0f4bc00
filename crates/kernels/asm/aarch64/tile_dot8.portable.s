mov w14, #0x7f03
mov w15, #0x7f03
mov w16, #0x2c6e
mov w17, #0x2c6e
movk w14, #0x5a4d, lsl #16
movk w15, #0x5a4d, lsl #16
movk w16, #0xb71, lsl #16
movk w17, #0xb71, lsl #16
dup v4.4s, w15
dup v5.4s, w17
lsr w15, w14, #24
and w17, w14, #0xff
lsr w18, w16, #24
subs x10, x10, #0x1
sub w12, w12, w15
sub w17, w17, w14, uxtb #2
ushl v4.4s, v4.4s, v1.4s
ushl v5.4s, v5.4s, v1.4s
add w12, w12, w15, lsl #7
lsr w15, w14, #1
sub w11, w11, w18
ubfx w14, w14, #16, #8
add w12, w12, w17
add w11, w11, w18, lsl #7
lsr w17, w16, #1
ushl v6.4s, v4.4s, v2.4s
and v4.16b, v4.16b, v0.16b
ushl v7.4s, v5.4s, v2.4s
and v5.16b, v5.16b, v0.16b
and w15, w15, #0x7f80
sub w12, w12, w15
and w15, w16, #0xff
mov v4.s[0], v6.s[0]
sub w15, w15, w16, uxtb #2
ubfx w16, w16, #16, #8
mov v5.s[0], v7.s[0]
madd w12, w14, w13, w12
and w14, w17, #0x7f80
add w11, w11, w15
sub w11, w11, w14
mul v4.4s, v4.4s, v3.4s
madd w11, w16, w13, w11
mul v5.4s, v5.4s, v3.4s
addv s4, v4.4s
addv s5, v5.4s
fmov w14, s4
fmov w15, s5
add w9, w14, w9
add w8, w15, w8
b.ne line 1
