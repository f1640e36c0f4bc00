ldp q16, q17, [x1]
ldp q18, q19, [x1, #32]
ldp q20, q21, [x1, #64]
ldp q22, q23, [x1, #96]
ldp q24, q25, [x1, #128]
ldp q26, q27, [x1, #160]
ldp q28, q29, [x1, #192]
ldp q30, q31, [x1, #224]
add v0.2d, v0.2d, v16.2d
add v1.2d, v1.2d, v17.2d
add v2.2d, v2.2d, v18.2d
add v3.2d, v3.2d, v19.2d
add v4.2d, v4.2d, v20.2d
add v5.2d, v5.2d, v21.2d
add v6.2d, v6.2d, v22.2d
add v7.2d, v7.2d, v23.2d
add v0.2d, v0.2d, v24.2d
add v1.2d, v1.2d, v25.2d
add v2.2d, v2.2d, v26.2d
add v3.2d, v3.2d, v27.2d
add v4.2d, v4.2d, v28.2d
add v5.2d, v5.2d, v29.2d
add v6.2d, v6.2d, v30.2d
add v7.2d, v7.2d, v31.2d
add x1, x1, #0x100
subs x2, x2, #0x4
b.ne line 1
