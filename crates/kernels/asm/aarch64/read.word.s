ldr x15, [x14]
ldr x16, [x14, #8]
ldr x17, [x14, #16]
ldr x18, [x14, #24]
ldr x1, [x14, #32]
ldr x3, [x14, #40]
add x10, x10, x15
add x11, x11, x16
add x13, x13, x17
ldr x15, [x14, #48]
ldr x16, [x14, #56]
add x14, x14, #0x40
add x8, x8, x18
add x10, x10, x1
cmp x14, x9
add x11, x11, x3
add x13, x13, x15
add x8, x8, x16
b.ne line 1
