str x9, [x13], #8
cbz x13, out
cmp x13, x11
b.ne line 1
