//! The kernels that compute, as a table: one row per kernel. `ops` of a row is what the kernel is named after.
//!
//! `reference` and the portable variant do the row's `arithmetic`, the latter with every `opaque` kept from being
//! simplified; the compiler writes their loops. The native variants use registers only, unless they say otherwise.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
};

pub mod aes;
pub mod atomic_add;
mod branches;
pub mod dot8;
pub mod fma;
pub mod fma_vector;
pub mod load;
pub mod madd52;
pub mod store;
pub mod tile_dot8;

/// Every kernel and its id.
pub static ALL: &[(&str, &Kernel)] = kernels![
    add,
    add_chain,
    aes,
    atomic_add,
    branch_hit,
    branch_miss,
    div,
    div32,
    div32_chain,
    div_chain,
    dot8,
    empty,
    fma,
    fma_chain,
    fma_vector,
    load,
    madd52,
    mul,
    mul_chain,
    nop,
    nop4,
    nop8,
    store,
    tile_dot8,
];

/// Kernels named after an instruction that a machine may lack. Their portable variant only says what the result is.
pub const NATIVE_ONLY: [&str; 5] = ["dot8", "madd52", "nop4", "nop8", "tile_dot8"];

/// Lanes that one operation of a variant works on, where the kernel is one of vectors or tiles.
pub fn lanes(kernel: &str, variant: &str) -> Option<u64> {
    let bytes = match variant {
        "avx512" | "avx512_ifma" | "avx512_vnni" => 64,
        "avx2" | "avx_ifma" | "avx_vnni" => 32,
        "neon" => 16,
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        "sve" => arch::sve_bytes().unwrap_or(16) as u64,
        _ => 0,
    };
    let lanes = match (kernel, variant) {
        ("fma_vector" | "madd52", _) => bytes / 8,
        ("dot8", _) => bytes / 4,
        ("tile_dot8", "amx") => 16 * 16 * 16,
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        ("tile_dot8", "sme") => (arch::sme_bytes().unwrap_or(16) as u64 / 4).pow(2),
        ("tile_dot8", _) => 0,
        _ => return None,
    };
    Some(lanes.max(1))
}

/// The first value of a chain of integers.
const SEED: u64 = 0x243f_6a88_85a3_08d3;
/// The other operand of additions and multiplications.
const OPERAND: u64 = 0x1319_8a2e_0370_7345;

compute! {
    /// 66 additions in eleven independent chains, more than any core we know adds at once.
    add: Work::compute(66, 0, 66 + LOOP);
    arithmetic |steps, opaque| chains(steps, |x| opaque(x.wrapping_add(OPERAND)));
    x86_64 native { chains!(steps, r"add \x, r12") }
    aarch64 native { chains!(steps, r"add \x, \x, x8") }
}

compute! {
    /// 66 multiplications of 64 bits in eleven independent chains: more than latency times units of any core we know.
    mul: Work::compute(66, 0, 66 + LOOP);
    arithmetic |steps, opaque| chains(steps, |x| opaque(x.wrapping_mul(OPERAND)));
    x86_64 native { chains!(steps, r"imul \x, r12") }
    aarch64 native { chains!(steps, r"mul \x, \x, x8") }
}

compute! {
    /// 64 dependent additions: one cycle each on every core we know, so this is the core frequency.
    // Of a register: some cores fold additions of constants away.
    add_chain: Work::compute(64, 0, 64 + LOOP);
    arithmetic |steps, opaque| (0..64 * steps).fold(SEED, |x, _| opaque(x.wrapping_add(OPERAND)));
    x86_64 native { chain!(steps, "rax" = SEED, [".rept 64", "add rax, rdx", ".endr"], in("rdx") OPERAND,) }
    aarch64 native { chain!(steps, "x0" = SEED, [".rept 64", "add x0, x0, x1", ".endr"], in("x1") OPERAND,) }
}

compute! {
    /// 64 dependent multiplications of 64 bits: their latency, and a second witness of the core frequency.
    mul_chain: Work::compute(64, 0, 64 + LOOP);
    arithmetic |steps, opaque| (0..64 * steps).fold(SEED, |x, _| opaque(x.wrapping_mul(OPERAND)));
    x86_64 native { chain!(steps, "rax" = SEED, [".rept 64", "imul rax, rdx", ".endr"], in("rdx") OPERAND,) }
    aarch64 native { chain!(steps, "x0" = SEED, [".rept 64", "mul x0, x0, x1", ".endr"], in("x1") OPERAND,) }
}

/// The divisor is 31 bits wide, so that quotients have 33 to 34: dividers stop early on small ones.
const DIVIDEND: u64 = 0xfedc_ba98_7654_3210;
const DIVISOR: u64 = 0x5a5a_1235;
/// The same of 32 bits: quotients have 17 to 18.
const DIVIDEND32: u32 = 0xfedc_ba98;
const DIVISOR32: u32 = 0x5a5b;
/// The instructions of an independent division: x86-64 loads the dividend and clears its high half before each.
const INDEPENDENT: u64 = if cfg!(target_arch = "x86_64") { 4 } else { 2 };
/// The instructions of a dependent division: x86-64 clears the dividend's high half, off the chain.
const DEPENDENT: u64 = if cfg!(target_arch = "x86_64") { 3 } else { 2 };

compute! {
    /// 16 independent divisions, 64 bits by 64 bits: how often one can start.
    // The sum of the quotients is the only chain, one cycle per division.
    div: Work::compute(16, 0, 16 * INDEPENDENT + LOOP);
    arithmetic |steps, opaque| {
        (0..16 * steps).fold(0, |sum: u64, _| sum.wrapping_add(DIVIDEND / opaque(DIVISOR)))
    };
    x86_64 native {
        chain!(
            steps, "r10" = 0u64,
            [".rept 16", "mov rax, r9", "xor edx, edx", "div r8", "add r10, rax", ".endr"],
            out("rax") _, out("rdx") _, in("r8") DIVISOR, in("r9") DIVIDEND,
        )
    }
    aarch64 native {
        chain!(
            steps, "x0" = 0u64,
            [".rept 16", "udiv x3, x2, x1", "add x0, x0, x3", ".endr"],
            out("x3") _, in("x1") DIVISOR, in("x2") DIVIDEND,
        )
    }
}

compute! {
    /// 16 independent divisions, 32 bits by 32 bits: how often one can start.
    // The sum of the quotients is the only chain, one cycle per division.
    div32: Work::compute(16, 0, 16 * INDEPENDENT + LOOP);
    arithmetic |steps, opaque| {
        let divisor = || opaque(u64::from(DIVISOR32)) as u32;
        (0..16 * steps).fold(0, |sum: u64, _| sum.wrapping_add(u64::from(DIVIDEND32 / divisor())))
    };
    x86_64 native {
        chain!(
            steps, "r10" = 0u64,
            [".rept 16", "mov eax, r9d", "xor edx, edx", "div r8d", "add r10, rax", ".endr"],
            out("rax") _, out("rdx") _, in("r8") DIVISOR32, in("r9") DIVIDEND32,
        )
    }
    aarch64 native {
        chain!(
            steps, "x0" = 0u64,
            [".rept 16", "udiv w3, w2, w1", "add x0, x0, x3", ".endr"],
            out("x3") _, in("x1") DIVISOR32, in("x2") DIVIDEND32,
        )
    }
}

compute! {
    /// 16 dependent divisions, 64 bits by 64 bits: their latency.
    ///
    /// An addition between two divisions keeps every dividend 64 bits wide; its one cycle is part of the chain.
    div_chain: Work::compute(16, 0, 16 * DEPENDENT + LOOP);
    arithmetic |steps, opaque| {
        (0..16 * steps).fold(DIVIDEND, |x, _| (x / opaque(DIVISOR)).wrapping_add(DIVIDEND))
    };
    x86_64 native {
        chain!(
            steps, "rax" = DIVIDEND,
            [".rept 16", "xor edx, edx", "div r8", "add rax, r9", ".endr"],
            out("rdx") _, in("r8") DIVISOR, in("r9") DIVIDEND,
        )
    }
    aarch64 native {
        chain!(
            steps, "x0" = DIVIDEND,
            [".rept 16", "udiv x0, x0, x1", "add x0, x0, x2", ".endr"],
            in("x1") DIVISOR, in("x2") DIVIDEND,
        )
    }
}

compute! {
    /// 16 dependent divisions, 32 bits by 32 bits: their latency.
    ///
    /// An addition between two divisions keeps every dividend 32 bits wide; its one cycle is part of the chain.
    div32_chain: Work::compute(16, 0, 16 * DEPENDENT + LOOP);
    arithmetic |steps, opaque| {
        let divisor = || opaque(u64::from(DIVISOR32)) as u32;
        let once = |x: u32, _| (x / divisor()).wrapping_add(DIVIDEND32);
        u64::from((0..16 * steps).fold(DIVIDEND32, once))
    };
    x86_64 native {
        u64::from(chain!(
            steps, "rax" = DIVIDEND32,
            [".rept 16", "xor edx, edx", "div r8d", "add eax, r9d", ".endr"],
            out("rdx") _, in("r8") DIVISOR32, in("r9") DIVIDEND32,
        ))
    }
    aarch64 native {
        u64::from(chain!(
            steps, "x0" = DIVIDEND32,
            [".rept 16", "udiv w0, w0, w1", "add w0, w0, w2", ".endr"],
            in("x1") DIVISOR32, in("x2") DIVIDEND32,
        ))
    }
}

/// `x * FACTOR + TERM` converges, so that values stay normal however long a kernel runs.
const FACTOR: f64 = 0.999_755_859_375;
const TERM: f64 = 0.000_244_262_871;

compute! {
    /// 64 dependent fused multiply-adds on one double: their latency.
    fma_chain: Work::compute(64, 128, 64 + LOOP);
    // Without a hardware instruction the portable variant is the library's emulation.
    arithmetic |steps, opaque| {
        (0..64 * steps).fold(2f64.to_bits(), |x, _| {
            opaque(f64::from_bits(x).mul_add(FACTOR, TERM).to_bits())
        })
    };
    x86_64 native if fma {
        chain!(
            steps, "xmm0" = 2f64,
            [".rept 64", "vfmadd213sd xmm0, xmm1, xmm2", ".endr"],
            in("xmm1") FACTOR, in("xmm2") TERM,
        ).to_bits()
    }
    aarch64 native {
        chain!(
            steps, "v0" = 2f64,
            [".rept 64", "fmadd d0, d0, d1, d2", ".endr"],
            in("v1") FACTOR, in("v2") TERM,
        ).to_bits()
    }
}

compute! {
    /// 16 branches on the next bit of a random sequence: half of all guesses fail.
    ///
    /// The same instructions as `branch_hit`; (this - that) / 0.5 per branch is the price of a failed guess.
    /// Every run starts the same sequence, so a run of a few hundred steps could be learnt by heart: use 10,000 or more.
    /// `instructions` counts the one behind the branch as executed half the time, which is exact on average.
    branch_miss: Work::compute(16, 0, 16 * branches::PER_OP + 8 + LOOP);
    arithmetic |steps, opaque| branches::count(branches::HALF, steps, opaque);
    x86_64 native { branches::assembled(branches::HALF, steps) }
    aarch64 native { branches::assembled(branches::HALF, steps) }
}

compute! {
    /// 16 branches on a random sequence that always go the same way: `branch_miss` without the misses.
    branch_hit: Work::compute(16, 0, 16 * branches::PER_OP + LOOP);
    arithmetic |steps, opaque| branches::count(branches::NONE, steps, opaque);
    x86_64 native { branches::assembled(branches::NONE, steps) }
    aarch64 native { branches::assembled(branches::NONE, steps) }
}

compute! {
    /// The loop around every block, with nothing in it: what to subtract.
    empty: Work::compute(1, 0, LOOP);
    arithmetic |steps, opaque| (0..steps).fold(0, |n, _| opaque(n) + 1);
    x86_64 native { block!(steps, [],); steps }
    aarch64 native { block!(steps, [],); steps }
}

/// 238 operations that the compiler may not leave out, for every step.
#[inline(always)]
fn no_operation(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    for _ in 0..steps {
        for i in 0..238 {
            opaque(i);
        }
    }
    steps
}

compute! {
    /// 238 instructions that do nothing: how fast the core fetches, decodes and retires. With the loop they are a multiple of 4,
    /// 5, 6, 8 and 10, so that no part of a cycle is lost to its end.
    nop: Work::compute(238, 0, 238 + LOOP);
    arithmetic |steps, opaque| no_operation(steps, opaque);
    x86_64 native { block!(steps, [".rept 238", "nop", ".endr"],); steps }
    aarch64 native { block!(steps, [".rept 238", "nop", ".endr"],); steps }
}

// By their bytes, since an assembler would choose a shorter form; the address is not used.
// Source: Intel SDM volume 2B, NOP, recommended multi-byte sequences.
compute! {
    /// 238 instructions of four bytes each that do nothing: what their length costs the core that fetches and decodes
    /// them. Where all instructions have one length it has the portable variant only, which says nothing.
    nop4: Work::compute(238, 0, 238 + LOOP);
    arithmetic |steps, opaque| no_operation(steps, opaque);
    // nop dword ptr [rax + 0]
    x86_64 native { block!(steps, [".rept 238", ".byte 0x0f, 0x1f, 0x40, 0x00", ".endr"],); steps }
}

compute! {
    /// 238 instructions of eight bytes each that do nothing: what their length costs the core that fetches and decodes
    /// them. Where all instructions have one length it has the portable variant only, which says nothing.
    nop8: Work::compute(238, 0, 238 + LOOP);
    arithmetic |steps, opaque| no_operation(steps, opaque);
    // nop dword ptr [rax + rax + 0]
    x86_64 native {
        block!(steps, [".rept 238", ".byte 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00", ".endr"],);
        steps
    }
}

/// The first values of the independent chains.
const CHAINS: [u64; 11] = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21];

/// Six rounds of `once` on every chain, for every step.
#[inline(always)]
fn chains(steps: u64, once: impl Fn(u64) -> u64) -> u64 {
    let mut x = CHAINS;
    for _ in 0..6 * steps {
        for x in &mut x {
            *x = once(*x);
        }
    }
    fold_chains(x)
}

#[inline(always)]
fn fold_chains(x: [u64; 11]) -> u64 {
    x.iter().fold(0, |s, x| s.wrapping_mul(3).wrapping_add(*x))
}
