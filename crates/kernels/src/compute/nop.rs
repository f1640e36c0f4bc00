//! 64 instructions that do nothing: how fast the core fetches, decodes and retires.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "No operation",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

pub(super) fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    steps
}

/// The same arithmetic, kept from being simplified; the compiler writes the loop.
#[inline(never)]
pub(super) fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    for _ in 0..steps {
        for i in 0..64 {
            arch::opaque(i);
        }
    }
    steps
}

/// 64 `nop`. Touches nothing.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    block!(steps, [".rept 64", "nop", ".endr"],);
    steps
}

/// 64 `nop`. Touches nothing.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    block!(steps, [".rept 64", "nop", ".endr"],);
    steps
}
