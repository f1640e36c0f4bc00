dc civac, x0
ldr x9, [x0]
subs x8, x8, #0x1
b.ne line 1
