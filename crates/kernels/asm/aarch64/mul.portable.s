mul x9, x9, x10
subs x8, x8, #0x1
mul x1, x1, x10
mul x0, x0, x10
mul x18, x18, x10
mul x17, x17, x10
mul x16, x16, x10
mul x15, x15, x10
mul x14, x14, x10
mul x13, x13, x10
mul x12, x12, x10
mul x11, x11, x10
b.ne line 1
