//! Fused multiply-adds on vectors. All lanes hold the same numbers, so that the result is that of one.
use super::{FACTOR, TERM};
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Variant, Work},
    line::Line,
    wide::{self, OPS, Start},
};

const fn work(lanes: u64) -> Work {
    Work::compute(OPS, 2 * OPS * lanes, OPS + LOOP)
}

pub static KERNEL: Kernel = Kernel {
    about: "72 fused multiply-adds on the widest vectors in independent chains: how many the core does at once.

An operation is one instruction, of as many doubles as a vector holds: 4 with AVX2, 8 with AVX-512, 2 with Neon; with SVE
as many as the machine's vectors have. All lanes hold the same numbers, so that the result is that of one.",
    work: work(1),
    reference: |_, steps| arithmetic(steps, |x| x),
    variants: &[
        Variant::new("portable", |_| Some(portable)).with(work(1).compiled()),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("avx2", |f| f.fma(()).and_then(|()| f.avx2(avx2 as crate::Run))).with(work(4)),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("avx512", |f| f.avx512(avx512)).with(work(8)),
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        Variant::new("neon", |f| f.neon(neon)).with(work(2)),
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        Variant::new("sve", |f| f.sve(sve)).with(work(2)),
    ],
};

const START: Start = start!(|i| (2.0 + i as f64).to_bits(), (FACTOR.to_bits(), TERM.to_bits()));

#[inline(always)]
fn arithmetic(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    wide::arithmetic(START, steps, |x| opaque(FACTOR.mul_add(TERM, f64::from_bits(x)).to_bits()))
}

// Without a hardware instruction this is the library's emulation.
portable!();

#[cfg(all(target_arch = "x86_64", not(miri)))]
wide!(
    /// Six rounds of twelve `vfmadd231pd` on 256 bits.
    avx2, START, "ymm", 4, "vfmadd231pd"
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
wide!(
    /// Six rounds of twelve `vfmadd231pd` on 512 bits.
    avx512, START, "zmm", 8, "vfmadd231pd"
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
wide!(
    /// Three rounds of 24 `fmla` on 128 bits.
    neon, START, "fmla v\\i\\().2d, v30.2d, v31.2d"
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
wide!(
    /// Three rounds of 24 `fmla` on whole scalable vectors.
    sve, START, "fmla z\\i\\().d, p0/m, z30.d, z31.d"
);
