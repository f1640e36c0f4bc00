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
    block!(
        steps,
        [
            ".rept 6",
            ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11",
            "vfmadd213sd xmm\\i, xmm14, xmm15",
            ".endr",
            ".endr",
        ],
        inlateout("xmm0") x[0],
        inlateout("xmm1") x[1],
        inlateout("xmm2") x[2],
        inlateout("xmm3") x[3],
        inlateout("xmm4") x[4],
        inlateout("xmm5") x[5],
        inlateout("xmm6") x[6],
        inlateout("xmm7") x[7],
        inlateout("xmm8") x[8],
        inlateout("xmm9") x[9],
        inlateout("xmm10") x[10],
        inlateout("xmm11") x[11],
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
    block!(
        steps,
        [
            ".rept 3",
            ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
            "fmadd d\\i, d\\i, d30, d31",
            ".endr",
            ".endr",
        ],
        inlateout("v0") x[0],
        inlateout("v1") x[1],
        inlateout("v2") x[2],
        inlateout("v3") x[3],
        inlateout("v4") x[4],
        inlateout("v5") x[5],
        inlateout("v6") x[6],
        inlateout("v7") x[7],
        inlateout("v8") x[8],
        inlateout("v9") x[9],
        inlateout("v10") x[10],
        inlateout("v11") x[11],
        inlateout("v12") x[12],
        inlateout("v13") x[13],
        inlateout("v14") x[14],
        inlateout("v15") x[15],
        inlateout("v16") x[16],
        inlateout("v17") x[17],
        inlateout("v18") x[18],
        inlateout("v19") x[19],
        inlateout("v20") x[20],
        inlateout("v21") x[21],
        inlateout("v22") x[22],
        inlateout("v23") x[23],
        in("v30") FACTOR,
        in("v31") TERM,
    );
    fold(x)
}
