swpal x8, x9, [x20]
add x8, x8, #0x1
cmp x19, x8
b.ne line 1

mov x1, x20
add x21, x0, #0x1
bl __aarch64_swp8_acq_rel
cmp x19, x21
mov x0, x21
b.ne line 1
