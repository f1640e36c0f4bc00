subs x8, x8, #0x1
b.eq out
eor x10, x0, x0, lsl #13
eor x10, x10, x10, lsr #7
eor x0, x10, x10, lsl #17
mov x10, #0x10000000000
tst x10, x0
b.eq line 1
