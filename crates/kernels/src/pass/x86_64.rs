//! x86-64: the loops of the memory kernels. A block is four lines; one instruction group per vector width.
//!
//! Registers, the same in every loop so that the snapshots read alike: `rdi` `rsi` `rdx` the ends of parts 0, 1 and 2,
//! `rcx` the offset from there, counting up to zero; vector register 15 the pass's constant in every element.

/// Defines a variant that writes: `pass!(name, Stream, isa, store, ["instructions for one vector"])`. In the instructions
/// `\x` is a vector register, `\k` the pass's constant, `\o` how far into each part the vector lies, and `\store` the
/// instruction that stores: `cached`, or `streaming` past the caches.
macro_rules! pass {
    (@vectors sse2) => {
        ".irp x, xmm0\n .irp k, xmm15\n .irp o, 0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240"
    };
    (@vectors avx2) => { ".irp x, ymm0\n .irp k, ymm15\n .irp o, 0,32,64,96,128,160,192,224" };
    (@vectors avx512) => { ".irp x, zmm0\n .irp k, zmm15\n .irp o, 0,64,128,192" };
    (@store sse2 cached) => { ".irp store, movapd" };
    (@store sse2 streaming) => { ".irp store, movntpd" };
    (@store $avx:ident cached) => { ".irp store, vmovapd" };
    (@store $avx:ident streaming) => { ".irp store, vmovntpd" };
    (@broadcast sse2) => { "unpcklpd xmm15, xmm15" };
    (@broadcast avx2) => { "vbroadcastsd ymm15, xmm15" };
    (@broadcast avx512) => { "vbroadcastsd zmm15, xmm15" };
    (@leave sse2) => { "" };
    (@leave avx2) => { "vzeroupper" };
    (@leave avx512) => { "vzeroupper" };
    ($name:ident, $stream:ty, $isa:ident, $store:ident, [$($vector:literal),+ $(,)?]) => {
        #[inline(never)]
        fn $name(memory: &mut [$crate::line::Line], steps: u64) -> u64 {
            $crate::pass::stream::<$stream>(memory, steps, |parts, k| {
                let lines = parts.lines / $crate::pass::BLOCK * $crate::pass::BLOCK;
                if lines == 0 {
                    return 0;
                }
                // SAFETY: only a `get` that saw the feature hands this function out. Reads parts 1 and 2, writes part
                // 0, never beyond `lines` lines. Orders nothing but its own streaming stores: `sfence` drains them,
                // so that their cost falls into the pass. No `nomem`/`readonly`: it reads and writes memory.
                // No `preserves_flags`: the loop counts in them. No `pure`: it is run for its effect.
                // Vector registers of a wider set share the declared ones; `vzeroupper` spares later SSE code a
                // penalty.
                unsafe {
                    std::arch::asm!(
                        pass!(@broadcast $isa),
                        ".p2align 6",
                        "2:",
                        pass!(@store $isa $store),
                        pass!(@vectors $isa),
                        $($vector,)+
                        ".endr",
                        ".endr",
                        ".endr",
                        ".endr",
                        "add rcx, 256",
                        "jnz 2b",
                        "sfence",
                        pass!(@leave $isa),
                        in("rdi") parts.a.wrapping_add(lines),
                        in("rsi") parts.b.wrapping_add(lines),
                        in("rdx") parts.c.wrapping_add(lines),
                        inlateout("rcx") (lines * $crate::line::Line::BYTES).wrapping_neg() => _,
                        inlateout("xmm15") k => _,
                        out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                        out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                        options(nostack)
                    );
                }
                lines
            })
        }
    };
}

/// Defines a variant that only reads, in one stream or four: `sum!(name, streams, isa, "instructions for one block")`.
/// The passes are a loop of the assembly too, so that the sums stay in registers between them.
macro_rules! sum {
    (@clear sse2) => { ".irp i, 0,1,2,3,4,5,6,7\n pxor xmm\\i, xmm\\i\n .endr" };
    (@clear $avx:ident) => { ".irp i, 0,1,2,3,4,5,6,7\n vpxor xmm\\i, xmm\\i, xmm\\i\n .endr" };
    (@store sse2) => { ".irp i, 0,1,2,3,4,5,6,7\n movdqu [rax + 16*\\i], xmm\\i\n .endr" };
    (@store avx2) => { ".irp i, 0,1,2,3,4,5,6,7\n vmovdqu [rax + 32*\\i], ymm\\i\n .endr" };
    (@store avx512) => { ".irp i, 0,1,2,3,4,5,6,7\n vmovdqu64 [rax + 64*\\i], zmm\\i\n .endr" };
    ($name:ident, streams $streams:literal, $isa:ident, $($block:literal),+ $(,)?) => {
        #[inline(never)]
        fn $name(memory: &mut [$crate::line::Line], steps: u64) -> u64 {
            let lines = memory.len() / $crate::pass::BLOCK * $crate::pass::BLOCK;
            let (head, tail) = memory.split_at(lines);
            let mut sums = [0u64; 64];
            // One stream walks the head by blocks; four walk a quarter each by lines.
            let share = lines / $streams;
            let at = |quarter: usize| head.as_ptr().wrapping_add(share * (quarter + 1).min($streams));
            if lines != 0 && steps != 0 {
                // SAFETY: only a `get` that saw the feature hands this function out. Reads `head` and nothing else,
                // writes at most 64 words to `sums`. Orders nothing. No `nomem`/`readonly`: it reads memory and
                // writes `sums`.
                // No `preserves_flags`: the loops count in them. No `pure`: it is run for its effect.
                unsafe {
                    std::arch::asm!(
                        sum!(@clear $isa),
                        "2:",
                        "mov rcx, r9",
                        ".p2align 6",
                        "3:",
                        $($block,)+
                        "jnz 3b",
                        "dec r8",
                        "jnz 2b",
                        sum!(@store $isa),
                        pass!(@leave $isa),
                        in("rsi") at(0),
                        in("rdi") at(1),
                        in("r10") at(2),
                        in("r11") at(3),
                        in("rax") &raw mut sums,
                        in("r9") (share * $crate::line::Line::BYTES).wrapping_neg(),
                        inlateout("r8") steps => _,
                        out("rcx") _,
                        out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                        out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                        options(nostack)
                    );
                }
            }
            let tail = $crate::pass::sum_words(tail, steps);
            sums.iter().fold(tail, |s, x| s.wrapping_add(*x))
        }
    };
}
