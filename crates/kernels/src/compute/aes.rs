//! AES rounds in eight independent chains.
use super::{OPERAND, SEED};
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

/// Arm's round is two instructions, which most cores fuse: key, substitution and rows, then columns.
const PER_ROUND: u64 = if cfg!(target_arch = "aarch64") { 2 } else { 1 };
const WORK: Work = Work::compute(64, 0, 64 * PER_ROUND + LOOP);

pub static KERNEL: Kernel = Kernel {
    about: "64 AES encryption rounds in eight independent chains: how many the core does at once.",
    work: WORK,
    reference: |_, steps| arithmetic(steps, |x| x),
    variants: variants![
        portable with WORK.compiled();
        x86_64: native if aes;
        aarch64: native if aes
    ],
};

/// A state of 16 bytes, column by column, as two little-endian words.
type State = [u64; 2];
const KEY: State = [OPERAND, SEED];

fn start() -> [State; 8] {
    std::array::from_fn(|i| [SEED.wrapping_add(i as u64), OPERAND])
}

fn fold(states: [State; 8]) -> u64 {
    states.iter().flatten().fold(0, |sum: u64, word| sum.rotate_left(7) ^ word)
}

fn add_key(state: State) -> State {
    [state[0] ^ KEY[0], state[1] ^ KEY[1]]
}

/// Twice a number of the field of FIPS 197.
const fn twice(x: u8) -> u8 {
    (x << 1) ^ (0x1b * (x >> 7))
}

/// The substitution: the inverse in the field, then an affine map. Source: FIPS 197, 5.1.1.
const SUBSTITUTE: [u8; 256] = {
    let mut all = [0x63u8; 256];
    // 3 generates the field: `power` runs through its powers, `inverse` through those of 1/3 (0xf6).
    let (mut power, mut inverse) = (1u8, 1u8);
    loop {
        power ^= twice(power);
        inverse ^= inverse << 1;
        inverse ^= inverse << 2;
        inverse ^= inverse << 4;
        inverse ^= 0x09 * (inverse >> 7);
        all[power as usize] = inverse
            ^ inverse.rotate_left(1)
            ^ inverse.rotate_left(2)
            ^ inverse.rotate_left(3)
            ^ inverse.rotate_left(4)
            ^ 0x63;
        if power == 1 {
            break all;
        }
    }
};

/// Substitution, rows, columns, key. Source: FIPS 197, 5.1.
fn round(state: State) -> State {
    let byte = |at: usize| SUBSTITUTE[(state[at / 8] >> (at % 8 * 8)) as u8 as usize];
    let mut mixed = [0u64; 2];
    for at in 0..16 {
        let row = |turn: usize| {
            let row = (at + turn) % 4;
            byte(row + 4 * ((at / 4 + row) % 4))
        };
        let mix = twice(row(0)) ^ twice(row(1)) ^ row(1) ^ row(2) ^ row(3);
        mixed[at / 8] |= u64::from(mix) << (at % 8 * 8);
    }
    add_key(mixed)
}

#[inline(always)]
fn arithmetic(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    let mut x = start();
    for _ in 0..8 * steps {
        for x in &mut x {
            *x = round(x.map(&opaque));
        }
    }
    fold(x)
}

portable!();

/// Only a `get` that saw the feature hands this out. Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    use std::{arch::x86_64::__m128i, mem::transmute};
    // SAFETY: both are 16 bytes, and any bytes are a value of either.
    let vector = |state: State| unsafe { transmute::<State, __m128i>(state) };
    let (mut x, key) = (start().map(vector), vector(KEY));
    block_in_registers!(
        steps,
        [".rept 8", ".irp i, 0,1,2,3,4,5,6,7", "aesenc xmm\\i, xmm8", ".endr", ".endr"],
        x: "xmm0" 0, "xmm1" 1, "xmm2" 2, "xmm3" 3, "xmm4" 4, "xmm5" 5, "xmm6" 6, "xmm7" 7;
        in("xmm8") key,
    );
    // SAFETY: as above.
    fold(x.map(|x| unsafe { transmute::<__m128i, State>(x) }))
}

/// Only a `get` that saw the feature hands this out. Registers only. `aese` adds the key first, so the chain holds the states
/// with the key added.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    use std::{arch::aarch64::uint8x16_t, mem::transmute};
    // SAFETY: both are 16 bytes, and any bytes are a value of either.
    let vector = |state: State| unsafe { transmute::<State, uint8x16_t>(state) };
    let (mut x, key) = (start().map(|x| vector(add_key(x))), vector(KEY));
    block_in_registers!(
        steps,
        [
            ".arch_extension aes",
            ".rept 8",
            ".irp x, v0.16b,v1.16b,v2.16b,v3.16b,v4.16b,v5.16b,v6.16b,v7.16b",
            "aese \\x, v8.16b",
            "aesmc \\x, \\x",
            ".endr",
            ".endr",
        ],
        x: "v0" 0, "v1" 1, "v2" 2, "v3" 3, "v4" 4, "v5" 5, "v6" 6, "v7" 7;
        in("v8") key,
    );
    // SAFETY: as above.
    fold(x.map(|x| add_key(unsafe { transmute::<uint8x16_t, State>(x) })))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 197, appendix B: the start of round 1, and of round 2 without its key.
    #[test]
    fn a_round_is_that_of_the_standard() {
        let state = |text: u128| {
            let bytes = text.to_be_bytes();
            [0, 8].map(|at| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()))
        };
        let after = state(0x046681e5_e0cb199a_48f8d37a_2806264c);
        assert_eq!(round(state(0x193de3be_a0f4e22b_9ac68d2a_e9f84808)), add_key(after));
    }
}
