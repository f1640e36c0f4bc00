subs x8, x8, #0x1
b.eq out
eor x11, x0, x0, lsl #13
eor x11, x11, x11, lsr #7
eor x0, x11, x11, lsl #17
mov x11, x9
tst x11, x0
b.eq line 1
