dc civac, x0
dsb sy
subs x8, x8, #0x1
b.ne line 1
