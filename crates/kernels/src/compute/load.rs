//! 64 independent loads of 8 bytes that hit the first-level cache.
use crate::{
    arena::mix,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

pub static KERNEL: Kernel = Kernel {
    about: "64 independent loads of 8 bytes that hit the first-level cache.",
    work: WORK,
    reference,
    variants: variants![portable with WORK.compiled(); x86_64: native; aarch64: native],
};

/// The kernel's own eight lines: they stay in the first-level cache whatever the caller's memory is.
fn buffer() -> [Line; 8] {
    std::array::from_fn(|i| Line(std::array::from_fn(|j| mix((8 * i + j) as u64))))
}

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    if steps == 0 { 0 } else { buffer()[7].0[7] }
}

/// Volatile loads; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    let buffer = buffer();
    let mut last = 0;
    for _ in 0..steps {
        for word in buffer.iter().flat_map(|l| &l.0) {
            // SAFETY: `word` is a live reference. Volatile: one load each, neither dropped nor merged.
            last = unsafe { std::ptr::from_ref(word).read_volatile() };
        }
    }
    last
}

/// Reads the 512 bytes at `rsi`, the whole of `buffer`.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let buffer = buffer();
    chain!(
        steps,
        "rax" = 0u64,
        [
            ".irp line, 0,64,128,192,256,320,384,448",
            ".irp word, 0,8,16,24,32,40,48,56",
            "mov rax, qword ptr [rsi + \\line + \\word]",
            ".endr",
            ".endr",
        ],
        in("rsi") &raw const buffer,
    )
}

/// Reads the 512 bytes at `x1`, the whole of `buffer`.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let buffer = buffer();
    chain!(
        steps,
        "x0" = 0u64,
        [
            ".irp line, 0,64,128,192,256,320,384,448",
            ".irp word, 0,8,16,24,32,40,48,56",
            "ldr x0, [x1, #\\line + \\word]",
            ".endr",
            ".endr",
        ],
        in("x1") &raw const buffer,
    )
}
