//! 16 independent divisions, 32 bits by 32 bits: how often one can start.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(16, 0, 16 * PER_OP + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Independent 32-bit divisions",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

/// x86-64 must load the dividend and clear its high half before each division.
const PER_OP: u64 = if cfg!(target_arch = "x86_64") { 4 } else { 2 };
const DIVIDEND: u32 = 0xfedc_ba98;
/// 15 bits wide, so that quotients have 17 to 18: dividers stop early on small ones.
const DIVISOR: u32 = 0x5a5b;

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    (0..16 * steps).fold(0, |sum: u64, _| sum.wrapping_add(u64::from(DIVIDEND / DIVISOR)))
}

/// The same arithmetic, kept from being simplified; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    let divisor = || arch::opaque(u64::from(DIVISOR)) as u32;
    (0..16 * steps).fold(0, |sum: u64, _| sum.wrapping_add(u64::from(DIVIDEND / divisor())))
}

/// The sum of the quotients is the only chain, one cycle per division. Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut sum = 0u64;
    block!(
        steps,
        [".rept 16", "mov eax, r9d", "xor edx, edx", "div r8d", "add r10, rax", ".endr"],
        inlateout("r10") sum,
        out("rax") _,
        out("rdx") _,
        in("r8") DIVISOR,
        in("r9") DIVIDEND,
    );
    sum
}

/// The sum of the quotients is the only chain, one cycle per division. Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut sum = 0u64;
    block!(
        steps,
        [".rept 16", "udiv w3, w2, w1", "add x0, x0, x3", ".endr"],
        inlateout("x0") sum,
        out("x3") _,
        in("x1") DIVISOR,
        in("x2") DIVIDEND,
    );
    sum
}
