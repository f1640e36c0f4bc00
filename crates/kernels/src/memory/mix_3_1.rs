//! Three reads for one write, also on the memory bus: two parts are read and added to another in place.
//! See `mix_1_1` for why in place.
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass::{self, Stream},
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Adds parts 1 and 2 to part 0",
    work: Work::memory(3, 3, 1, 2),
    reference,
    variants: variants![
        word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512;
        aarch64: neon if neon, sve if sve
    ],
};

#[derive(Debug)]
struct Mix31;
impl Stream for Mix31 {
    const PARTS: usize = 3;
    const UPDATES: bool = true;
    #[inline(always)]
    fn element(_k: f64, a: f64, b: f64, c: f64) -> f64 {
        a + b + c
    }
}

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Mix31>(memory, steps)
}

/// One element at a time.
#[inline(never)]
fn word(memory: &mut [Line], steps: u64) -> u64 {
    pass::word::<Mix31>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Mix31,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movapd xmm0, [rdi + rcx + \\o]",
    "addpd xmm0, [rsi + rcx + \\o]",
    "addpd xmm0, [rdx + rcx + \\o]",
    "movapd [rdi + rcx + \\o], xmm0",
    ".endr",
);

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Mix31,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vmovapd ymm0, [rdi + rcx + \\o]",
    "vaddpd ymm0, ymm0, [rsi + rcx + \\o]",
    "vaddpd ymm0, ymm0, [rdx + rcx + \\o]",
    "vmovapd [rdi + rcx + \\o], ymm0",
    ".endr",
);

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx512,
    Mix31,
    avx512,
    ".irp o, 0,64,128,192",
    "vmovapd zmm0, [rdi + rcx + \\o]",
    "vaddpd zmm0, zmm0, [rsi + rcx + \\o]",
    "vaddpd zmm0, zmm0, [rdx + rcx + \\o]",
    "vmovapd [rdi + rcx + \\o], zmm0",
    ".endr",
);

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(
    neon,
    Mix31,
    ".irp o, 0,32,64,96,128,160,192,224",
    "ldp q0, q1, [x0, #\\o]",
    "ldp q2, q3, [x1, #\\o]",
    "fadd v0.2d, v0.2d, v2.2d",
    "fadd v1.2d, v1.2d, v3.2d",
    "ldp q2, q3, [x2, #\\o]",
    "fadd v0.2d, v0.2d, v2.2d",
    "fadd v1.2d, v1.2d, v3.2d",
    "stp q0, q1, [x0, #\\o]",
    ".endr",
);

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(
    sve,
    Mix31,
    "ld1d {{z0.d}}, p0/z, [x0, \\o]",
    "ld1d {{z1.d}}, p0/z, [x1, \\o]",
    "fadd z0.d, z0.d, z1.d",
    "ld1d {{z1.d}}, p0/z, [x2, \\o]",
    "fadd z0.d, z0.d, z1.d",
    "st1d {{z0.d}}, p0, [x0, \\o]"
);
