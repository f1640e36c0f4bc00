subs x16, x16, #0x1
str d0, [x17], #8
b.ne line 1
