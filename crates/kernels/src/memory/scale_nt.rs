//! STREAM scale with stores past the caches.
use super::scale::{Scale, word};
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass,
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Stores 3 x part 1 in part 0, past the caches",
    work: Work::memory(2, 1, 1, 1),
    reference,
    variants: variants![
        // Ordinary stores, where the architecture offers nothing else: a fallback, not a measurement of the same thing.
        plain = word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512;
        aarch64: neon_stnp if neon, sve_stnt1 if sve
    ],
};

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Scale>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Scale,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movapd xmm0, [rsi + rcx + \\o]",
    "mulpd xmm0, xmm15",
    "movntpd [rdi + rcx + \\o], xmm0",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Scale,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vmulpd ymm0, ymm15, [rsi + rcx + \\o]",
    "vmovntpd [rdi + rcx + \\o], ymm0",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx512,
    Scale,
    avx512,
    ".irp o, 0,64,128,192",
    "vmulpd zmm0, zmm15, [rsi + rcx + \\o]",
    "vmovntpd [rdi + rcx + \\o], zmm0",
    ".endr",
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(
    neon_stnp,
    Scale,
    ".irp o, 0,32,64,96,128,160,192,224",
    "ldnp q0, q1, [x1, #\\o]",
    "fmul v0.2d, v0.2d, v31.2d",
    "fmul v1.2d, v1.2d, v31.2d",
    "stnp q0, q1, [x0, #\\o]",
    ".endr",
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(
    sve_stnt1,
    Scale,
    "ld1d {{z0.d}}, p0/z, [x1, \\o]",
    "fmul z0.d, z0.d, z31.d",
    "stnt1d {{z0.d}}, p0, [x0, \\o]"
);
