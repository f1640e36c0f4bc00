//! STREAM triad: `a = b + 3 c`, rounded after the product like the original; no fused multiply-add.
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass::{self, Stream},
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Stores part 1 + 3 x part 2 in part 0",
    work: Work::memory(3, 2, 1, 2),
    reference,
    variants: variants![
        word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512;
        aarch64: neon if neon, sve if sve
    ],
};

#[derive(Debug)]
pub(crate) struct Triad;
impl Stream for Triad {
    const PARTS: usize = 3;
    #[inline(always)]
    fn element(k: f64, _a: f64, b: f64, c: f64) -> f64 {
        b + k * c
    }
}

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Triad>(memory, steps)
}

/// One element at a time.
#[inline(never)]
pub(crate) fn word(memory: &mut [Line], steps: u64) -> u64 {
    pass::word::<Triad>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Triad,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movapd xmm0, [rdx + rcx + \\o]",
    "mulpd xmm0, xmm15",
    "addpd xmm0, [rsi + rcx + \\o]",
    "movapd [rdi + rcx + \\o], xmm0",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Triad,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vmulpd ymm0, ymm15, [rdx + rcx + \\o]",
    "vaddpd ymm0, ymm0, [rsi + rcx + \\o]",
    "vmovapd [rdi + rcx + \\o], ymm0",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx512,
    Triad,
    avx512,
    ".irp o, 0,64,128,192",
    "vmulpd zmm0, zmm15, [rdx + rcx + \\o]",
    "vaddpd zmm0, zmm0, [rsi + rcx + \\o]",
    "vmovapd [rdi + rcx + \\o], zmm0",
    ".endr",
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(
    neon,
    Triad,
    ".irp o, 0,32,64,96,128,160,192,224",
    "ldp q0, q1, [x2, #\\o]",
    "ldp q2, q3, [x1, #\\o]",
    "fmul v0.2d, v0.2d, v31.2d",
    "fmul v1.2d, v1.2d, v31.2d",
    "fadd v0.2d, v0.2d, v2.2d",
    "fadd v1.2d, v1.2d, v3.2d",
    "stp q0, q1, [x0, #\\o]",
    ".endr",
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(
    sve,
    Triad,
    "ld1d {{z0.d}}, p0/z, [x2, \\o]",
    "ld1d {{z1.d}}, p0/z, [x1, \\o]",
    "fmul z0.d, z0.d, z31.d",
    "fadd z0.d, z0.d, z1.d",
    "st1d {{z0.d}}, p0, [x0, \\o]"
);
