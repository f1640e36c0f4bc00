//! 64 dependent fused multiply-adds on one double: their latency.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(64, 128, 64 + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Dependent multiply-adds",
    work: WORK,
    reference,
    variants: variants![
        portable with WORK.compiled();
        x86_64: native if fma;
        aarch64: native
    ],
};

/// Converges, so that values stay normal however long it runs.
const FACTOR: f64 = 0.999_755_859_375;
const TERM: f64 = 0.000_244_262_871;

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    (0..64 * steps).fold(2f64, |x, _| x.mul_add(FACTOR, TERM)).to_bits()
}

/// The same arithmetic; without a hardware instruction this is the library's emulation.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    (0..64 * steps).fold(2f64.to_bits(), |x, _| {
        arch::opaque(f64::from_bits(x).mul_add(FACTOR, TERM).to_bits())
    })
}

/// Only a `get` that saw the feature hands this out. Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = 2f64;
    block!(
        steps,
        [".rept 64", "vfmadd213sd xmm0, xmm1, xmm2", ".endr"],
        inlateout("xmm0") x,
        in("xmm1") FACTOR,
        in("xmm2") TERM,
    );
    x.to_bits()
}

/// Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = 2f64;
    block!(
        steps,
        [".rept 64", "fmadd d0, d0, d1, d2", ".endr"],
        inlateout("v0") x,
        in("v1") FACTOR,
        in("v2") TERM,
    );
    x.to_bits()
}
