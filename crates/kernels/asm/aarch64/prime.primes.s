add x10, x10, #0x1
ucvtf d1, x10
fcmp d0, d1
b.mi out
udiv x11, x9, x10
msub x11, x11, x10, x9
cbnz x11, line 1
