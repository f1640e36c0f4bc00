//! Stores zeros by streaming stores, by `rep stosb` and by `dc zva`.
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass::{self, Stream},
};

pub static KERNEL: Kernel = Kernel {
    about: "Stores zeros, the fastest way there is. Never published as the bandwidth of writing.

Some processors, and `dc zva` on aarch64, move lines of zeros with far less traffic than others;
the ratio to `write_nt` tells how far benchmarks on zeroed buffers are off.",
    work: Work::memory(1, 0, 1, 0),
    reference: pass::reference::<Zero>,
    variants: variants![
        word;
        x86_64: sse2_nt, avx2_nt if avx2, avx512_nt if avx512, rep_stosb;
        aarch64: neon if neon, zero_zva if zva
    ],
};

#[derive(Debug)]
pub(crate) struct Zero;
impl Stream for Zero {
    const PARTS: usize = 1;
    fn constant(_pass: u64, _lines: usize) -> f64 {
        0.0
    }
    #[inline(always)]
    fn element(k: f64, _a: f64, _b: f64, _c: f64) -> f64 {
        k
    }
}

#[inline(never)]
pub(crate) fn word(memory: &mut [Line], steps: u64) -> u64 {
    pass::word::<Zero>(memory, steps)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(sse2_nt, Zero, sse2, streaming, [r"\store [rdi + rcx + \o], \k"]);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(avx2_nt, Zero, avx2, streaming, [r"\store [rdi + rcx + \o], \k"]);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(avx512_nt, Zero, avx512, streaming, [r"\store [rdi + rcx + \o], \k"]);

/// One instruction for everything; the processor chooses how.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn rep_stosb(memory: &mut [Line], steps: u64) -> u64 {
    pass::rep_stosb::<Zero>(memory, steps)
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
pass!(neon, Zero, cached, [r"\store q31, q31, [x0, #\o]"]);

/// Whole blocks by `dc zva`, which never reads what it overwrites; the ends by words.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn zero_zva(memory: &mut [Line], steps: u64) -> u64 {
    let size = crate::arch::zva_bytes().unwrap_or(Line::BYTES);
    let lines = size / Line::BYTES;
    pass::stream::<Zero>(memory, steps, |parts, _| {
        let skip = (size - parts.a.addr() % size) % size / Line::BYTES;
        let blocks = parts.lines.saturating_sub(skip) / lines;
        if blocks == 0 {
            return 0;
        }
        for line in 0..skip {
            // SAFETY: `skip` lines lie before the first whole block, which lies in part 0.
            let line = unsafe { parts.a.add(line) };
            // SAFETY: the same. Volatile: once per pass, like everything else.
            unsafe { line.write_volatile(Line::ZERO) };
        }
        // SAFETY: only a `get` that saw that `dc zva` is allowed hands this function out. Writes `blocks`
        // blocks of `size` aligned bytes from `x0` on, all in part 0. Orders nothing. No `nomem`/`readonly`: it writes memory.
        // No `preserves_flags`: the loop counts in them.
        unsafe {
            std::arch::asm!(
                "2:",
                "dc zva, x0",
                "add x0, x0, x1",
                "subs x2, x2, #1",
                "b.ne 2b",
                inlateout("x0") parts.a.wrapping_add(skip) => _,
                in("x1") size,
                inlateout("x2") blocks => _,
                options(nostack)
            );
        }
        skip + blocks * lines
    })
}
