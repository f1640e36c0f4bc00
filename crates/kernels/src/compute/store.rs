//! 64 stores of 8 bytes that hit the first-level cache.
use super::SEED;
use crate::{
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

pub static KERNEL: Kernel = Kernel {
    about: "64 stores of 8 bytes that hit the first-level cache.",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

fn fold(buffer: &[Line; 8]) -> u64 {
    buffer.iter().flat_map(|l| l.0).fold(0, |s: u64, w| s.wrapping_mul(3).wrapping_add(w))
}

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    fold(&[if steps == 0 { Line::ZERO } else { Line([SEED ^ steps; 8]) }; 8])
}

/// Volatile stores; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    let mut buffer = [Line::ZERO; 8];
    for _ in 0..steps {
        for word in buffer.iter_mut().flat_map(|l| &mut l.0) {
            // SAFETY: `word` is a live reference. Volatile: one store each, neither dropped nor merged.
            unsafe { std::ptr::from_mut(word).write_volatile(SEED ^ steps) };
        }
    }
    fold(&buffer)
}

/// Writes the 512 bytes at `rsi`, the whole of `buffer`.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut buffer = [Line::ZERO; 8];
    block!(
        steps,
        [
            ".irp line, 0,64,128,192,256,320,384,448",
            ".irp word, 0,8,16,24,32,40,48,56",
            "mov qword ptr [rsi + \\line + \\word], rdx",
            ".endr",
            ".endr",
        ],
        in("rsi") &raw mut buffer,
        in("rdx") SEED ^ steps,
    );
    fold(&buffer)
}

/// Writes the 512 bytes at `x1`, the whole of `buffer`.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut buffer = [Line::ZERO; 8];
    block!(
        steps,
        [
            ".irp line, 0,64,128,192,256,320,384,448",
            ".irp word, 0,8,16,24,32,40,48,56",
            "str x0, [x1, #\\line + \\word]",
            ".endr",
            ".endr",
        ],
        in("x1") &raw mut buffer,
        in("x0") SEED ^ steps,
    );
    fold(&buffer)
}
