add x9, x9, #0x1
add x8, x10, x8
cmp x0, x9
b.eq out
scvtf d1, x9
fsqrt d1, d1
fcmp d1, d0
b.mi out
tbnz w9, #0, out
mov x10, xzr
b line 1
