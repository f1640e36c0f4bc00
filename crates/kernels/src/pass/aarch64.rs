//! aarch64: the loops of the memory kernels. A block is four lines, moved by pairs of 16-byte registers.
//!
//! Registers, the same in every loop so that the snapshots read alike: `x0` `x1` `x2` parts 0, 1 and 2, `x3` the
//! lines left, `v31` the pass's constant in both elements.

/// Defines a variant that writes: `pass!(name, Stream, store, ["instructions for two vectors"])`. In the instructions `\o`
/// is how far into each part the vectors lie; `\load` and `\store` move a pair of registers: `cached`, or `streaming` with
/// the hint that the lines will not be used again.
macro_rules! pass {
    (@pairs cached) => { ".irp load, ldp\n .irp store, stp" };
    (@pairs streaming) => { ".irp load, ldnp\n .irp store, stnp" };
    ($name:ident, $stream:ty, $store:ident, [$($pair:literal),+ $(,)?]) => {
        #[inline(never)]
        pub(crate) fn $name(memory: &mut [$crate::line::Line], steps: u64) -> u64 {
            $crate::pass::stream::<$stream>(memory, steps, |parts, k| {
                let lines = parts.lines / $crate::pass::BLOCK * $crate::pass::BLOCK;
                if lines == 0 {
                    return 0;
                }
                // SAFETY: only a `get` that saw the feature hands this function out. Reads parts 1 and 2, writes part
                // 0, never beyond `lines` lines. Orders nothing: `stnp` is only a hint and needs no fence of its own.
                // No `nomem`/`readonly`: it reads and writes memory. No `preserves_flags`: the loop counts in them.
                // No `pure`: it is run for its effect.
                unsafe {
                    std::arch::asm!(
                        "dup v31.2d, v31.d[0]",
                        ".p2align 6",
                        "2:",
                        pass!(@pairs $store),
                        ".irp o, 0,32,64,96,128,160,192,224",
                        $($pair,)+
                        ".endr",
                        ".endr",
                        ".endr",
                        "add x0, x0, #256",
                        "add x1, x1, #256",
                        "add x2, x2, #256",
                        "subs x3, x3, #4",
                        "b.ne 2b",
                        inlateout("x0") parts.a => _,
                        inlateout("x1") parts.b => _,
                        inlateout("x2") parts.c => _,
                        inlateout("x3") lines => _,
                        inlateout("v31") k => _,
                        out("v0") _, out("v1") _, out("v2") _, out("v3") _,
                        options(nostack)
                    );
                }
                lines
            })
        }
    };
}

/// Defines a variant that only reads, by this pair load: `sum!(name, "ldp")`.
/// The passes are a loop of the assembly too, so that the sums stay in registers between them.
macro_rules! sum {
    ($name:ident, $load:literal) => {
        #[inline(never)]
        fn $name(memory: &mut [$crate::line::Line], steps: u64) -> u64 {
            let lines = memory.len() / $crate::pass::BLOCK * $crate::pass::BLOCK;
            let (head, tail) = memory.split_at(lines);
            let mut sums = [0u64; 16];
            if lines != 0 && steps != 0 {
                // SAFETY: only a `get` that saw the feature hands this function out. Reads `head` and nothing else,
                // writes the 16 words of `sums`. Orders nothing. No `nomem`/`readonly`: it reads memory and writes
                // `sums`.
                // No `preserves_flags`: the loops count in them. No `pure`: it is run for its effect.
                unsafe {
                    std::arch::asm!(
                        ".irp i, 0,1,2,3,4,5,6,7",
                        "movi v\\i\\().2d, #0",
                        ".endr",
                        "2:",
                        "mov x1, x0",
                        "mov x2, x3",
                        ".p2align 6",
                        "3:",
                        concat!($load, " q16, q17, [x1]"),
                        concat!($load, " q18, q19, [x1, #32]"),
                        concat!($load, " q20, q21, [x1, #64]"),
                        concat!($load, " q22, q23, [x1, #96]"),
                        concat!($load, " q24, q25, [x1, #128]"),
                        concat!($load, " q26, q27, [x1, #160]"),
                        concat!($load, " q28, q29, [x1, #192]"),
                        concat!($load, " q30, q31, [x1, #224]"),
                        "add v0.2d, v0.2d, v16.2d",
                        "add v1.2d, v1.2d, v17.2d",
                        "add v2.2d, v2.2d, v18.2d",
                        "add v3.2d, v3.2d, v19.2d",
                        "add v4.2d, v4.2d, v20.2d",
                        "add v5.2d, v5.2d, v21.2d",
                        "add v6.2d, v6.2d, v22.2d",
                        "add v7.2d, v7.2d, v23.2d",
                        "add v0.2d, v0.2d, v24.2d",
                        "add v1.2d, v1.2d, v25.2d",
                        "add v2.2d, v2.2d, v26.2d",
                        "add v3.2d, v3.2d, v27.2d",
                        "add v4.2d, v4.2d, v28.2d",
                        "add v5.2d, v5.2d, v29.2d",
                        "add v6.2d, v6.2d, v30.2d",
                        "add v7.2d, v7.2d, v31.2d",
                        "add x1, x1, #256",
                        "subs x2, x2, #4",
                        "b.ne 3b",
                        "subs x4, x4, #1",
                        "b.ne 2b",
                        "stp q0, q1, [x5]",
                        "stp q2, q3, [x5, #32]",
                        "stp q4, q5, [x5, #64]",
                        "stp q6, q7, [x5, #96]",
                        in("x0") head.as_ptr(),
                        out("x1") _,
                        out("x2") _,
                        in("x3") lines,
                        inlateout("x4") steps => _,
                        in("x5") &raw mut sums,
                        out("v0") _, out("v1") _, out("v2") _, out("v3") _,
                        out("v4") _, out("v5") _, out("v6") _, out("v7") _,
                        out("v16") _, out("v17") _, out("v18") _, out("v19") _,
                        out("v20") _, out("v21") _, out("v22") _, out("v23") _,
                        out("v24") _, out("v25") _, out("v26") _, out("v27") _,
                        out("v28") _, out("v29") _, out("v30") _, out("v31") _,
                        options(nostack)
                    );
                }
            }
            let tail = $crate::pass::sum_words(tail, steps);
            sums.iter().fold(tail, |s, x| s.wrapping_add(*x))
        }
    };
}
