//! 16 dependent divisions, 32 bits by 32 bits: their latency.
//!
//! An addition between two divisions keeps every dividend 32 bits wide; its one cycle is part of the chain.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(16, 0, 16 * PER_OP + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Dependent 32-bit divisions",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

/// x86-64 needs its high half cleared before each division.
const PER_OP: u64 = if cfg!(target_arch = "x86_64") { 3 } else { 2 };
const DIVIDEND: u32 = 0xfedc_ba98;
/// 15 bits wide, so that quotients have 17 to 18: dividers stop early on small ones.
const DIVISOR: u32 = 0x5a5b;

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    u64::from((0..16 * steps).fold(DIVIDEND, |x, _| (x / DIVISOR).wrapping_add(DIVIDEND)))
}

/// The same arithmetic, kept from being simplified; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    let divisor = || arch::opaque(u64::from(DIVISOR)) as u32;
    u64::from((0..16 * steps).fold(DIVIDEND, |x, _| (x / divisor()).wrapping_add(DIVIDEND)))
}

/// Clearing `rdx` does not wait for anything and is off the chain. Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = DIVIDEND;
    block!(
        steps,
        [".rept 16", "xor edx, edx", "div r8d", "add eax, r9d", ".endr"],
        inlateout("rax") x,
        out("rdx") _,
        in("r8") DIVISOR,
        in("r9") DIVIDEND,
    );
    u64::from(x)
}

/// Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = DIVIDEND;
    block!(
        steps,
        [".rept 16", "udiv w0, w0, w1", "add w0, w0, w2", ".endr"],
        inlateout("x0") x,
        in("x1") DIVISOR,
        in("x2") DIVIDEND,
    );
    u64::from(x)
}
