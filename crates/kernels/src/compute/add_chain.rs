//! 64 dependent additions: one cycle each on every core we know, so this is the clock.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Dependent additions",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

const SEED: u64 = 0x243f_6a88_85a3_08d3;
const K: u64 = 0x1319_8a2e_0370_7345;

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    (0..64 * steps).fold(SEED, |x, _| x.wrapping_add(K))
}

/// The same arithmetic, kept from being simplified; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    (0..64 * steps).fold(SEED, |x, _| arch::opaque(x.wrapping_add(K)))
}

/// 64 `add` of a register (some cores fold additions of constants away). Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = SEED;
    block!(steps, [".rept 64", "add rax, rdx", ".endr"], inlateout("rax") x, in("rdx") K,);
    x
}

/// 64 `add`. Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = SEED;
    block!(steps, [".rept 64", "add x0, x0, x1", ".endr"], inlateout("x0") x, in("x1") K,);
    x
}
