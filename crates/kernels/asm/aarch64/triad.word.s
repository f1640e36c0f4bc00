ldr d1, [x13, x10]
ldr d2, [x13, x9]
add x12, x12, #0x8
cmp x10, x12
fmul d2, d2, d0
fadd d1, d1, d2
str d1, [x13], #8
b.ne line 1
