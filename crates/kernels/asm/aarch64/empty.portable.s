subs x2, x2, #0x1
add x0, x0, #0x1
b.ne line 1
