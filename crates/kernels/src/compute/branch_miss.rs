//! 16 branches on the next bit of a random sequence: half of all guesses fail.
//!
//! The same instructions as `branch_hit`; (this - that) / 0.5 per branch is the price of a failed guess.
//! Every run starts the same sequence, so a run of a few hundred steps could be learnt by heart: use 10,000 or more.
//! `instructions` counts the one behind the branch as executed half the time, which is exact on average.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(16, 0, 16 * PER_OP + 8 + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Unpredictable branches",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

/// Three shifts and exclusive ors (x86-64 needs a copy for each), the test and the branch.
pub(super) const PER_OP: u64 = if cfg!(target_arch = "x86_64") { 11 } else { 5 };
const SEED: u64 = 0x243f_6a88_85a3_08d3;
/// The bit that decides. A linear generator of 64 bits of state is beyond what history-based predictors learn.
const MASK: u64 = 1 << 40;

fn next(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^ x << 17
}

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    plain(MASK, steps)
}

#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    compiled(MASK, steps)
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    assembled(MASK, steps)
}

/// Branches on the bits of `mask`.
pub(super) fn plain(mask: u64, steps: u64) -> u64 {
    let (mut x, mut count) = (SEED, 0);
    for _ in 0..16 * steps {
        x = next(x);
        count += u64::from(x & mask != 0);
    }
    x ^ count
}

/// The same arithmetic; the opaque addition keeps the branch a branch.
#[inline(always)]
pub(super) fn compiled(mask: u64, steps: u64) -> u64 {
    let (mut x, mut count) = (SEED, 0);
    for _ in 0..16 * steps {
        x = next(x);
        if x & arch::opaque(mask) != 0 {
            count = arch::opaque(count + 1);
        }
    }
    x ^ count
}

/// Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
pub(super) fn assembled(mask: u64, steps: u64) -> u64 {
    let (mut x, mut count) = (SEED, 0u64);
    block!(
        steps,
        [
            ".rept 16",
            "mov rdx, rax",
            "shl rdx, 13",
            "xor rax, rdx",
            "mov rdx, rax",
            "shr rdx, 7",
            "xor rax, rdx",
            "mov rdx, rax",
            "shl rdx, 17",
            "xor rax, rdx",
            "test rax, r8",
            "jz 3f",
            "add r9, 1",
            "3:",
            ".endr",
        ],
        inlateout("rax") x,
        out("rdx") _,
        in("r8") mask,
        inlateout("r9") count,
    );
    x ^ count
}

/// Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(always)]
pub(super) fn assembled(mask: u64, steps: u64) -> u64 {
    let (mut x, mut count) = (SEED, 0u64);
    block!(
        steps,
        [
            ".rept 16",
            "eor x0, x0, x0, lsl #13",
            "eor x0, x0, x0, lsr #7",
            "eor x0, x0, x0, lsl #17",
            "tst x0, x1",
            "b.eq 3f",
            "add x2, x2, #1",
            "3:",
            ".endr",
        ],
        inlateout("x0") x,
        in("x1") mask,
        inlateout("x2") count,
    );
    x ^ count
}
