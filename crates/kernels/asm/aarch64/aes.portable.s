sub x0, x17, #0xc
sub x1, x17, #0x8
sub w6, w18, #0x1
and x4, x0, #0x4
and x3, x0, #0x8
and x5, x1, #0x4
bfxil x4, x18, #0, #2
add x0, x18, #0x1
sub x7, x17, #0x4
bfxil x5, x0, #0, #2
and x19, x17, #0x4
add w2, w18, #0x2
and x1, x1, #0x8
ldr x3, [x12, x3]
lsl x4, x4, #3
bfxil x19, x6, #0, #2
and x6, x7, #0x4
ldr x1, [x12, x1]
lsl x5, x5, #3
bfxil x6, x2, #0, #2
lsr x2, x3, x4
and x3, x7, #0x8
and x4, x17, #0x8
and x18, x18, #0xfffffffffffffff8
ldr x3, [x12, x3]
lsr x1, x1, x5
lsl x5, x6, #3
ldr x4, [x12, x4]
lsl x6, x19, #3
and x2, x2, #0xff
and x1, x1, #0xff
lsr x3, x3, x5
ldrsb w2, [x11, x2]
lsr x4, x4, x6
ldrsb w1, [x11, x1]
cmp x0, #0x10
and x3, x3, #0xff
and w5, w13, w2, lsr #7
add x17, x17, #0x5
and x4, x4, #0xff
ldrb w3, [x11, x3]
and w6, w13, w1, lsr #7
ldrb w4, [x11, x4]
eor w2, w1, w2
eor w2, w5, w2, lsl #1
eor w3, w6, w3
eor w3, w3, w4
eor w2, w2, w3
ldr x3, [x14, x18]
eor w1, w2, w1
and x2, x16, #0x38
add x16, x16, #0x8
and x1, x1, #0xff
lsl x1, x1, x2
orr x1, x1, x3
str x1, [x14, x18]
mov x18, x0
b.ne line 1
