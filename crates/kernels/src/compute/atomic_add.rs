//! Dependent atomic additions to a word in the first-level cache.
use super::{OPERAND, SEED};
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

pub static KERNEL: Kernel = Kernel {
    about: "64 dependent atomic additions to one word in the first-level cache, which no other core touches: their latency.

Each adds what was there two additions ago, so that no error is lost.",
    work: WORK,
    reference: |_, steps| arithmetic(steps, |x| x),
    variants: variants![
        portable with WORK.compiled();
        x86_64: native;
        aarch64: native if lse
    ],
};

#[inline(always)]
fn arithmetic(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    let (mut word, mut x) = (SEED, OPERAND);
    for _ in 0..64 * steps {
        (word, x) = (opaque(word.wrapping_add(x)), word);
    }
    word.rotate_left(7) ^ x
}

#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    let (word, mut x) = (AtomicU64::new(SEED), OPERAND);
    for _ in 0..64 * steps {
        x = arch::opaque(word.fetch_add(x, Relaxed));
    }
    word.load(Relaxed).rotate_left(7) ^ x
}

/// Reads and writes the word at `rsi`.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let (word, mut x) = (AtomicU64::new(SEED), OPERAND);
    block!(
        steps,
        [".rept 64", "lock xadd qword ptr [rsi], rax", ".endr"],
        inlateout("rax") x,
        in("rsi") word.as_ptr(),
    );
    word.load(Relaxed).rotate_left(7) ^ x
}

/// Only a `get` that saw the feature hands this out. Reads and writes the word at `x1`.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let (word, mut x) = (AtomicU64::new(SEED), OPERAND);
    block!(
        steps,
        [".arch_extension lse", ".rept 64", "ldadd x0, x0, [x1]", ".endr"],
        inlateout("x0") x,
        in("x1") word.as_ptr(),
    );
    word.load(Relaxed).rotate_left(7) ^ x
}
