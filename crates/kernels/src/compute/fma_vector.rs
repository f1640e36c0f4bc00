//! Fused multiply-adds on vectors. All lanes hold the same numbers, so that the result is that of one.
use super::{FACTOR, TERM};
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Variant, Work},
    line::Line,
};

const fn work(lanes: u64) -> Work {
    Work::compute(72, 2 * 72 * lanes, 72 + LOOP)
}

pub static KERNEL: Kernel = Kernel {
    about: "72 fused multiply-adds on the widest vectors in independent chains: how many the core does at once.

An operation is one instruction, of as many doubles as a vector holds: 4 with AVX2, 8 with AVX-512, 2 with Neon; with SVE
as many as the machine's vectors have. All lanes hold the same numbers, so that the result is that of one.",
    work: work(1),
    reference: |_, steps| arithmetic(steps, |x| x),
    variants: &[
        Variant::new("portable", |_| Some(portable)).with(work(1).compiled()),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("avx2", |f| f.fma(()).and_then(|()| f.avx2(avx2 as crate::Run))).with(work(4)),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Variant::new("avx512", |f| f.avx512(avx512)).with(work(8)),
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        Variant::new("neon", |f| f.neon(neon)).with(work(2)),
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        Variant::new("sve", |f| f.sve(sve)).with(work(2)),
    ],
};

/// Doubles that one operation of a variant works on.
pub fn lanes(variant: &str) -> u64 {
    match variant {
        "avx512" => 8,
        "avx2" => 4,
        "neon" => 2,
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        "sve" => arch::sve_bytes().unwrap_or(16) as u64 / 8,
        _ => 1,
    }
}

/// As many as the registers allow: more than latency times pipes of any core we know.
const CHAINS: usize = if cfg!(target_arch = "aarch64") { 24 } else { 12 };
const PER_CHAIN: u64 = 72 / CHAINS as u64;
/// Doubles in the longest vector there is, 2048 bits.
#[cfg(all(target_arch = "aarch64", not(miri)))]
const MOST: usize = 32;

/// Where the chains begin, and the two constants behind them.
#[inline(always)]
fn start() -> [f64; CHAINS + 2] {
    let mut all: [f64; CHAINS + 2] = std::array::from_fn(|i| 2.0 + i as f64);
    (all[CHAINS], all[CHAINS + 1]) = (FACTOR, TERM);
    all
}

/// Every lane counts, and they must agree.
#[inline(always)]
fn fold(chains: impl Iterator<Item = impl AsRef<[f64]>>) -> u64 {
    chains.fold(0u64, |sum, chain| {
        let lanes = chain.as_ref();
        let first = lanes[0].to_bits();
        let same = lanes.iter().all(|lane| lane.to_bits() == first);
        sum.rotate_left(7) ^ if same { first } else { 0 }
    })
}

#[inline(always)]
fn arithmetic(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    let mut x = start();
    for _ in 0..PER_CHAIN * steps {
        for x in &mut x[..CHAINS] {
            *x = f64::from_bits(opaque(FACTOR.mul_add(TERM, *x).to_bits()));
        }
    }
    fold(x[..CHAINS].iter().map(|x| [*x]))
}

/// Without a hardware instruction this is the library's emulation.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    arithmetic(steps, arch::opaque)
}

/// Defines the loop for one width: `wide!(name, "ymm", 4)`, a register's name and its doubles.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! wide {
    ($(#[$about:meta])* $name:ident, $register:literal, $lanes:literal) => {
        $(#[$about])*
        #[inline(never)]
        fn $name(_memory: &mut [Line], steps: u64) -> u64 {
            let from = start();
            let mut to = [[0f64; $lanes]; CHAINS];
            if steps == 0 {
                to.iter_mut().zip(from).for_each(|(to, from)| to.fill(from));
            } else {
                // SAFETY: only a `get` that saw the features hands this function out. Reads the 14 doubles at `rsi`, writes
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
                        concat!("vfmadd231pd ", $register, "\\i, ", $register, "14, ", $register, "15"),
                        ".endr",
                        ".endr",
                        "dec rcx",
                        "jnz 2b",
                        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11",
                        concat!("vmovupd [rdi + ", $lanes, " * 8 * \\i], ", $register, "\\i"),
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
            fold(to.iter())
        }
    };
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
wide!(
    /// Six rounds of twelve `vfmadd231pd` on 256 bits.
    avx2,
    "ymm",
    4
);
#[cfg(all(target_arch = "x86_64", not(miri)))]
wide!(
    /// Six rounds of twelve `vfmadd231pd` on 512 bits.
    avx512,
    "zmm",
    8
);

/// Defines the loop for aarch64: how a chain begins, its instruction, and how it is stored, with `\\i` its number.
#[cfg(all(target_arch = "aarch64", not(miri)))]
macro_rules! wide {
    ($(#[$about:meta])* $name:ident, $lanes:expr, [$($first:literal),*], $load:literal, $insn:literal, $store:literal) => {
        $(#[$about])*
        #[inline(never)]
        fn $name(_memory: &mut [Line], steps: u64) -> u64 {
            let from = start();
            let lanes: usize = $lanes;
            let mut to = [0f64; CHAINS * MOST];
            if steps == 0 {
                to.chunks_mut(lanes).zip(from).for_each(|(to, from)| to.fill(from));
            } else {
                // SAFETY: only a `get` that saw the feature hands this function out. Reads the 26 doubles at `x1`, writes
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
            fold(to.chunks(lanes).take(CHAINS))
        }
    };
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
wide!(
    /// Three rounds of 24 `fmla` on 128 bits.
    neon,
    2,
    [
        "add x3, x1, #192",
        "ld1r {{v30.2d}}, [x3]",
        "add x3, x1, #200",
        "ld1r {{v31.2d}}, [x3]"
    ],
    "add x3, x1, #(8 * \\i)\nld1r {{v\\i\\().2d}}, [x3]",
    "fmla v\\i\\().2d, v30.2d, v31.2d",
    "str q\\i, [x2, #(16 * \\i)]"
);
#[cfg(all(target_arch = "aarch64", not(miri)))]
wide!(
    /// Three rounds of 24 `fmla` on whole scalable vectors.
    sve,
    arch::sve_bytes().unwrap_or(16) / 8,
    [
        ".arch_extension sve",
        "ptrue p0.d",
        "ld1rd {{z30.d}}, p0/z, [x1, #192]",
        "ld1rd {{z31.d}}, p0/z, [x1, #200]"
    ],
    "ld1rd {{z\\i\\().d}}, p0/z, [x1, #(8 * \\i)]",
    "fmla z\\i\\().d, p0/m, z30.d, z31.d",
    "str z\\i, [x2, #\\i, mul vl]"
);
