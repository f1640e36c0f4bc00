//! A pass over the equal parts of a slice: the frame of all memory kernels on every architecture.
//!
//! A kernel defines the operation on one element ([`Stream`]); its reference and its portable variant follow from that. The
//! assembly variants do whole blocks of lines, and leave the last few lines to the portable code.
use crate::line::Line;

#[cfg(all(target_arch = "aarch64", not(miri)))]
#[macro_use]
#[path = "pass/aarch64.rs"]
pub(crate) mod this;
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[macro_use]
#[path = "pass/aarch64_sve.rs"]
pub(crate) mod scalable;
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[macro_use]
#[path = "pass/x86_64.rs"]
pub(crate) mod this;

/// Lines per iteration of an assembly loop.
#[allow(dead_code, reason = "assembly variants only")]
pub(crate) const BLOCK: usize = 4;

/// Defines a kernel that writes, in a module of its name, and its twin whose stores go past the caches, where there is
/// one. Where the architecture has no such stores, the twin does ordinary ones as `plain`: a fallback, not a measurement
/// of the same thing.
macro_rules! stream {
    (
        $(#[doc = $about:literal])+
        $name:ident: parts $parts:literal, reads $reads:literal, flops $flops:literal,
            |$k:tt, $a:tt, $b:tt, $c:tt| $element:expr;
        $(constant |$pass:ident, $lines:ident| $constant:block)?
        sse2 $sse2:tt
        avx $avx:tt
        neon $neon:tt
        sve $sve:tt
        $(
            $(#[doc = $nt_about:literal])+
            past_the_caches $nt:ident;
            $(string_instruction $string:ident($memory:ident, $steps:ident) $code:block)?
        )?
    ) => {
        pub mod $name {
            use super::*;

            pub static KERNEL: Kernel = Kernel {
                about: concat!($($about, "\n"),+),
                work: Work::memory($parts, $reads, 1, $flops),
                reference: pass::reference::<Element>,
                variants: variants![
                    word;
                    x86_64: sse2, avx2 if avx2, avx512 if avx512;
                    aarch64: neon if neon, sve if sve
                ],
            };

            #[derive(Debug)]
            pub(super) struct Element;
            impl Stream for Element {
                const PARTS: usize = $parts;
                const UPDATES: bool = $reads == $parts;
                $(fn constant($pass: u64, $lines: usize) -> f64 $constant)?
                #[inline(always)]
                fn element($k: f64, $a: f64, $b: f64, $c: f64) -> f64 {
                    $element
                }
            }

            #[inline(never)]
            pub(super) fn word(memory: &mut [Line], steps: u64) -> u64 {
                pass::word::<Element>(memory, steps)
            }

            stream!(@loops cached, neon, sve, $sse2 $avx $neon $sve);
        }
        $(
            pub mod $nt {
                use super::{*, $name::{Element, word}};

                pub static KERNEL: Kernel = Kernel {
                    about: concat!($($nt_about, "\n"),+),
                    work: $name::KERNEL.work,
                    reference: pass::reference::<Element>,
                    variants: variants![
                        plain = word;
                        x86_64: sse2, avx2 if avx2, avx512 if avx512 $(, $string)?;
                        aarch64: neon_stnp if neon, sve_stnt1 if sve
                    ],
                };

                stream!(@loops streaming, neon_stnp, sve_stnt1, $sse2 $avx $neon $sve);

                $(
                    #[cfg(all(target_arch = "x86_64", not(miri)))]
                    #[inline(never)]
                    fn $string($memory: &mut [Line], $steps: u64) -> u64 $code
                )?
            }
        )?
    };
    (@loops $store:ident, $neon_name:ident, $sve_name:ident, $sse2:tt $avx:tt $neon:tt $sve:tt) => {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        pass!(sse2, Element, sse2, $store, $sse2);
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        pass!(avx2, Element, avx2, $store, $avx);
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        pass!(avx512, Element, avx512, $store, $avx);
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        pass!($neon_name, Element, $store, $neon);
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        pass_sve!($sve_name, Element, $store, $sve);
    };
}

/// STREAM's scalar.
pub(crate) const SCALAR: f64 = 3.0;

/// The operation of a writing kernel on one element of its parts.
pub(crate) trait Stream {
    /// Parts, the written one included.
    const PARTS: usize;
    /// The constant of one pass.
    fn constant(_pass: u64, _lines: usize) -> f64 {
        SCALAR
    }
    /// Whether the written element depends on its old value, so that part 0 is read too.
    const UPDATES: bool = false;
    /// The written element, from the pass's constant, its old value if the kernel updates, and the elements of parts 1 and 2
    /// if there are any.
    fn element(k: f64, a: f64, b: f64, c: f64) -> f64;
}

/// Addresses of the parts and their number of lines. A missing part repeats part 0 and is never read.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) a: *mut Line,
    pub(crate) b: *const Line,
    pub(crate) c: *const Line,
    pub(crate) lines: usize,
}

impl Parts {
    #[inline(always)]
    fn split(memory: &mut [Line], parts: usize) -> Parts {
        let lines = memory.len() / parts;
        let a = memory.as_mut_ptr();
        let at =
            |part: usize| a.wrapping_add(if part < parts { part * lines } else { 0 }).cast_const();
        Parts { a, b: at(1), c: at(2), lines }
    }
}

/// `steps` passes in which `head` does the first whole blocks of each part and volatile words do the rest.
///
/// `head` returns how many lines it did and may do none.
#[inline(always)]
pub(crate) fn stream<S: Stream>(
    memory: &mut [Line],
    steps: u64,
    head: impl Fn(Parts, f64) -> usize,
) -> u64 {
    let parts = Parts::split(memory, S::PARTS);
    for pass in 0..steps {
        let k = S::constant(pass, parts.lines);
        let done = head(parts, k);
        words::<S>(parts, done, k);
    }
    checksum(memory, S::PARTS)
}

/// Lines `from..` of each part, one 8-byte access at a time.
#[inline(always)]
fn words<S: Stream>(parts: Parts, from: usize, k: f64) {
    let read = |part: *const Line, at: usize| {
        // SAFETY: `at` is below the words of a part, which lies in the slice `Parts::split` borrowed.
        let word = unsafe { part.cast::<f64>().add(at) };
        // SAFETY: the same; the memory is initialised and aligned. Volatile: one load, neither dropped nor merged.
        unsafe { word.read_volatile() }
    };
    for at in from * 8..parts.lines * 8 {
        let a = if S::UPDATES { read(parts.a, at) } else { 0.0 };
        let b = if S::PARTS > 1 { read(parts.b, at) } else { 0.0 };
        let c = if S::PARTS > 2 { read(parts.c, at) } else { 0.0 };
        let value = S::element(k, a, b, c);
        // SAFETY: as for the reads.
        let word = unsafe { parts.a.cast::<f64>().add(at) };
        // SAFETY: the same, and part 0 is borrowed mutably. Volatile: one store per element and pass.
        unsafe { word.write_volatile(value) };
    }
}

/// Fills part 0 with the lowest byte of the constant by one instruction; the processor chooses how.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
pub(crate) fn rep_stosb<S: Stream>(memory: &mut [Line], steps: u64) -> u64 {
    stream::<S>(memory, steps, |parts, k| {
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

/// The portable variant: every element by one 8-byte access.
#[inline(always)]
pub(crate) fn word<S: Stream>(memory: &mut [Line], steps: u64) -> u64 {
    stream::<S>(memory, steps, |_, _| 0)
}

/// The reference of every variant, in plain Rust.
pub(crate) fn reference<S: Stream>(memory: &mut [Line], steps: u64) -> u64 {
    let lines = memory.len() / S::PARTS;
    for pass in 0..steps {
        let k = S::constant(pass, lines);
        for line in 0..lines {
            for word in 0..8 {
                let part = |p: usize| {
                    if p < S::PARTS {
                        f64::from_bits(memory[p * lines + line].0[word])
                    } else {
                        0.0
                    }
                };
                memory[line].0[word] = S::element(k, part(0), part(1), part(2)).to_bits();
            }
        }
    }
    checksum(memory, S::PARTS)
}

/// The ends of part 0, cheap enough for a timed call; the tests compare all of the memory.
fn checksum(memory: &[Line], parts: usize) -> u64 {
    match &memory[..memory.len() / parts] {
        [] => 0,
        [one] => one.0[0] ^ one.0[7].rotate_left(1),
        [first, .., last] => first.0[0] ^ last.0[7].rotate_left(1),
    }
}

/// Adds up the words of `lines`, `steps` times, one 8-byte load each.
#[inline(always)]
pub(crate) fn sum_words(lines: &[Line], steps: u64) -> u64 {
    let mut sums = [0u64; 4];
    for _ in 0..steps {
        for line in lines {
            for (i, word) in line.0.iter().enumerate() {
                // SAFETY: `word` is a live reference. Volatile: one load, neither dropped, merged nor widened.
                let word = unsafe { std::ptr::from_ref(word).read_volatile() };
                sums[i % 4] = sums[i % 4].wrapping_add(word);
            }
        }
    }
    sums.iter().fold(0, |s, x| s.wrapping_add(*x))
}
