//! STREAM copy with stores past the caches: no read of the line first.
//!
//! `rep movsb` is among these and not among the ordinary stores: for parts beyond the caches processors carry it out without
//! reading the lines it overwrites, as the times of such parts show.
use super::copy::{Copy, word};
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass,
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Copies part 1 to part 0, past the caches",
    work: Work::memory(2, 1, 1, 0),
    reference,
    variants: variants![
        // Ordinary stores, where the architecture offers nothing else: a fallback, not a measurement of the same thing.
        plain = word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512, rep_movsb;
        aarch64: neon_stnp if neon, sve_stnt1 if sve
    ],
};

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Copy>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    sse2,
    Copy,
    sse2,
    ".irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240",
    "movapd xmm0, [rsi + rcx + \\o]",
    "movntpd [rdi + rcx + \\o], xmm0",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx2,
    Copy,
    avx2,
    ".irp o, 0,32,64,96,128,160,192,224",
    "vmovapd ymm0, [rsi + rcx + \\o]",
    "vmovntpd [rdi + rcx + \\o], ymm0",
    ".endr",
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(
    avx512,
    Copy,
    avx512,
    ".irp o, 0,64,128,192",
    "vmovapd zmm0, [rsi + rcx + \\o]",
    "vmovntpd [rdi + rcx + \\o], zmm0",
    ".endr",
);
/// One instruction for the whole part; the processor chooses how, and for large parts usually past the caches.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn rep_movsb(memory: &mut [Line], steps: u64) -> u64 {
    pass::stream::<Copy>(memory, steps, |parts, _| {
        // SAFETY: reads part 1, writes part 0, `lines` lines each; they do not overlap. Orders nothing.
        // No `nomem`/`readonly`: it reads and writes memory. `preserves_flags`: it changes none; the direction flag
        // is clear at every asm block, as the calling convention promises.
        unsafe {
            std::arch::asm!(
                "rep movsb",
                inlateout("rdi") parts.a => _,
                inlateout("rsi") parts.b => _,
                inlateout("rcx") parts.lines * Line::BYTES => _,
                options(nostack, preserves_flags)
            );
        }
        parts.lines
    })
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(
    neon_stnp,
    Copy,
    ".irp o, 0,32,64,96,128,160,192,224",
    "ldnp q0, q1, [x1, #\\o]",
    "stnp q0, q1, [x0, #\\o]",
    ".endr",
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(sve_stnt1, Copy, "ld1d {{z0.d}}, p0/z, [x1, \\o]", "stnt1d {{z0.d}}, p0, [x0, \\o]");
