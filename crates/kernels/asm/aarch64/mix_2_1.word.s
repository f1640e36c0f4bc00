ldr d0, [x12]
ldr d1, [x12, x9]
add x11, x11, #0x8
cmp x9, x11
fadd d0, d0, d1
str d0, [x12], #8
b.ne line 1
