ldrb w12, [x20]
mov w11, wzr
cbnz w12, out
cmp w11, #0x10, lsl #12
b.eq line 1

cmp w11, #0x10, lsl #12
b.eq out
mov x12, x8
add w11, w11, #0x1
casal x12, x9, [x19]
cbnz x12, line 1

ldrb w12, [x20]
mov w11, wzr
cbnz w12, out
cmp w11, #0x10, lsl #12
b.eq line 1

cmp w11, #0x10, lsl #12
b.eq out
add w11, w11, #0x1
mov x13, #0x1
ldaxr x12, [x19]
cmp x12, x8
b.ne line 9
stlxr w13, x9, [x19]
cbnz x13, line 1

ldrb w9, [x20]
mov w8, wzr
cbnz w9, out
cmp w8, #0x10, lsl #12
b.eq line 1

cmp w8, #0x10, lsl #12
b.eq out
ldar x9, [x19]
add w8, w8, #0x1
cbnz x9, line 1
