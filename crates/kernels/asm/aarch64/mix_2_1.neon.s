ldp q0, q1, [x0]
ldp q2, q3, [x1]
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stp q0, q1, [x0]
ldp q0, q1, [x0, #32]
ldp q2, q3, [x1, #32]
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stp q0, q1, [x0, #32]
ldp q0, q1, [x0, #64]
ldp q2, q3, [x1, #64]
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stp q0, q1, [x0, #64]
ldp q0, q1, [x0, #96]
ldp q2, q3, [x1, #96]
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stp q0, q1, [x0, #96]
ldp q0, q1, [x0, #128]
ldp q2, q3, [x1, #128]
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stp q0, q1, [x0, #128]
ldp q0, q1, [x0, #160]
ldp q2, q3, [x1, #160]
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stp q0, q1, [x0, #160]
ldp q0, q1, [x0, #192]
ldp q2, q3, [x1, #192]
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stp q0, q1, [x0, #192]
ldp q0, q1, [x0, #224]
ldp q2, q3, [x1, #224]
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stp q0, q1, [x0, #224]
add x0, x0, #0x100
add x1, x1, #0x100
add x2, x2, #0x100
subs x3, x3, #0x4
b.ne line 1
