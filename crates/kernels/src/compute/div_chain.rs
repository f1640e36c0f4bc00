//! 16 dependent divisions, 64 bits by 64 bits: their latency.
//!
//! An addition between two divisions keeps every dividend 64 bits wide; its one cycle is part of the chain.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(16, 0, 16 * PER_OP + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Dependent divisions",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

/// x86-64 needs its high half cleared before each division.
const PER_OP: u64 = if cfg!(target_arch = "x86_64") { 3 } else { 2 };
const DIVIDEND: u64 = 0xfedc_ba98_7654_3210;
/// 31 bits wide, so that quotients have 33 to 34: dividers stop early on small ones.
const DIVISOR: u64 = 0x5a5a_1235;

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    (0..16 * steps).fold(DIVIDEND, |x, _| (x / DIVISOR).wrapping_add(DIVIDEND))
}

/// The same arithmetic, kept from being simplified; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    (0..16 * steps).fold(DIVIDEND, |x, _| (x / arch::opaque(DIVISOR)).wrapping_add(DIVIDEND))
}

/// Clearing `rdx` does not wait for anything and is off the chain. Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = DIVIDEND;
    block!(
        steps,
        [".rept 16", "xor edx, edx", "div r8", "add rax, r9", ".endr"],
        inlateout("rax") x,
        out("rdx") _,
        in("r8") DIVISOR,
        in("r9") DIVIDEND,
    );
    x
}

/// Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = DIVIDEND;
    block!(
        steps,
        [".rept 16", "udiv x0, x0, x1", "add x0, x0, x2", ".endr"],
        inlateout("x0") x,
        in("x1") DIVISOR,
        in("x2") DIVIDEND,
    );
    x
}
