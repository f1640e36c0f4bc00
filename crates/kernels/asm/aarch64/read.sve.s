ld1d {z16.d}, p0/z, [x1, #-8, mul vl]
ld1d {z17.d}, p0/z, [x1, #-7, mul vl]
ld1d {z18.d}, p0/z, [x1, #-6, mul vl]
ld1d {z19.d}, p0/z, [x1, #-5, mul vl]
ld1d {z20.d}, p0/z, [x1, #-4, mul vl]
ld1d {z21.d}, p0/z, [x1, #-3, mul vl]
ld1d {z22.d}, p0/z, [x1, #-2, mul vl]
ld1d {z23.d}, p0/z, [x1, #-1, mul vl]
ld1d {z24.d}, p0/z, [x1]
ld1d {z25.d}, p0/z, [x1, #1, mul vl]
ld1d {z26.d}, p0/z, [x1, #2, mul vl]
ld1d {z27.d}, p0/z, [x1, #3, mul vl]
ld1d {z28.d}, p0/z, [x1, #4, mul vl]
ld1d {z29.d}, p0/z, [x1, #5, mul vl]
ld1d {z30.d}, p0/z, [x1, #6, mul vl]
ld1d {z31.d}, p0/z, [x1, #7, mul vl]
add z0.d, z0.d, z16.d
add z1.d, z1.d, z17.d
add z2.d, z2.d, z18.d
add z3.d, z3.d, z19.d
add z4.d, z4.d, z20.d
add z5.d, z5.d, z21.d
add z6.d, z6.d, z22.d
add z7.d, z7.d, z23.d
add z0.d, z0.d, z24.d
add z1.d, z1.d, z25.d
add z2.d, z2.d, z26.d
add z3.d, z3.d, z27.d
add z4.d, z4.d, z28.d
add z5.d, z5.d, z29.d
add z6.d, z6.d, z30.d
add z7.d, z7.d, z31.d
add x1, x1, x5
subs x2, x2, x5
b.cs line 1
