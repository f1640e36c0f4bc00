//! STREAM copy: `a = b`. Ordinary stores, which first read the line they will overwrite (not counted as work).
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass::{self, Stream},
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Copies part 1 to part 0",
    work: Work::memory(2, 1, 1, 0),
    reference,
    variants: variants![
        word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512;
        aarch64: neon if neon, sve if sve
    ],
};

#[derive(Debug)]
pub(crate) struct Copy;
impl Stream for Copy {
    const PARTS: usize = 2;
    #[inline(always)]
    fn element(_k: f64, _a: f64, b: f64, _c: f64) -> f64 {
        b
    }
}

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Copy>(memory, steps)
}

/// One element at a time.
#[inline(never)]
pub(crate) fn word(memory: &mut [Line], steps: u64) -> u64 {
    pass::word::<Copy>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Copy,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movapd xmm0, [rsi + rcx + \\o]",
    "movapd [rdi + rcx + \\o], xmm0",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Copy,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vmovapd ymm0, [rsi + rcx + \\o]",
    "vmovapd [rdi + rcx + \\o], ymm0",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx512,
    Copy,
    avx512,
    ".irp o, 0,64,128,192",
    "vmovapd zmm0, [rsi + rcx + \\o]",
    "vmovapd [rdi + rcx + \\o], zmm0",
    ".endr",
);

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(
    neon,
    Copy,
    ".irp o, 0,32,64,96,128,160,192,224",
    "ldp q0, q1, [x1, #\\o]",
    "stp q0, q1, [x0, #\\o]",
    ".endr",
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(sve, Copy, "ld1d {{z0.d}}, p0/z, [x1, \\o]", "st1d {{z0.d}}, p0, [x0, \\o]");
