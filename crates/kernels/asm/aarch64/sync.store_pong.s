ldrb w10, [x2]
mov w9, wzr
cbnz w10, out
cmp w9, #0x10, lsl #12
b.eq line 1

cmp w9, #0x10, lsl #12
b.eq out
ldar x10, [x8]
add w9, w9, #0x1
cmp x10, #0x1
b.ne line 1
