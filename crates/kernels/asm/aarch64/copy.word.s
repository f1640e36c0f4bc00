ldr d0, [x13, x10]
subs x12, x12, #0x1
str d0, [x13], #8
b.ne line 1
