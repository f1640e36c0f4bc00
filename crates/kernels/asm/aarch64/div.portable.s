mov w10, #0x1235
movk w10, #0x5a5a, lsl #16
cbz x10, out
udiv x10, x9, x10
subs x8, x8, #0x1
add x0, x10, x0
b.ne line 1
