//! Dot products of 8-bit integers on vectors, as programs that run neural networks do them.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
    wide::{self, OPS, Start},
};

const WORK: Work = Work::compute(OPS, 0, OPS + LOOP);

// SVE2 has no other instruction for this: `sdot` is the first SVE's.
pub static KERNEL: Kernel = Kernel {
    about: "72 dot products of 8-bit integers on the widest vectors in independent chains: how many the core does at once.

An operation is one instruction. In each lane it adds four products of 8 bits to a number of 32 bits: 8 lanes with AVX-VNNI,
16 with AVX512-VNNI, 4 with Neon's dot product; with SVE as many as the machine's vectors have.",
    work: WORK,
    reference: |_, steps| arithmetic(steps, |x| x),
    variants: variants![
        portable with WORK.compiled();
        x86_64: avx_vnni if avx_vnni, avx512_vnni if avx512_vnni;
        aarch64: neon if dotprod, sve if sve
    ],
};

/// x86-64 takes the first for numbers without a sign, Arm for numbers with one: they are below 128, and mean the same.
const OPERANDS: [u32; 2] = [u32::from_le_bytes([3, 127, 77, 90]), 0x7f91_80fd];

/// Four products of bytes, the second operand's with a sign.
pub(super) fn dot(a: u32, b: u32) -> u32 {
    let products = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
    products.fold(0, |sum: u32, (a, b)| {
        sum.wrapping_add_signed(i32::from(a) * i32::from(b.cast_signed()))
    })
}

/// The same number in both lanes of a word.
pub(super) const fn twice(x: u32) -> u64 {
    (x as u64) << 32 | x as u64
}

const START: Start = start!(|i| twice(i as u32), (twice(OPERANDS[0]), twice(OPERANDS[1])));

#[inline(always)]
fn arithmetic(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    let [a, b] = OPERANDS;
    let product = || dot(opaque(u64::from(a)) as u32, b);
    wide::arithmetic(START, steps, |x| twice((x as u32).wrapping_add(product())))
}

portable!();

#[cfg(all(target_arch = "x86_64", not(miri)))]
wide!(
    /// Six rounds of twelve `vpdpbusd` on 256 bits, as AVX-VNNI encodes them.
    avx_vnni, START, "ymm", 4, "{{vex}} vpdpbusd"
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
wide!(
    /// Six rounds of twelve `vpdpbusd` on 512 bits.
    avx512_vnni, START, "zmm", 8, "vpdpbusd"
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
wide!(
    /// Three rounds of 24 `sdot` on 128 bits.
    neon, START, "sdot v\\i\\().4s, v30.16b, v31.16b"
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
wide!(
    /// Three rounds of 24 `sdot` on whole scalable vectors.
    sve, START, "sdot z\\i\\().s, z30.b, z31.b"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_products_have_the_signs_of_the_second_operand() {
        // 1 * -2 + 2 * 2 + 3 * 2 + 4 * -128
        assert_eq!(dot(0x0403_0201, 0x8002_02fe), (-504i32).cast_unsigned());
    }
}
