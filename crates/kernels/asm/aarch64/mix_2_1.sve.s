ld1d {z0.d}, p0/z, [x0, #-8, mul vl]
ld1d {z1.d}, p0/z, [x1, #-8, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #-8, mul vl]
ld1d {z0.d}, p0/z, [x0, #-7, mul vl]
ld1d {z1.d}, p0/z, [x1, #-7, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #-7, mul vl]
ld1d {z0.d}, p0/z, [x0, #-6, mul vl]
ld1d {z1.d}, p0/z, [x1, #-6, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #-6, mul vl]
ld1d {z0.d}, p0/z, [x0, #-5, mul vl]
ld1d {z1.d}, p0/z, [x1, #-5, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #-5, mul vl]
ld1d {z0.d}, p0/z, [x0, #-4, mul vl]
ld1d {z1.d}, p0/z, [x1, #-4, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #-4, mul vl]
ld1d {z0.d}, p0/z, [x0, #-3, mul vl]
ld1d {z1.d}, p0/z, [x1, #-3, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #-3, mul vl]
ld1d {z0.d}, p0/z, [x0, #-2, mul vl]
ld1d {z1.d}, p0/z, [x1, #-2, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #-2, mul vl]
ld1d {z0.d}, p0/z, [x0, #-1, mul vl]
ld1d {z1.d}, p0/z, [x1, #-1, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #-1, mul vl]
ld1d {z0.d}, p0/z, [x0]
ld1d {z1.d}, p0/z, [x1]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0]
ld1d {z0.d}, p0/z, [x0, #1, mul vl]
ld1d {z1.d}, p0/z, [x1, #1, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #1, mul vl]
ld1d {z0.d}, p0/z, [x0, #2, mul vl]
ld1d {z1.d}, p0/z, [x1, #2, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #2, mul vl]
ld1d {z0.d}, p0/z, [x0, #3, mul vl]
ld1d {z1.d}, p0/z, [x1, #3, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #3, mul vl]
ld1d {z0.d}, p0/z, [x0, #4, mul vl]
ld1d {z1.d}, p0/z, [x1, #4, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #4, mul vl]
ld1d {z0.d}, p0/z, [x0, #5, mul vl]
ld1d {z1.d}, p0/z, [x1, #5, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #5, mul vl]
ld1d {z0.d}, p0/z, [x0, #6, mul vl]
ld1d {z1.d}, p0/z, [x1, #6, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #6, mul vl]
ld1d {z0.d}, p0/z, [x0, #7, mul vl]
ld1d {z1.d}, p0/z, [x1, #7, mul vl]
fadd z0.d, z0.d, z1.d
st1d {z0.d}, p0, [x0, #7, mul vl]
add x0, x0, x4
add x1, x1, x4
add x2, x2, x4
subs x3, x3, x4
b.cs line 1
