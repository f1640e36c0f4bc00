fmov d2, x0
subs x8, x8, #0x1
fmadd d2, d2, d1, d0
fmov x0, d2
b.ne line 1
