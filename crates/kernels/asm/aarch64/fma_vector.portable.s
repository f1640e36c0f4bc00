fmov d2, x24
fmov d3, x23
subs x8, x8, #0x1
fmov d5, x21
fmov d19, x11
fmov d6, x5
fmov d7, x3
fmov d16, x1
fmov d17, x16
fmadd d4, d0, d1, d2
fmadd d2, d0, d1, d3
fmov d18, x12
fmadd d3, d0, d1, d5
fmadd d19, d0, d1, d19
fmov d5, x7
fmov d20, x10
fmadd d6, d0, d1, d6
fmadd d7, d0, d1, d7
fmadd d16, d0, d1, d16
fmadd d17, d0, d1, d17
fmov d21, x9
fmov x23, d2
fmov d2, x22
fmadd d5, d0, d1, d5
fmov x21, d3
fmov x11, d19
fmov d3, x20
fmov d19, x17
fmadd d18, d0, d1, d18
fmov x24, d4
fmadd d2, d0, d1, d2
fmadd d4, d0, d1, d20
fmov x5, d6
fmadd d3, d0, d1, d3
fmov x7, d5
fmov x3, d7
fmov x1, d16
fmov x16, d17
fmov d5, x6
fmov x12, d18
fmov d6, x4
fmov d7, x2
fmov x22, d2
fmadd d2, d0, d1, d19
fmov x10, d4
fmov d4, x19
fmov d16, x18
fmadd d20, d0, d1, d21
fmov d17, x0
fmov d18, x13
fmadd d5, d0, d1, d5
fmov x20, d3
fmov d3, x15
fmadd d6, d0, d1, d6
fmov x17, d2
fmov d2, x14
fmadd d4, d0, d1, d4
fmadd d7, d0, d1, d7
fmadd d16, d0, d1, d16
fmov x9, d20
fmadd d17, d0, d1, d17
fmadd d18, d0, d1, d18
fmov x6, d5
fmadd d3, d0, d1, d3
fmadd d2, d0, d1, d2
fmov x4, d6
fmov x19, d4
fmov x2, d7
fmov x18, d16
fmov x0, d17
fmov x13, d18
fmov x15, d3
fmov x14, d2
b.ne line 1
