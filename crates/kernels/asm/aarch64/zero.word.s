subs x10, x10, #0x1
str xzr, [x11], #8
b.ne line 1
