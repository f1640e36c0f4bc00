//! Multiply-adds of 52-bit integers on vectors, as cryptography on large numbers does them. Arm has none.
use super::{OPERAND, SEED};
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
    wide::{self, OPS, Start},
};

const WORK: Work = Work::compute(OPS, 0, OPS + LOOP);

pub static KERNEL: Kernel = Kernel {
    about: "72 multiply-adds of 52-bit integers on the widest vectors in independent chains: how many the core does at once.

An operation is one instruction. In each lane it adds the low half of a product to a number of 64 bits: 4 lanes with
AVX-IFMA, 8 with AVX512-IFMA. Where there is no such instruction it has the portable variant only, which says nothing.",
    work: WORK,
    reference: |_, steps| arithmetic(steps, |x| x),
    variants: variants![
        portable with WORK.compiled();
        x86_64: avx_ifma if avx_ifma, avx512_ifma if avx512_ifma
    ],
};

/// The upper bits of the operands do not count.
const MASK: u64 = (1 << 52) - 1;

const START: Start = start!(|i| i as u64, (OPERAND, SEED));

#[inline(always)]
fn arithmetic(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    let low = || (opaque(OPERAND) & MASK).wrapping_mul(SEED & MASK) & MASK;
    wide::arithmetic(START, steps, |x| x.wrapping_add(low()))
}

portable!();

#[cfg(all(target_arch = "x86_64", not(miri)))]
wide!(
    /// Six rounds of twelve `vpmadd52luq` on 256 bits, as AVX-IFMA encodes them.
    avx_ifma, START, "ymm", 4, "{{vex}} vpmadd52luq"
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
wide!(
    /// Six rounds of twelve `vpmadd52luq` on 512 bits.
    avx512_ifma, START, "zmm", 8, "vpmadd52luq"
);
