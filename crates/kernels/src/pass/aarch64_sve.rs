//! aarch64: the loops of the memory kernels with scalable vectors.
//!
//! Registers as in `aarch64.rs`: `x0` `x1` `x2` parts 0, 1 and 2, `x3` what is left of them in bytes, `x4` the bytes of a
//! block, `p0` the elements that count, `z31` the pass's constant in all of its elements.

/// Defines a scalable variant that writes: `pass_sve!(name, Stream, store, ["instructions for one vector"])`. In the
/// instructions `\o` is how far into each part the vector lies, `p0` the elements that count, and `\store` the instruction
/// that stores: `cached`, or `streaming` with the hint that the lines will not be used again.
///
/// Nothing here knows how long a vector is. Sixteen vectors are a block, 256 bytes of the shortest and 4 KiB of the
/// longest; what is less than a block goes by one vector at a time, the last of them cut to what is left, so that a
/// part may be shorter than a vector.
macro_rules! pass_sve {
    (@store cached) => { ".irp store, st1d" };
    (@store streaming) => { ".irp store, stnt1d" };
    ($name:ident, $stream:ty, $store:ident, [$($vector:literal),+ $(,)?]) => {
        #[inline(never)]
        fn $name(memory: &mut [$crate::line::Line], steps: u64) -> u64 {
            $crate::pass::stream::<$stream>(memory, steps, |parts, k| {
                // SAFETY: only a `get` that saw the feature hands this function out. Reads parts 1 and 2, writes part
                // 0: whole blocks while `x3` bytes hold one, then elements below `x3`, which `whilelo` sees to.
                // Orders nothing: `stnt1d` is only a hint and needs no fence of its own.
                // `v0`, `v1` and `v31` stand for the whole vectors they are the low ends of: without the feature the
                // compiler keeps nothing above them. `.arch_extension` ends with the block.
                // No `nomem`/`readonly`: it reads and writes memory. No `preserves_flags`: the loops count in them.
                // No `pure`: it is run for its effect.
                unsafe {
                    std::arch::asm!(
                        ".arch_extension sve",
                        "ptrue p0.d",
                        "mov z31.d, d31",
                        "rdvl x4, #16",
                        // The distances in a block go from -8 to 7 vectors.
                        "addvl x0, x0, #8",
                        "addvl x1, x1, #8",
                        "addvl x2, x2, #8",
                        "subs x3, x3, x4",
                        "b.lo 3f",
                        ".p2align 6",
                        "2:",
                        pass_sve!(@store $store),
                        ".irp i, -8,-7,-6,-5,-4,-3,-2,-1,0,1,2,3,4,5,6,7",
                        ".irp o, \"#\\i, mul vl\"",
                        $($vector,)+
                        ".endr",
                        ".endr",
                        ".endr",
                        "add x0, x0, x4",
                        "add x1, x1, x4",
                        "add x2, x2, x4",
                        "subs x3, x3, x4",
                        "b.hs 2b",
                        "3:",
                        "add x3, x3, x4",
                        "lsr x3, x3, #3",
                        "addvl x0, x0, #-8",
                        "addvl x1, x1, #-8",
                        "addvl x2, x2, #-8",
                        "mov x4, xzr",
                        "whilelo p0.d, x4, x3",
                        "b.none 5f",
                        "4:",
                        pass_sve!(@store $store),
                        ".irp o, \"x4, lsl #3\"",
                        $($vector,)+
                        ".endr",
                        ".endr",
                        "incd x4",
                        "whilelo p0.d, x4, x3",
                        "b.first 4b",
                        "5:",
                        inlateout("x0") parts.a => _,
                        inlateout("x1") parts.b => _,
                        inlateout("x2") parts.c => _,
                        inlateout("x3") parts.lines * $crate::line::Line::BYTES => _,
                        out("x4") _,
                        inlateout("v31") k => _,
                        out("v0") _, out("v1") _, out("p0") _,
                        options(nostack)
                    );
                }
                parts.lines
            })
        }
    };
}

/// Defines a scalable variant that only reads, by this load: `sum_sve!(name, "ld1d")`.
/// Blocks and what is left as in `pass_sve!`; the passes are a loop of the assembly too.
macro_rules! sum_sve {
    ($name:ident, $load:literal) => {
        #[inline(never)]
        fn $name(memory: &mut [$crate::line::Line], steps: u64) -> u64 {
            let mut sum = 0u64;
            if steps != 0 {
                // SAFETY: only a `get` that saw the feature hands this function out. Reads `memory` and nothing else:
                // whole blocks while `x2` bytes hold one, then elements below `x2`, which `whilelo` sees to.
                // Writes no memory, orders nothing.
                // The `v` registers stand for whole vectors, as in `pass_sve!`.
                // No `nomem`: it reads memory. No `preserves_flags`: the loops count in them. No `pure`: it is run for
                // its effect.
                unsafe {
                    std::arch::asm!(
                        ".arch_extension sve",
                        "rdvl x5, #16",
                        ".irp i, 0,1,2,3,4,5,6,7",
                        "mov z\\i\\().d, #0",
                        ".endr",
                        "2:",
                        "ptrue p0.d",
                        "addvl x1, x0, #8",
                        "subs x2, x3, x5",
                        "b.lo 4f",
                        ".p2align 6",
                        "3:",
                        concat!($load, " {{z16.d}}, p0/z, [x1, #-8, mul vl]"),
                        concat!($load, " {{z17.d}}, p0/z, [x1, #-7, mul vl]"),
                        concat!($load, " {{z18.d}}, p0/z, [x1, #-6, mul vl]"),
                        concat!($load, " {{z19.d}}, p0/z, [x1, #-5, mul vl]"),
                        concat!($load, " {{z20.d}}, p0/z, [x1, #-4, mul vl]"),
                        concat!($load, " {{z21.d}}, p0/z, [x1, #-3, mul vl]"),
                        concat!($load, " {{z22.d}}, p0/z, [x1, #-2, mul vl]"),
                        concat!($load, " {{z23.d}}, p0/z, [x1, #-1, mul vl]"),
                        concat!($load, " {{z24.d}}, p0/z, [x1]"),
                        concat!($load, " {{z25.d}}, p0/z, [x1, #1, mul vl]"),
                        concat!($load, " {{z26.d}}, p0/z, [x1, #2, mul vl]"),
                        concat!($load, " {{z27.d}}, p0/z, [x1, #3, mul vl]"),
                        concat!($load, " {{z28.d}}, p0/z, [x1, #4, mul vl]"),
                        concat!($load, " {{z29.d}}, p0/z, [x1, #5, mul vl]"),
                        concat!($load, " {{z30.d}}, p0/z, [x1, #6, mul vl]"),
                        concat!($load, " {{z31.d}}, p0/z, [x1, #7, mul vl]"),
                        "add z0.d, z0.d, z16.d",
                        "add z1.d, z1.d, z17.d",
                        "add z2.d, z2.d, z18.d",
                        "add z3.d, z3.d, z19.d",
                        "add z4.d, z4.d, z20.d",
                        "add z5.d, z5.d, z21.d",
                        "add z6.d, z6.d, z22.d",
                        "add z7.d, z7.d, z23.d",
                        "add z0.d, z0.d, z24.d",
                        "add z1.d, z1.d, z25.d",
                        "add z2.d, z2.d, z26.d",
                        "add z3.d, z3.d, z27.d",
                        "add z4.d, z4.d, z28.d",
                        "add z5.d, z5.d, z29.d",
                        "add z6.d, z6.d, z30.d",
                        "add z7.d, z7.d, z31.d",
                        "add x1, x1, x5",
                        "subs x2, x2, x5",
                        "b.hs 3b",
                        "4:",
                        "add x2, x2, x5",
                        "lsr x2, x2, #3",
                        "addvl x1, x1, #-8",
                        "mov x6, xzr",
                        "whilelo p0.d, x6, x2",
                        "b.none 6f",
                        "5:",
                        concat!($load, " {{z16.d}}, p0/z, [x1, x6, lsl #3]"),
                        "add z0.d, z0.d, z16.d",
                        "incd x6",
                        "whilelo p0.d, x6, x2",
                        "b.first 5b",
                        "6:",
                        "subs x4, x4, #1",
                        "b.ne 2b",
                        ".irp i, 1,2,3,4,5,6,7",
                        "add z0.d, z0.d, z\\i\\().d",
                        ".endr",
                        "ptrue p0.d",
                        "uaddv d0, p0, z0.d",
                        in("x0") memory.as_ptr(),
                        out("x1") _,
                        out("x2") _,
                        in("x3") size_of_val(memory),
                        inlateout("x4") steps => _,
                        out("x5") _,
                        out("x6") _,
                        lateout("v0") sum,
                        out("v1") _, out("v2") _, out("v3") _,
                        out("v4") _, out("v5") _, out("v6") _, out("v7") _,
                        out("v16") _, out("v17") _, out("v18") _, out("v19") _,
                        out("v20") _, out("v21") _, out("v22") _, out("v23") _,
                        out("v24") _, out("v25") _, out("v26") _, out("v27") _,
                        out("v28") _, out("v29") _, out("v30") _, out("v31") _,
                        out("p0") _,
                        options(nostack, readonly)
                    );
                }
            }
            sum
        }
    };
}
