ldr x0, [x12], #8
cbz x12, out
cmp x12, x10
b.ne line 1
