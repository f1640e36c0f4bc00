mov x10, x9
add x9, x9, #0x1
cmp x9, #0xee
b.ne line 1
