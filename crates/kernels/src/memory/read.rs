//! Reads every word and adds them up: the plain bandwidth of loads.
use crate::{
    kernel::{Kernel, Variant, Work},
    line::Line,
    pass,
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Read",
    work: Work::memory(1, 1, 0, 0),
    reference,
    variants: &[
        Variant::new("word", |_| Some(word)),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("sse2", |_| Some(sse2)),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("avx2", |f| f.avx2(avx2)),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("avx512", |f| f.avx512(avx512)),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("avx2_4streams", |f| f.avx2(avx2_4streams)),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("avx512_4streams", |f| f.avx512(avx512_4streams)),
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        Variant::new("neon", |f| f.neon(neon)),
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        Variant::new("neon_ldnp", |f| f.neon(neon_ldnp)),
    ],
};

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    let once = memory.iter().flat_map(|l| l.0).fold(0u64, u64::wrapping_add);
    once.wrapping_mul(steps)
}

/// One 8-byte load at a time.
#[inline(never)]
fn word(memory: &mut [Line], steps: u64) -> u64 {
    pass::sum_words(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    sse2,
    streams 1,
    sse2,
    [".irp i, 0,1,2,3,4,5,6,7", "pxor xmm\\i, xmm\\i", ".endr"],
    ["paddq xmm0, [rsi + rcx + 0]", "paddq xmm1, [rsi + rcx + 16]", "paddq xmm2, [rsi + rcx + 32]", "paddq xmm3, [rsi + rcx + 48]", "paddq xmm4, [rsi + rcx + 64]", "paddq xmm5, [rsi + rcx + 80]", "paddq xmm6, [rsi + rcx + 96]", "paddq xmm7, [rsi + rcx + 112]", "paddq xmm0, [rsi + rcx + 128]", "paddq xmm1, [rsi + rcx + 144]", "paddq xmm2, [rsi + rcx + 160]", "paddq xmm3, [rsi + rcx + 176]", "paddq xmm4, [rsi + rcx + 192]", "paddq xmm5, [rsi + rcx + 208]", "paddq xmm6, [rsi + rcx + 224]", "paddq xmm7, [rsi + rcx + 240]", "add rcx, 256"],
    [".irp i, 0,1,2,3,4,5,6,7", "movdqu [rax + 16*\\i], xmm\\i", ".endr"]
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    avx2,
    streams 1,
    avx2,
    [".irp i, 0,1,2,3,4,5,6,7", "vpxor xmm\\i, xmm\\i, xmm\\i", ".endr"],
    ["vpaddq ymm0, ymm0, [rsi + rcx + 0]", "vpaddq ymm1, ymm1, [rsi + rcx + 32]", "vpaddq ymm2, ymm2, [rsi + rcx + 64]", "vpaddq ymm3, ymm3, [rsi + rcx + 96]", "vpaddq ymm4, ymm4, [rsi + rcx + 128]", "vpaddq ymm5, ymm5, [rsi + rcx + 160]", "vpaddq ymm6, ymm6, [rsi + rcx + 192]", "vpaddq ymm7, ymm7, [rsi + rcx + 224]", "add rcx, 256"],
    [".irp i, 0,1,2,3,4,5,6,7", "vmovdqu [rax + 32*\\i], ymm\\i", ".endr"]
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    avx512,
    streams 1,
    avx512,
    [".irp i, 0,1,2,3,4,5,6,7", "vpxor xmm\\i, xmm\\i, xmm\\i", ".endr"],
    ["vpaddq zmm0, zmm0, [rsi + rcx + 0]", "vpaddq zmm1, zmm1, [rsi + rcx + 64]", "vpaddq zmm2, zmm2, [rsi + rcx + 128]", "vpaddq zmm3, zmm3, [rsi + rcx + 192]", "add rcx, 256"],
    [".irp i, 0,1,2,3,4,5,6,7", "vmovdqu64 [rax + 64*\\i], zmm\\i", ".endr"]
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    avx2_4streams,
    streams 4,
    avx2,
    [".irp i, 0,1,2,3,4,5,6,7", "vpxor xmm\\i, xmm\\i, xmm\\i", ".endr"],
    ["vpaddq ymm0, ymm0, [rsi + rcx]", "vpaddq ymm1, ymm1, [rsi + rcx + 32]", "vpaddq ymm2, ymm2, [rdi + rcx]", "vpaddq ymm3, ymm3, [rdi + rcx + 32]", "vpaddq ymm4, ymm4, [r10 + rcx]", "vpaddq ymm5, ymm5, [r10 + rcx + 32]", "vpaddq ymm6, ymm6, [r11 + rcx]", "vpaddq ymm7, ymm7, [r11 + rcx + 32]", "add rcx, 64"],
    [".irp i, 0,1,2,3,4,5,6,7", "vmovdqu [rax + 32*\\i], ymm\\i", ".endr"]
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
sum!(
    avx512_4streams,
    streams 4,
    avx512,
    [".irp i, 0,1,2,3,4,5,6,7", "vpxor xmm\\i, xmm\\i, xmm\\i", ".endr"],
    ["vpaddq zmm0, zmm0, [rsi + rcx]", "vpaddq zmm1, zmm1, [rdi + rcx]", "vpaddq zmm2, zmm2, [r10 + rcx]", "vpaddq zmm3, zmm3, [r11 + rcx]", "add rcx, 64"],
    [".irp i, 0,1,2,3,4,5,6,7", "vmovdqu64 [rax + 64*\\i], zmm\\i", ".endr"]
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
sum!(neon, "ldp");
#[cfg(all(target_arch = "aarch64", not(miri)))]
sum!(neon_ldnp, "ldnp");
