//! Stores a non-zero pattern past the caches: no read of the line first.
//!
//! `rep stosb` is among these and not among the ordinary stores: for parts beyond the caches processors carry it out without
//! reading the lines it overwrites, as the times of such parts show.
use super::write::{Write, word};
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass,
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Stores a repeated non-zero byte all over, past the caches",
    work: Work::memory(1, 0, 1, 0),
    reference,
    variants: variants![
        // Ordinary stores, where the architecture offers nothing else: a fallback, not a measurement of the same thing.
        plain = word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512, rep_stosb;
        aarch64: neon_stnp if neon, sve_stnt1 if sve
    ],
};

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Write>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Write,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movntpd [rdi + rcx + \\o], xmm15",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Write,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vmovntpd [rdi + rcx + \\o], ymm15",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(avx512, Write, avx512, ".irp o, 0,64,128,192", "vmovntpd [rdi + rcx + \\o], zmm15", ".endr",);
/// One instruction for everything; the processor chooses how, and for large slices usually past the caches.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn rep_stosb(memory: &mut [Line], steps: u64) -> u64 {
    pass::stream::<Write>(memory, steps, |parts, k| {
        // SAFETY: writes the `lines` lines of part 0. Orders nothing. No `nomem`/`readonly`: it writes memory.
        // `preserves_flags`: it changes none; the direction flag is clear at every asm block, as the calling
        // convention promises.
        unsafe {
            std::arch::asm!(
                "rep stosb",
                inlateout("rdi") parts.a => _,
                inlateout("rcx") parts.lines * Line::BYTES => _,
                in("al") k.to_bits() as u8,
                options(nostack, preserves_flags)
            );
        }
        parts.lines
    })
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(neon_stnp, Write, ".irp o, 0,32,64,96,128,160,192,224", "stnp q31, q31, [x0, #\\o]", ".endr",);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(sve_stnt1, Write, "stnt1d {{z31.d}}, p0, [x0, \\o]");
