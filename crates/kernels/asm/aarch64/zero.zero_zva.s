dc zva, x0
add x0, x0, x1
subs x2, x2, #0x1
b.ne line 1
