//! 64 additions in eight independent chains: how many the core does at once.
use crate::{
    arch,
    block::LOOP,
    chains::{OPERAND, rounds},
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Independent additions",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    rounds(steps, |x| x.wrapping_add(OPERAND))
}

/// The same arithmetic, kept from being simplified; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    rounds(steps, |x| arch::opaque(x.wrapping_add(OPERAND)))
}

chains!(x86_64: "add \\x, r12", aarch64: "add \\x, \\x, x8");
