mov w10, #0x5a5b
cbz w10, out
udiv w10, w0, w10
subs x8, x8, #0x1
add w0, w10, w9
b.ne line 1
