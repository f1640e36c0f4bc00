/*
 * SPDX-License-Identifier: Apache-2.0 OR MIT OR GPL-2.0
 * How many numbers c, first <= c < last, no l from 2 to the root of c divides: trial division. No calls, no memory, any
 * address. A function's body without its return: in a program and in a kernel module, byte for byte.
 * In: first in rdi, last in rsi. Out: the count in rax. Uses rcx, rdx, r8 to r11 and the flags.
 */
	.p2align 6
cpulens_quantum_begin:
	xorl	%r8d, %r8d
	cmpq	%rsi, %rdi
	jae	9f
	/* The root of c, bit by bit: what is left in rcx, the root in r9, its bit in r10. */
1:	movq	%rdi, %rcx
	xorl	%r9d, %r9d
	movl	$1, %r10d
	shlq	$62, %r10
2:	cmpq	%rdi, %r10
	jbe	3f
	shrq	$2, %r10
	jmp	2b
3:	testq	%r10, %r10
	je	5f
	leaq	(%r9,%r10), %r11
	shrq	%r9
	cmpq	%r11, %rcx
	jb	4f
	subq	%r11, %rcx
	addq	%r10, %r9
4:	shrq	$2, %r10
	jmp	3b
	/* Every l from 2 to the root, until one divides. */
5:	movl	$1, %ecx
6:	addq	$1, %rcx
	cmpq	%r9, %rcx
	ja	7f
	movq	%rdi, %rax
	xorl	%edx, %edx
	divq	%rcx
	testq	%rdx, %rdx
	jne	6b
	jmp	8f
7:	addq	$1, %r8
8:	addq	$1, %rdi
	cmpq	%rsi, %rdi
	jb	1b
9:	movq	%r8, %rax
cpulens_quantum_end:
