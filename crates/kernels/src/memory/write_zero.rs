//! Stores zeros by ordinary stores: `write` but for the content. Never published as the bandwidth of writing.
//! Beside `write` it tells what writing zeros saves where no store goes past the caches; `zero` is the fastest way.
#[cfg(all(target_arch = "aarch64", not(miri)))]
use super::zero::neon;
use super::zero::{Zero, word};
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass,
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Stores zeros all over, by ordinary stores",
    work: Work::memory(1, 0, 1, 0),
    reference,
    variants: variants![
        word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512;
        aarch64: neon if neon, sve if sve
    ],
};

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Zero>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Zero,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movapd [rdi + rcx + \\o], xmm15",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Zero,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vmovapd [rdi + rcx + \\o], ymm15",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(avx512, Zero, avx512, ".irp o, 0,64,128,192", "vmovapd [rdi + rcx + \\o], zmm15", ".endr",);

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(sve, Zero, "st1d {{z31.d}}, p0, [x0, \\o]");
