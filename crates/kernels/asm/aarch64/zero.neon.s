stp q31, q31, [x0]
stp q31, q31, [x0, #32]
stp q31, q31, [x0, #64]
stp q31, q31, [x0, #96]
stp q31, q31, [x0, #128]
stp q31, q31, [x0, #160]
stp q31, q31, [x0, #192]
stp q31, q31, [x0, #224]
add x0, x0, #0x100
add x1, x1, #0x100
add x2, x2, #0x100
subs x3, x3, #0x4
b.ne line 1
