ldr x10, [x20, #8]
add x8, x8, #0x1
cmp x8, x19
add x10, x10, #0x1
str x10, [x20, #8]
stlr xzr, [x20]
b.eq out
swpal x9, x10, [x20]
cbnz x10, out
b line 1

isb
ldr x10, [x20]
cbnz x10, line 1

ldr x10, [x20]
cbnz x10, out
swpal x9, x10, [x20]
cbnz x10, line 1

mov w0, #0x1
mov x1, x20
bl __aarch64_swp8_acq_rel
cbnz x0, out
ldr x8, [x20, #8]
add x21, x21, #0x1
cmp x21, x19
add x8, x8, #0x1
str x8, [x20, #8]
stlr xzr, [x20]
b.ne line 1

isb
ldr x8, [x20]
cbnz x8, line 1
