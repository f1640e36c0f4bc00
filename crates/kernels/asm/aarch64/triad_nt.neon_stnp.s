ldnp q0, q1, [x2]
ldnp q2, q3, [x1]
fmul v0.2d, v0.2d, v31.2d
fmul v1.2d, v1.2d, v31.2d
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stnp q0, q1, [x0]
ldnp q0, q1, [x2, #32]
ldnp q2, q3, [x1, #32]
fmul v0.2d, v0.2d, v31.2d
fmul v1.2d, v1.2d, v31.2d
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stnp q0, q1, [x0, #32]
ldnp q0, q1, [x2, #64]
ldnp q2, q3, [x1, #64]
fmul v0.2d, v0.2d, v31.2d
fmul v1.2d, v1.2d, v31.2d
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stnp q0, q1, [x0, #64]
ldnp q0, q1, [x2, #96]
ldnp q2, q3, [x1, #96]
fmul v0.2d, v0.2d, v31.2d
fmul v1.2d, v1.2d, v31.2d
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stnp q0, q1, [x0, #96]
ldnp q0, q1, [x2, #128]
ldnp q2, q3, [x1, #128]
fmul v0.2d, v0.2d, v31.2d
fmul v1.2d, v1.2d, v31.2d
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stnp q0, q1, [x0, #128]
ldnp q0, q1, [x2, #160]
ldnp q2, q3, [x1, #160]
fmul v0.2d, v0.2d, v31.2d
fmul v1.2d, v1.2d, v31.2d
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stnp q0, q1, [x0, #160]
ldnp q0, q1, [x2, #192]
ldnp q2, q3, [x1, #192]
fmul v0.2d, v0.2d, v31.2d
fmul v1.2d, v1.2d, v31.2d
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stnp q0, q1, [x0, #192]
ldnp q0, q1, [x2, #224]
ldnp q2, q3, [x1, #224]
fmul v0.2d, v0.2d, v31.2d
fmul v1.2d, v1.2d, v31.2d
fadd v0.2d, v0.2d, v2.2d
fadd v1.2d, v1.2d, v3.2d
stnp q0, q1, [x0, #224]
add x0, x0, #0x100
add x1, x1, #0x100
add x2, x2, #0x100
subs x3, x3, #0x4
b.ne line 1
