//! 16 branches on a random sequence that always go the same way: `branch_miss` without the misses.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Variant, Work},
    line::Line,
};

const WORK: Work = Work::compute(16, 0, 16 * PER_OP + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Predicted branches",
    work: WORK,
    reference,
    variants: &[
        Variant::new("portable", |_| Some(portable)).with(WORK.compiled()),
        #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
        Variant::new("native", |_| Some(native)),
    ],
};

/// Three shifts and exclusive ors (x86-64 needs a copy for each), the test and the branch.
const PER_OP: u64 = if cfg!(target_arch = "x86_64") { 11 } else { 5 };
const SEED: u64 = 0x243f_6a88_85a3_08d3;
/// The bit that decides. A linear generator of 64 bits of state is beyond what history-based predictors learn.
const MASK: u64 = 0;

fn next(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^ x << 17
}

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    (0..16 * steps).fold(SEED, |x, _| next(x))
}

/// The same arithmetic; the opaque addition keeps the branch a branch.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    let (mut x, mut count) = (SEED, 0);
    for _ in 0..16 * steps {
        x = next(x);
        if x & arch::opaque(MASK) != 0 {
            count = arch::opaque(count + 1);
        }
    }
    x ^ count
}

/// Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
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
        in("r8") MASK,
        inlateout("r9") count,
    );
    x ^ count
}

/// Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
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
        in("x1") MASK,
        inlateout("x2") count,
    );
    x ^ count
}
