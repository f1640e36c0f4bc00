ldr d1, [x13, x10]
subs x12, x12, #0x1
fmul d1, d1, d0
str d1, [x13], #8
b.ne line 1
