ldrb w12, [x21]
mov w11, wzr
cbnz w12, out
cmp w11, #0x10, lsl #12
b.eq line 1

cmp w11, #0x10, lsl #12
b.eq out
mov w12, #0x1
add w11, w11, #0x1
casal x12, x9, [x20]
cmp x12, #0x1
b.ne line 1

mov x0, x19
ldp x20, x19, [sp, #32]
ldr x21, [sp, #16]
ldp x29, x30, [sp], #48
ret
cbz x19, line 1

ldrb w13, [x21]
mov w12, wzr
cbnz w13, out
cmp w12, #0x10, lsl #12
b.eq line 1

cmp w12, #0x10, lsl #12
b.eq out
add w12, w12, #0x1
mov x14, #0x1
ldaxr x13, [x20]
cmp x13, x10
b.ne line 9
stlxr w14, x9, [x20]
cbnz x14, line 1
