mov x8, x2
stp x17, x18, [sp, #8]
mov x9, x2
stp x28, x30, [sp, #24]
mov x13, x2
mov x14, x2
str x12, [sp, #40]
mul x16, x8, x11
mov x8, x2
mov x18, x2
mul x30, x8, x11
mov x26, x2
mov x8, x2
mov x0, x2
mul x10, x9, x11
mov x9, x2
and x1, x16, #0xfffffffffffff
mul x15, x8, x11
mov x8, x2
mul x9, x9, x11
mul x8, x8, x11
str x9, [sp]
mov x9, x2
mul x12, x9, x11
mov x9, x2
mul x28, x9, x11
mov x9, x2
mul x17, x13, x11
mov x13, x2
and x12, x12, #0xfffffffffffff
mul x16, x26, x11
ldr x26, [sp, #104]
add x3, x12, x3
and x12, x28, #0xfffffffffffff
add x26, x1, x26
and x1, x10, #0xfffffffffffff
mul x9, x9, x11
str x26, [sp, #104]
mov x26, x2
mul x10, x0, x11
ldr x0, [sp, #88]
add x4, x12, x4
and x12, x17, #0xfffffffffffff
mov x17, x2
add x0, x1, x0
and x1, x15, #0xfffffffffffff
mul x14, x14, x11
str x0, [sp, #88]
and x0, x30, #0xfffffffffffff
mul x15, x26, x11
ldr x26, [sp, #80]
mov x30, x2
and x9, x9, #0xfffffffffffff
add x26, x0, x26
ldr x0, [sp, #72]
mul x13, x13, x11
add x5, x9, x5
and x9, x14, #0xfffffffffffff
add x0, x1, x0
mul x18, x18, x11
mov x1, x2
stp x0, x26, [sp, #72]
and x0, x8, #0xfffffffffffff
mul x8, x30, x11
ldp x28, x30, [sp, #24]
mov x26, x2
add x30, x0, x30
ldr x0, [sp]
mul x1, x1, x11
and x0, x0, #0xfffffffffffff
add x27, x0, x27
mov x0, x2
add x28, x12, x28
mul x14, x17, x11
ldr x17, [sp, #64]
mov x12, x2
and x8, x8, #0xfffffffffffff
mul x26, x26, x11
add x7, x8, x7
add x17, x9, x17
and x9, x13, #0xfffffffffffff
and x13, x18, #0xfffffffffffff
str x17, [sp, #64]
ldr x18, [sp, #16]
mov x17, x2
mul x0, x0, x11
add x18, x9, x18
ldr x9, [sp, #56]
mul x12, x12, x11
and x8, x26, #0xfffffffffffff
add x9, x13, x9
mov x13, x2
add x20, x8, x20
str x9, [sp, #56]
and x9, x16, #0xfffffffffffff
mul x16, x17, x11
ldr x17, [sp, #8]
and x8, x0, #0xfffffffffffff
add x17, x9, x17
and x9, x10, #0xfffffffffffff
add x21, x8, x21
and x8, x12, #0xfffffffffffff
ldp x12, x10, [sp, #40]
add x10, x9, x10
and x9, x15, #0xfffffffffffff
add x23, x8, x23
str x10, [sp, #48]
mul x10, x13, x11
add x6, x9, x6
and x9, x1, #0xfffffffffffff
subs x12, x12, #0x1
add x19, x9, x19
and x9, x14, #0xfffffffffffff
add x22, x9, x22
and x9, x16, #0xfffffffffffff
add x24, x9, x24
and x10, x10, #0xfffffffffffff
add x25, x10, x25
b.ne line 1
