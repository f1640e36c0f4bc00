//! One instruction on eight registers, each a chain of its own: the frame that `add` and `mul` share.

/// Where the chains begin.
pub(crate) const START: [u64; 8] = [1, 3, 5, 7, 9, 11, 13, 15];
/// The other operand of every instruction.
pub(crate) const OPERAND: u64 = 0x1319_8a2e_0370_7345;

/// Eight rounds of `one` on every chain, so many times.
#[inline(always)]
pub(crate) fn rounds(steps: u64, one: impl Fn(u64) -> u64) -> u64 {
    let mut x = START;
    for _ in 0..8 * steps {
        for x in &mut x {
            *x = one(*x);
        }
    }
    fold(x)
}

/// What the chains come to.
#[inline(always)]
pub(crate) fn fold(x: [u64; 8]) -> u64 {
    x.iter().fold(0, |s, x| s.wrapping_mul(3).wrapping_add(*x))
}

/// Defines `native`, eight rounds of the instruction on the register `\x`: the architecture's of the two that are given.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! chains {
    (x86_64: $insn:literal, aarch64: $_:literal) => {
        /// Registers only.
        #[inline(never)]
        fn native(_memory: &mut [$crate::Line], steps: u64) -> u64 {
            let mut x = $crate::chains::START;
            block!(
                steps,
                [".rept 8", ".irp x, rax,rdx,rsi,rdi,r8,r9,r10,r11", $insn, ".endr", ".endr"],
                inlateout("rax") x[0],
                inlateout("rdx") x[1],
                inlateout("rsi") x[2],
                inlateout("rdi") x[3],
                inlateout("r8") x[4],
                inlateout("r9") x[5],
                inlateout("r10") x[6],
                inlateout("r11") x[7],
                in("r12") $crate::chains::OPERAND,
            );
            $crate::chains::fold(x)
        }
    };
}

/// Defines `native`, eight rounds of the instruction on the register `\x`: the architecture's of the two that are given.
#[cfg(all(target_arch = "aarch64", not(miri)))]
macro_rules! chains {
    (x86_64: $_:literal, aarch64: $insn:literal) => {
        /// Registers only.
        #[inline(never)]
        fn native(_memory: &mut [$crate::Line], steps: u64) -> u64 {
            let mut x = $crate::chains::START;
            block!(
                steps,
                [".rept 8", ".irp x, x0,x1,x2,x3,x4,x5,x6,x7", $insn, ".endr", ".endr"],
                inlateout("x0") x[0],
                inlateout("x1") x[1],
                inlateout("x2") x[2],
                inlateout("x3") x[3],
                inlateout("x4") x[4],
                inlateout("x5") x[5],
                inlateout("x6") x[6],
                inlateout("x7") x[7],
                in("x8") $crate::chains::OPERAND,
            );
            $crate::chains::fold(x)
        }
    };
}

/// Defines nothing: no assembly here.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
macro_rules! chains {
    (x86_64: $_:literal, aarch64: $__:literal) => {};
}
