isb
isb
isb
isb
isb
isb
isb
isb
isb
isb
isb
isb
isb
isb
isb
isb
subs x15, x15, #0x1
b.ne line 1
