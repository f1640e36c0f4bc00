eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 7
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 13
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 19
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 25
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 31
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 37
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 43
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 49
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 55
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 61
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 67
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 73
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 79
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 85
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 91
add x2, x2, #0x1
eor x0, x0, x0, lsl #13
eor x0, x0, x0, lsr #7
eor x0, x0, x0, lsl #17
tst x0, x1
b.eq line 97
add x2, x2, #0x1
subs x15, x15, #0x1
b.ne line 1
