ldrb w11, [x2]
mov w10, wzr
cbnz w11, out
cmp w10, #0x10, lsl #12
b.eq line 1

cmp w10, #0x10, lsl #12
b.eq out
ldar x11, [x0]
add w10, w10, #0x1
cbnz x11, line 1

ldrb w9, [x2]
mov w8, wzr
cbnz w9, out
cmp w8, #0x10, lsl #12
b.eq line 1

cmp w8, #0x10, lsl #12
b.eq out
ldar x9, [x0]
add w8, w8, #0x1
cbnz x9, line 1
