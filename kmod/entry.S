/* SPDX-License-Identifier: MIT OR GPL-2.0 */
/* The counting of primes as a function of this module: the same body that is a function of the program. */
#include <linux/linkage.h>

#ifndef RET
#define RET ret
#endif

	.text
	.globl cpulens_quantum_begin, cpulens_quantum_end
SYM_FUNC_START(cpulens_quantum)
#if defined(__x86_64__)
#include "x86_64.S"
#elif defined(__aarch64__)
#include "aarch64.S"
#else
#error "cpulens has no assembly for this architecture"
#endif
	RET
SYM_FUNC_END(cpulens_quantum)
