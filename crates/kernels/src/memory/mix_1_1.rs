//! One read for one write, also on the memory bus: every line is read, changed and written back in place.
//!
//! An ordinary store reads its line first. Where the program reads that line anyway nothing moves that is not counted, so
//! the ratio in the name is the ratio of the traffic.
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass::{self, Stream},
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Adds 3 to part 0 in place",
    work: Work::memory(1, 1, 1, 1),
    reference,
    variants: variants![
        word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512;
        aarch64: neon if neon, sve if sve
    ],
};

#[derive(Debug)]
struct Mix11;
impl Stream for Mix11 {
    const PARTS: usize = 1;
    const UPDATES: bool = true;
    #[inline(always)]
    fn element(k: f64, a: f64, _b: f64, _c: f64) -> f64 {
        a + k
    }
}

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Mix11>(memory, steps)
}

/// One element at a time.
#[inline(never)]
fn word(memory: &mut [Line], steps: u64) -> u64 {
    pass::word::<Mix11>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Mix11,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movapd xmm0, [rdi + rcx + \\o]",
    "addpd xmm0, xmm15",
    "movapd [rdi + rcx + \\o], xmm0",
    ".endr",
);

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Mix11,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vaddpd ymm0, ymm15, [rdi + rcx + \\o]",
    "vmovapd [rdi + rcx + \\o], ymm0",
    ".endr",
);

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx512,
    Mix11,
    avx512,
    ".irp o, 0,64,128,192",
    "vaddpd zmm0, zmm15, [rdi + rcx + \\o]",
    "vmovapd [rdi + rcx + \\o], zmm0",
    ".endr",
);

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(
    neon,
    Mix11,
    ".irp o, 0,32,64,96,128,160,192,224",
    "ldp q0, q1, [x0, #\\o]",
    "fadd v0.2d, v0.2d, v31.2d",
    "fadd v1.2d, v1.2d, v31.2d",
    "stp q0, q1, [x0, #\\o]",
    ".endr",
);

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(
    sve,
    Mix11,
    "ld1d {{z0.d}}, p0/z, [x0, \\o]",
    "fadd z0.d, z0.d, z31.d",
    "st1d {{z0.d}}, p0, [x0, \\o]"
);
