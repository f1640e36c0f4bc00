//! Stores a non-zero pattern in every word.
//!
//! The pattern is a repeated byte, so that `rep stosb` can write it too, and never zero: some processors write zeros
//! twice as fast.
use crate::{
    arena::mix,
    kernel::{Kernel, Work},
    line::Line,
    pass::{self, Stream},
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Stores a repeated non-zero byte all over",
    work: Work::memory(1, 0, 1, 0),
    reference,
    variants: variants![
        word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512;
        aarch64: neon if neon, sve if sve
    ],
};

#[derive(Debug)]
pub(crate) struct Write;
impl Stream for Write {
    const PARTS: usize = 1;
    /// A byte from 0x30 to 0x3f, other in neighbouring passes, eight times: as a double it is small, positive and
    /// normal.
    fn constant(pass: u64, lines: usize) -> f64 {
        let byte = 0x30 | mix(pass.wrapping_add((lines as u64) << 32)) & 15;
        f64::from_bits(byte * 0x0101_0101_0101_0101)
    }
    #[inline(always)]
    fn element(k: f64, _a: f64, _b: f64, _c: f64) -> f64 {
        k
    }
}

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Write>(memory, steps)
}

/// One element at a time.
#[inline(never)]
pub(crate) fn word(memory: &mut [Line], steps: u64) -> u64 {
    pass::word::<Write>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Write,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movapd [rdi + rcx + \\o], xmm15",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Write,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vmovapd [rdi + rcx + \\o], ymm15",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(avx512, Write, avx512, ".irp o, 0,64,128,192", "vmovapd [rdi + rcx + \\o], zmm15", ".endr",);

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(neon, Write, ".irp o, 0,32,64,96,128,160,192,224", "stp q31, q31, [x0, #\\o]", ".endr",);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(sve, Write, "st1d {{z31.d}}, p0, [x0, \\o]");
