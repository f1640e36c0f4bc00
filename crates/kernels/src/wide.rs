//! Whole vectors in independent chains: the frame of the kernels whose operation is one instruction on a vector.
//!
//! All words of a vector are the same, so that the result is that of one. A kernel says where its chains begin, and which
//! instruction, or which arithmetic on one word, is done to them.

/// Operations of a step.
pub(crate) const OPS: u64 = 72;
/// As many as the registers allow: more than latency times pipes of any core we know.
pub(crate) const CHAINS: usize = if cfg!(target_arch = "aarch64") { 24 } else { 12 };
const PER_CHAIN: u64 = OPS / CHAINS as u64;
/// Words in the longest vector there is, 2048 bits.
#[cfg(all(target_arch = "aarch64", not(miri)))]
pub(crate) const MOST: usize = 32;

/// The first values of the chains, and the two operands behind them.
pub(crate) type Start = [u64; CHAINS + 2];

/// A [`Start`] from the number of a chain, and the operands.
macro_rules! start {
    (|$i:ident| $word:expr, $operands:expr) => {{
        use $crate::wide::CHAINS;
        let mut all = [0; CHAINS + 2];
        let mut $i = 0;
        while $i < CHAINS {
            all[$i] = $word;
            $i += 1;
        }
        (all[CHAINS], all[CHAINS + 1]) = $operands;
        all
    }};
}

/// Every word of a chain counts, and they must agree.
#[inline(always)]
pub(crate) fn fold<'a>(chains: impl Iterator<Item = impl IntoIterator<Item = &'a u64>>) -> u64 {
    chains.fold(0u64, |sum, chain| {
        let mut words = chain.into_iter().copied();
        let first = words.next().unwrap_or(0);
        sum.rotate_left(7) ^ if words.all(|word| word == first) { first } else { 0 }
    })
}

/// The same of chains that lie one behind the other.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[inline(never)]
pub(crate) fn fold_words(chains: &[u64], each: usize) -> u64 {
    fold(chains.chunks(each))
}

/// The steps by arithmetic on one word.
#[inline(always)]
pub(crate) fn arithmetic(start: Start, steps: u64, once: impl Fn(u64) -> u64) -> u64 {
    let mut x = start;
    for _ in 0..PER_CHAIN * steps {
        for x in &mut x[..CHAINS] {
            *x = once(*x);
        }
    }
    fold(x[..CHAINS].iter().map(std::iter::once))
}

/// Defines the loop for one instruction and width: `wide!(name, start, "ymm", 4, "instruction")`, a register's name and its
/// words.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! wide {
    ($(#[$about:meta])* $name:ident, $start:expr, $register:literal, $words:literal, $insn:literal) => {
        $(#[$about])*
        #[inline(never)]
        fn $name(_memory: &mut [Line], steps: u64) -> u64 {
            let from: &$crate::wide::Start = &$start;
            let mut to = [[0u64; $words]; $crate::wide::CHAINS];
            if steps == 0 {
                to.iter_mut().zip(from).for_each(|(to, from)| to.fill(*from));
            } else {
                // SAFETY: only a `get` that saw the features hands this function out. Reads the 14 words at `rsi`, writes
                // the 12 vectors at `rdi`; orders nothing. `xmm` registers stand for the whole vectors they are the low ends
                // of: without the features the compiler keeps nothing above them. No `nomem`/`readonly`: it reads and
                // writes. No `pure`: it is timed. No `preserves_flags`: the loop counts in them.
                unsafe {
                    std::arch::asm!(
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11",
                        concat!("vbroadcastsd ", $register, "\\i, qword ptr [rsi + 8 * \\i]"),
                        ".endr",
                        concat!("vbroadcastsd ", $register, "14, qword ptr [rsi + 96]"),
                        concat!("vbroadcastsd ", $register, "15, qword ptr [rsi + 104]"),
                        ".p2align 6",
                        "2:",
                        ".rept 6",
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11",
                        concat!($insn, " ", $register, "\\i, ", $register, "14, ", $register, "15"),
                        ".endr",
                        ".endr",
                        "dec rcx",
                        "jnz 2b",
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11",
                        concat!("vmovupd [rdi + ", $words, " * 8 * \\i], ", $register, "\\i"),
                        ".endr",
                        "vzeroupper",
                        inlateout("rcx") steps => _,
                        in("rsi") from.as_ptr(),
                        in("rdi") to.as_mut_ptr(),
                        out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _, out("xmm5") _,
                        out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                        out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                        options(nostack)
                    );
                }
            }
            $crate::wide::fold_words(to.as_flattened(), $words)
        }
    };
}

/// Defines the loop for one instruction, on 128 bits (`neon`) or whole scalable vectors (`sve`): `wide!(neon, start,
/// "instruction")`, with `\\i` the number of a chain's register, and the operands in registers 30 and 31.
#[cfg(all(target_arch = "aarch64", not(miri)))]
macro_rules! wide {
    ($(#[$about:meta])* neon, $start:expr, $insn:literal) => {
        wide!(
            @ $(#[$about])* neon, $start, 2,
            [
                ".arch_extension dotprod",
                "add x3, x1, #192",
                "ld1r {{v30.2d}}, [x3]",
                "add x3, x1, #200",
                "ld1r {{v31.2d}}, [x3]"
            ],
            "add x3, x1, #(8 * \\i)\nld1r {{v\\i\\().2d}}, [x3]",
            $insn,
            "str q\\i, [x2, #(16 * \\i)]"
        );
    };
    ($(#[$about:meta])* sve, $start:expr, $insn:literal) => {
        wide!(
            @ $(#[$about])* sve, $start, $crate::arch::sve_bytes().unwrap_or(16) / 8,
            [
                ".arch_extension sve",
                "ptrue p0.d",
                "ld1rd {{z30.d}}, p0/z, [x1, #192]",
                "ld1rd {{z31.d}}, p0/z, [x1, #200]"
            ],
            "ld1rd {{z\\i\\().d}}, p0/z, [x1, #(8 * \\i)]",
            $insn,
            "str z\\i, [x2, #\\i, mul vl]"
        );
    };
    // How a chain begins, its instruction, and how it is stored.
    (
        @ $(#[$about:meta])* $name:ident, $start:expr, $words:expr,
        [$($first:literal),*], $load:literal, $insn:literal, $store:literal
    ) => {
        $(#[$about])*
        #[inline(never)]
        fn $name(_memory: &mut [Line], steps: u64) -> u64 {
            let from: &$crate::wide::Start = &$start;
            let words: usize = $words;
            let mut to = [0u64; $crate::wide::CHAINS * $crate::wide::MOST];
            if steps == 0 {
                to.chunks_mut(words).zip(&from[..$crate::wide::CHAINS]).for_each(|(to, from)| to.fill(*from));
            } else {
                // SAFETY: only a `get` that saw the feature hands this function out. Reads the 26 words at `x1`, writes
                // the 24 vectors at `x2`, for whose longest there is room; orders nothing. `v` registers stand for the whole
                // vectors they are the low ends of: without the feature the compiler keeps nothing above them.
                // `.arch_extension` ends with the block. No `nomem`/`readonly`: it reads and writes. No `pure`: it is timed.
                // No `preserves_flags`: the loop counts in them.
                unsafe {
                    std::arch::asm!(
                        $($first,)*
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
                        $load,
                        ".endr",
                        ".p2align 6",
                        "2:",
                        // Three times, since a repetition around them would take the end of a register's number for its own.
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
                        $insn,
                        ".endr",
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
                        $insn,
                        ".endr",
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
                        $insn,
                        ".endr",
                        "subs x15, x15, #1",
                        "b.ne 2b",
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23",
                        $store,
                        ".endr",
                        inlateout("x15") steps => _,
                        in("x1") from.as_ptr(),
                        in("x2") to.as_mut_ptr(),
                        out("x3") _, out("p0") _,
                        out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _,
                        out("v6") _, out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _,
                        out("v12") _, out("v13") _, out("v14") _, out("v15") _, out("v16") _, out("v17") _,
                        out("v18") _, out("v19") _, out("v20") _, out("v21") _, out("v22") _, out("v23") _,
                        out("v30") _, out("v31") _,
                        options(nostack)
                    );
                }
            }
            $crate::wide::fold_words(&to[..words * $crate::wide::CHAINS], words)
        }
    };
}
