//! 16 branches on a random sequence that always go the same way: `branch_miss` without the misses.
use super::branch_miss::{self, PER_OP};
use crate::{
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(16, 0, 16 * PER_OP + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Predicted branches",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

/// No bit decides.
const MASK: u64 = 0;

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    branch_miss::plain(MASK, steps)
}

#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    branch_miss::compiled(MASK, steps)
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    branch_miss::assembled(MASK, steps)
}
