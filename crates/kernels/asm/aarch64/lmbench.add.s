ldr d0, [x0, x3]
ldr d2, [x1, x3]
fadd d0, d0, d2
str d0, [x2, x3]
add x3, x3, #0x8
cmp x3, x4
b.ne line 1
