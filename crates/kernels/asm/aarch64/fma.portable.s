fmov d2, x24
fmov d3, x23
subs x8, x8, #0x1
fmov d5, x21
fmov d19, x11
fmov d6, x5
fmov d7, x3
fmov d16, x1
fmov d17, x17
fmadd d4, d2, d1, d0
fmadd d2, d3, d1, d0
fmov d18, x12
fmadd d3, d5, d1, d0
fmadd d19, d19, d1, d0
fmov d5, x7
fmov d20, x10
fmadd d6, d6, d1, d0
fmadd d7, d7, d1, d0
fmadd d16, d16, d1, d0
fmadd d17, d17, d1, d0
fmov d21, x9
fmov x23, d2
fmov d2, x22
fmadd d5, d5, d1, d0
fmov x21, d3
fmov x11, d19
fmov d3, x20
fmov d19, x16
fmadd d18, d18, d1, d0
fmov x24, d4
fmadd d2, d2, d1, d0
fmadd d4, d20, d1, d0
fmov x5, d6
fmadd d3, d3, d1, d0
fmov x7, d5
fmov x3, d7
fmov x1, d16
fmov x17, d17
fmov d5, x6
fmov x12, d18
fmov d6, x4
fmov d7, x2
fmov x22, d2
fmadd d2, d19, d1, d0
fmov x10, d4
fmov d4, x19
fmov d16, x18
fmadd d20, d21, d1, d0
fmov d17, x0
fmov d18, x15
fmadd d5, d5, d1, d0
fmov x20, d3
fmov d3, x14
fmadd d6, d6, d1, d0
fmov x16, d2
fmov d2, x13
fmadd d4, d4, d1, d0
fmadd d7, d7, d1, d0
fmadd d16, d16, d1, d0
fmov x9, d20
fmadd d17, d17, d1, d0
fmadd d18, d18, d1, d0
fmov x6, d5
fmadd d3, d3, d1, d0
fmadd d2, d2, d1, d0
fmov x4, d6
fmov x19, d4
fmov x2, d7
fmov x18, d16
fmov x0, d17
fmov x15, d18
fmov x14, d3
fmov x13, d2
b.ne line 1
