add x0, x0, x9
subs x8, x8, #0x1
b.ne line 1
