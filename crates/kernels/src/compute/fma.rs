//! Fused multiply-adds on doubles in as many chains as there are registers.
use super::{FACTOR, TERM};
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(72, 144, 72 + LOOP);

pub static KERNEL: Kernel = Kernel {
    about: "72 fused multiply-adds on doubles in independent chains: how many the core does at once, one lane each.",
    work: WORK,
    reference: |_, steps| arithmetic(steps, |x| x),
    variants: variants![
        portable with WORK.compiled();
        x86_64: native if fma;
        aarch64: native
    ],
};

/// As many as the registers allow: more than latency times pipes of any core we know.
const CHAINS: usize = if cfg!(target_arch = "aarch64") { 24 } else { 12 };
const PER_CHAIN: u64 = 72 / CHAINS as u64;

#[inline(always)]
fn start() -> [f64; CHAINS] {
    std::array::from_fn(|i| 2.0 + i as f64)
}

#[inline(always)]
fn fold(x: [f64; CHAINS]) -> u64 {
    x.iter().fold(0, |s, x| s.rotate_left(7) ^ x.to_bits())
}

#[inline(always)]
fn arithmetic(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    let mut x = start();
    for _ in 0..PER_CHAIN * steps {
        for x in &mut x {
            *x = f64::from_bits(opaque(x.mul_add(FACTOR, TERM).to_bits()));
        }
    }
    fold(x)
}

// Without a hardware instruction this is the library's emulation.
portable!();

/// Only a `get` that saw the feature hands this out. Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = start();
    block_in_registers!(
        steps,
        [
            ".rept 6",
            ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11",
            "vfmadd213sd xmm\\i, xmm14, xmm15",
            ".endr",
            ".endr",
        ],
        x: "xmm0" 0, "xmm1" 1, "xmm2" 2, "xmm3" 3, "xmm4" 4, "xmm5" 5, "xmm6" 6, "xmm7" 7,
           "xmm8" 8, "xmm9" 9, "xmm10" 10, "xmm11" 11;
        in("xmm14") FACTOR,
        in("xmm15") TERM,
    );
    fold(x)
}

/// Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = start();
    block_in_registers!(
        steps,
        [
            ".rept 3",
            ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
            "fmadd d\\i, d\\i, d30, d31",
            ".endr",
            ".endr",
        ],
        x: "v0" 0, "v1" 1, "v2" 2, "v3" 3, "v4" 4, "v5" 5, "v6" 6, "v7" 7,
           "v8" 8, "v9" 9, "v10" 10, "v11" 11, "v12" 12, "v13" 13, "v14" 14, "v15" 15,
           "v16" 16, "v17" 17, "v18" 18, "v19" 19, "v20" 20, "v21" 21, "v22" 22, "v23" 23;
        in("v30") FACTOR,
        in("v31") TERM,
    );
    fold(x)
}
