dc civac, x0
dsb sy
ldr x9, [x0]
dsb ld
subs x8, x8, #0x1
b.ne line 1
