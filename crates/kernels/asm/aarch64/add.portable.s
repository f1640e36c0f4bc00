add x9, x9, x10
add x1, x1, x10
add x0, x0, x10
add x18, x18, x10
add x17, x17, x10
add x16, x16, x10
add x15, x15, x10
add x14, x14, x10
add x13, x13, x10
add x12, x12, x10
add x11, x11, x10
subs x8, x8, #0x1
b.ne line 1
