mov w10, #0x1235
movk w10, #0x5a5a, lsl #16
cbz x10, out
udiv x10, x0, x10
subs x9, x9, #0x1
add x0, x10, x8
b.ne line 1
