//! Reads every word: loops that keep their sums in registers between passes.
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass,
};

pub static KERNEL: Kernel = Kernel {
    about: "Reads every word and adds them up: the plain bandwidth of loads.",
    work: Work::memory(1, 1, 0, 0),
    reference,
    variants: variants![
        word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512, avx2_4streams if avx2, avx512_4streams if avx512;
        aarch64: neon if neon, neon_ldnp if neon, sve if sve
    ],
};

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    let once = memory.iter().flat_map(|l| l.0).fold(0u64, u64::wrapping_add);
    once.wrapping_mul(steps)
}

#[inline(never)]
fn word(memory: &mut [Line], steps: u64) -> u64 {
    pass::sum_words(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    sse2,
    streams 1,
    sse2,
    ".irp i, 0,1,2,3,4,5,6,7",
    "paddq xmm\\i, [rsi + rcx + 16*\\i]",
    ".endr",
    ".irp i, 0,1,2,3,4,5,6,7",
    "paddq xmm\\i, [rsi + rcx + 128 + 16*\\i]",
    ".endr",
    "add rcx, 256",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    avx2,
    streams 1,
    avx2,
    ".irp i, 0,1,2,3,4,5,6,7",
    "vpaddq ymm\\i, ymm\\i, [rsi + rcx + 32*\\i]",
    ".endr",
    "add rcx, 256",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    avx512,
    streams 1,
    avx512,
    ".irp i, 0,1,2,3",
    "vpaddq zmm\\i, zmm\\i, [rsi + rcx + 64*\\i]",
    ".endr",
    "add rcx, 256",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    avx2_4streams,
    streams 4,
    avx2,
    "vpaddq ymm0, ymm0, [rsi + rcx]",
    "vpaddq ymm1, ymm1, [rsi + rcx + 32]",
    "vpaddq ymm2, ymm2, [rdi + rcx]",
    "vpaddq ymm3, ymm3, [rdi + rcx + 32]",
    "vpaddq ymm4, ymm4, [r10 + rcx]",
    "vpaddq ymm5, ymm5, [r10 + rcx + 32]",
    "vpaddq ymm6, ymm6, [r11 + rcx]",
    "vpaddq ymm7, ymm7, [r11 + rcx + 32]",
    "add rcx, 64",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    avx512_4streams,
    streams 4,
    avx512,
    "vpaddq zmm0, zmm0, [rsi + rcx]",
    "vpaddq zmm1, zmm1, [rdi + rcx]",
    "vpaddq zmm2, zmm2, [r10 + rcx]",
    "vpaddq zmm3, zmm3, [r11 + rcx]",
    "add rcx, 64",
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
sum!(neon, "ldp");
#[cfg(all(target_arch = "aarch64", not(miri)))]
sum!(neon_ldnp, "ldnp");
#[cfg(all(target_arch = "aarch64", not(miri)))]
sum_sve!(sve, "ld1d");
