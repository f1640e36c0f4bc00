ldr d0, [x13]
ldr d1, [x13, x10]
add x12, x12, #0x8
cmp x10, x12
fadd d0, d0, d1
ldr d1, [x13, x9]
fadd d0, d0, d1
str d0, [x13], #8
b.ne line 1
