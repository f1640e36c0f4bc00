stnp q31, q31, [x0]
stnp q31, q31, [x0, #32]
stnp q31, q31, [x0, #64]
stnp q31, q31, [x0, #96]
stnp q31, q31, [x0, #128]
stnp q31, q31, [x0, #160]
stnp q31, q31, [x0, #192]
stnp q31, q31, [x0, #224]
add x0, x0, #0x100
add x1, x1, #0x100
add x2, x2, #0x100
subs x3, x3, #0x4
b.ne line 1
