ldr x9, [x20]
mov x11, x9
add x10, x9, #0x1
casal x11, x10, [x20]
cmp x11, x9
b.ne line 1

ldr x9, [x20]
add x10, x9, #0x1
mov x12, #0x1
ldaxr x11, [x20]
cmp x11, x9
b.ne line 8
stlxr w12, x10, [x20]
cbnz x12, line 1
