//! The kernels that read and write memory, as a table: one row per pair of a kernel and its twin past the caches.
//!
//! `k` is the constant of a pass, `a` the element of part 0, which is written, `b` and `c` those of parts 1 and 2. The
//! instructions are those of one vector (neon: of two); `pass/` explains the registers and `\x`, `\k`, `\o`, `\load` and
//! `\store`. Kernels of another form have files of their own.
use crate::{
    arena::mix,
    kernel::{Kernel, Work},
    line::Line,
    pass::{self, Stream},
};

pub mod copy_libc;
pub mod read;
pub mod write_zero;
pub mod zero;

/// Every kernel and its id.
pub static ALL: &[(&str, &Kernel)] = kernels![
    add, add_nt, copy, copy_libc, copy_nt, mix_1_1, mix_2_1, mix_3_1, read, scale, scale_nt, triad,
    triad_nt, write, write_nt, write_zero, zero,
];

stream! {
    /// STREAM copy: `a = b`. Ordinary stores, which first read the line they will overwrite (not counted as work).
    copy: parts 2, reads 1, flops 0, |_, _, b, _| b;
    sse2 [r"movapd \x, [rsi + rcx + \o]", r"\store [rdi + rcx + \o], \x"]
    avx [r"vmovapd \x, [rsi + rcx + \o]", r"\store [rdi + rcx + \o], \x"]
    neon [r"\load q0, q1, [x1, #\o]", r"\store q0, q1, [x0, #\o]"]
    sve [r"ld1d {{z0.d}}, p0/z, [x1, \o]", r"\store {{z0.d}}, p0, [x0, \o]"]

    /// STREAM copy with stores past the caches: no read of the line first.
    ///
    /// `rep movsb` is among these and not among the ordinary stores: for parts beyond the caches processors carry it out
    /// without reading the lines it overwrites, as the times of such parts show.
    past_the_caches copy_nt;
    string_instruction rep_movsb(memory, steps) {
        pass::stream::<Element>(memory, steps, |parts, _| {
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
}

stream! {
    /// STREAM scale: `a = 3 b`.
    scale: parts 2, reads 1, flops 1, |k, _, b, _| k * b;
    sse2 [r"movapd \x, [rsi + rcx + \o]", r"mulpd \x, \k", r"\store [rdi + rcx + \o], \x"]
    avx [r"vmulpd \x, \k, [rsi + rcx + \o]", r"\store [rdi + rcx + \o], \x"]
    neon [
        r"\load q0, q1, [x1, #\o]",
        r"fmul v0.2d, v0.2d, v31.2d",
        r"fmul v1.2d, v1.2d, v31.2d",
        r"\store q0, q1, [x0, #\o]",
    ]
    sve [
        r"ld1d {{z0.d}}, p0/z, [x1, \o]",
        r"fmul z0.d, z0.d, z31.d",
        r"\store {{z0.d}}, p0, [x0, \o]",
    ]

    /// STREAM scale with stores past the caches.
    past_the_caches scale_nt;
}

stream! {
    /// STREAM add: `a = b + c`. A real addition of two arrays; some versions of lmbench print a sum of one under this
    /// name.
    add: parts 3, reads 2, flops 1, |_, _, b, c| b + c;
    sse2 [
        r"movapd \x, [rsi + rcx + \o]",
        r"addpd \x, [rdx + rcx + \o]",
        r"\store [rdi + rcx + \o], \x",
    ]
    avx [
        r"vmovapd \x, [rsi + rcx + \o]",
        r"vaddpd \x, \x, [rdx + rcx + \o]",
        r"\store [rdi + rcx + \o], \x",
    ]
    neon [
        r"\load q0, q1, [x1, #\o]",
        r"\load q2, q3, [x2, #\o]",
        r"fadd v0.2d, v0.2d, v2.2d",
        r"fadd v1.2d, v1.2d, v3.2d",
        r"\store q0, q1, [x0, #\o]",
    ]
    sve [
        r"ld1d {{z0.d}}, p0/z, [x1, \o]",
        r"ld1d {{z1.d}}, p0/z, [x2, \o]",
        r"fadd z0.d, z0.d, z1.d",
        r"\store {{z0.d}}, p0, [x0, \o]",
    ]

    /// STREAM add with stores past the caches.
    past_the_caches add_nt;
}

stream! {
    /// STREAM triad: `a = b + 3 c`, rounded after the product like the original; no fused multiply-add.
    triad: parts 3, reads 2, flops 2, |k, _, b, c| b + k * c;
    sse2 [
        r"movapd \x, [rdx + rcx + \o]",
        r"mulpd \x, \k",
        r"addpd \x, [rsi + rcx + \o]",
        r"\store [rdi + rcx + \o], \x",
    ]
    avx [
        r"vmulpd \x, \k, [rdx + rcx + \o]",
        r"vaddpd \x, \x, [rsi + rcx + \o]",
        r"\store [rdi + rcx + \o], \x",
    ]
    neon [
        r"\load q0, q1, [x2, #\o]",
        r"\load q2, q3, [x1, #\o]",
        r"fmul v0.2d, v0.2d, v31.2d",
        r"fmul v1.2d, v1.2d, v31.2d",
        r"fadd v0.2d, v0.2d, v2.2d",
        r"fadd v1.2d, v1.2d, v3.2d",
        r"\store q0, q1, [x0, #\o]",
    ]
    sve [
        r"ld1d {{z0.d}}, p0/z, [x2, \o]",
        r"ld1d {{z1.d}}, p0/z, [x1, \o]",
        r"fmul z0.d, z0.d, z31.d",
        r"fadd z0.d, z0.d, z1.d",
        r"\store {{z0.d}}, p0, [x0, \o]",
    ]

    /// STREAM triad with stores past the caches.
    past_the_caches triad_nt;
}

stream! {
    /// One read for one write, also on the memory bus: every line is read, changed and written back in place.
    ///
    /// An ordinary store reads its line first. Where the program reads that line anyway nothing moves that is not
    /// counted, so the ratio in the name is the ratio of the traffic.
    mix_1_1: parts 1, reads 1, flops 1, |k, a, _, _| a + k;
    sse2 [r"movapd \x, [rdi + rcx + \o]", r"addpd \x, \k", r"\store [rdi + rcx + \o], \x"]
    avx [r"vaddpd \x, \k, [rdi + rcx + \o]", r"\store [rdi + rcx + \o], \x"]
    neon [
        r"\load q0, q1, [x0, #\o]",
        r"fadd v0.2d, v0.2d, v31.2d",
        r"fadd v1.2d, v1.2d, v31.2d",
        r"\store q0, q1, [x0, #\o]",
    ]
    sve [
        r"ld1d {{z0.d}}, p0/z, [x0, \o]",
        r"fadd z0.d, z0.d, z31.d",
        r"\store {{z0.d}}, p0, [x0, \o]",
    ]
}

stream! {
    /// Two reads for one write, also on the memory bus: one part is read and added to another in place.
    /// See `mix_1_1` for why in place.
    mix_2_1: parts 2, reads 2, flops 1, |_, a, b, _| a + b;
    sse2 [
        r"movapd \x, [rdi + rcx + \o]",
        r"addpd \x, [rsi + rcx + \o]",
        r"\store [rdi + rcx + \o], \x",
    ]
    avx [
        r"vmovapd \x, [rdi + rcx + \o]",
        r"vaddpd \x, \x, [rsi + rcx + \o]",
        r"\store [rdi + rcx + \o], \x",
    ]
    neon [
        r"\load q0, q1, [x0, #\o]",
        r"\load q2, q3, [x1, #\o]",
        r"fadd v0.2d, v0.2d, v2.2d",
        r"fadd v1.2d, v1.2d, v3.2d",
        r"\store q0, q1, [x0, #\o]",
    ]
    sve [
        r"ld1d {{z0.d}}, p0/z, [x0, \o]",
        r"ld1d {{z1.d}}, p0/z, [x1, \o]",
        r"fadd z0.d, z0.d, z1.d",
        r"\store {{z0.d}}, p0, [x0, \o]",
    ]
}

stream! {
    /// Three reads for one write, also on the memory bus: two parts are read and added to another in place.
    /// See `mix_1_1` for why in place.
    mix_3_1: parts 3, reads 3, flops 2, |_, a, b, c| a + b + c;
    sse2 [
        r"movapd \x, [rdi + rcx + \o]",
        r"addpd \x, [rsi + rcx + \o]",
        r"addpd \x, [rdx + rcx + \o]",
        r"\store [rdi + rcx + \o], \x",
    ]
    avx [
        r"vmovapd \x, [rdi + rcx + \o]",
        r"vaddpd \x, \x, [rsi + rcx + \o]",
        r"vaddpd \x, \x, [rdx + rcx + \o]",
        r"\store [rdi + rcx + \o], \x",
    ]
    neon [
        r"\load q0, q1, [x0, #\o]",
        r"\load q2, q3, [x1, #\o]",
        r"fadd v0.2d, v0.2d, v2.2d",
        r"fadd v1.2d, v1.2d, v3.2d",
        r"\load q2, q3, [x2, #\o]",
        r"fadd v0.2d, v0.2d, v2.2d",
        r"fadd v1.2d, v1.2d, v3.2d",
        r"\store q0, q1, [x0, #\o]",
    ]
    sve [
        r"ld1d {{z0.d}}, p0/z, [x0, \o]",
        r"ld1d {{z1.d}}, p0/z, [x1, \o]",
        r"fadd z0.d, z0.d, z1.d",
        r"ld1d {{z1.d}}, p0/z, [x2, \o]",
        r"fadd z0.d, z0.d, z1.d",
        r"\store {{z0.d}}, p0, [x0, \o]",
    ]
}

stream! {
    /// Stores a non-zero pattern in every word.
    ///
    /// The pattern is a repeated byte, so that `rep stosb` can write it too, and never zero: some processors write zeros
    /// twice as fast.
    write: parts 1, reads 0, flops 0, |k, _, _, _| k;
    // A byte from 0x30 to 0x3f, other in neighbouring passes, eight times: as a double it is small, positive and normal.
    constant |pass, lines| {
        let byte = 0x30 | mix(pass.wrapping_add((lines as u64) << 32)) & 15;
        f64::from_bits(byte * 0x0101_0101_0101_0101)
    }
    sse2 [r"\store [rdi + rcx + \o], \k"]
    avx [r"\store [rdi + rcx + \o], \k"]
    neon [r"\store q31, q31, [x0, #\o]"]
    sve [r"\store {{z31.d}}, p0, [x0, \o]"]

    /// Stores a non-zero pattern past the caches: no read of the line first.
    ///
    /// `rep stosb` is among these and not among the ordinary stores: for parts beyond the caches processors carry it out
    /// without reading the lines it overwrites, as the times of such parts show.
    past_the_caches write_nt;
    string_instruction rep_stosb(memory, steps) {
        pass::rep_stosb::<Element>(memory, steps)
    }
}
