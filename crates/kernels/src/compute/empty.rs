//! The loop around every block, with nothing in it: what to subtract.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(1, 0, LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Empty loop",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    steps
}

/// The same arithmetic, kept from being simplified; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    (0..steps).fold(0, |n, _| arch::opaque(n) + 1)
}

/// `ops`: the loop itself. Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    block!(steps, [],);
    steps
}

/// `ops`: the loop itself. Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    block!(steps, [],);
    steps
}
