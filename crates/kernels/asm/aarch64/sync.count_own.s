ldr x9, [x0]
subs x8, x8, #0x1
add x9, x9, #0x1
str x9, [x0]
b.ne line 1
