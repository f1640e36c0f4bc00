/*
 * SPDX-License-Identifier: Apache-2.0 OR MIT OR GPL-2.0
 * How many numbers c, first <= c < last, no l from 2 to the root of c divides: trial division. No calls, no memory, any
 * address. A function's body without its return: in a program and in a kernel module, byte for byte.
 * In: first in x0, last in x1. Out: the count in x0. Uses x1 to x6 and the flags.
 */
	.p2align 6
cpulens_quantum_begin:
	movz	x2, #0
	cmp	x0, x1
	b.hs	9f
	/* The root of c, bit by bit: what is left in x3, the root in x4, its bit in x5. */
1:	mov	x3, x0
	movz	x4, #0
	movz	x5, #0x4000, lsl #48
2:	cmp	x5, x0
	b.ls	3f
	lsr	x5, x5, #2
	b	2b
3:	cbz	x5, 5f
	add	x6, x4, x5
	lsr	x4, x4, #1
	cmp	x3, x6
	b.lo	4f
	sub	x3, x3, x6
	add	x4, x4, x5
4:	lsr	x5, x5, #2
	b	3b
	/* Every l from 2 to the root, until one divides. */
5:	movz	x3, #1
6:	add	x3, x3, #1
	cmp	x3, x4
	b.hi	7f
	udiv	x6, x0, x3
	msub	x6, x6, x3, x0
	cbnz	x6, 6b
	b	8f
7:	add	x2, x2, #1
8:	add	x0, x0, #1
	cmp	x0, x1
	b.lo	1b
9:	mov	x0, x2
cpulens_quantum_end:
