ldr d1, [x11]
subs x10, x10, #0x1
fadd d1, d1, d0
str d1, [x11], #8
b.ne line 1
