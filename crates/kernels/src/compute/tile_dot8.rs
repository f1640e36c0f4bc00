//! Dot products of 8-bit integers on the tiles of a matrix unit: two by two tiles, as multiplications of matrices use them.
use super::dot8::{dot, twice};
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Work},
    line::Line,
    wide,
};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

pub static KERNEL: Kernel = Kernel {
    about: "64 products of 8-bit matrix tiles that are added to four tiles in turn: how many the core does at once.

An operation is one instruction. A lane is four products of 8 bits that it adds to a number of 32 bits: 4096 with AMX; with
SME the square of the numbers of 32 bits in one of the machine's streaming vectors. Where there is no such instruction it
has the portable variant only, which says nothing.",
    work: WORK,
    reference: |_, steps| arithmetic(steps, |x| x),
    variants: variants![
        portable with WORK.compiled();
        x86_64: amx if amx;
        aarch64: sme if sme
    ],
};

/// Lanes of one operation that go to the same number: AMX multiplies whole tiles, SME's outer product takes one vector each.
const DEPTH: u32 = if cfg!(target_arch = "aarch64") { 1 } else { 16 };
/// Bytes with a sign: of the rows and of the columns.
const A: [u32; 2] = [0x5a4d_7f03, 0x0b71_2c6e];
const B: [u32; 2] = [0x7f91_80fd, 0xc335_e91a];

#[inline(always)]
fn arithmetic(steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    let mut tiles = [0u32; 4];
    for _ in 0..16 * steps {
        for (i, x) in tiles.iter_mut().enumerate() {
            let product = dot(opaque(u64::from(A[i / 2])) as u32, B[i % 2]);
            *x = x.wrapping_add(product.wrapping_mul(DEPTH));
        }
    }
    wide::fold(tiles.map(twice).iter().map(std::iter::once))
}

portable!();

/// Sixteen rounds of four `tdpbssd` on tiles of 16 rows of 64 bytes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn amx(_memory: &mut [Line], steps: u64) -> u64 {
    // Palette 1, and eight tiles: bytes of a row as 16 bits from byte 16 on, rows from byte 48 on. Source: Intel SDM volume
    // 2A, LDTILECFG.
    let mut shape = [0u8; 64];
    shape[0] = 1;
    shape[16..32].chunks_mut(2).for_each(|bytes| bytes[0] = 64);
    shape[48..56].fill(16);
    let from = [A, B].map(|pair| pair.map(|bytes| [bytes; 16]));
    let mut to = [[0u64; 128]; 4];
    if steps != 0 {
        // SAFETY: only a `get` that saw the feature, and that this process may use it, hands this function out. Reads the 64
        // bytes at `rax` and those at `rsi`, each row of a tile the same 64 bytes since the stride in `rdx` is 0; writes the
        // four tiles of 1024 bytes at `rdi`; orders nothing. It leaves the tiles as it must have found them: not configured.
        // No `nomem`/`readonly`: it reads and writes. No `pure`: it is timed. No `preserves_flags`: the loop counts in them.
        unsafe {
            std::arch::asm!(
                "ldtilecfg [rax]",
                ".irp i, 0,1,2,3",
                "tilezero tmm\\i",
                ".endr",
                "tileloadd tmm4, [rsi + rdx]",
                "tileloadd tmm5, [rsi + rdx + 64]",
                "tileloadd tmm6, [rsi + rdx + 128]",
                "tileloadd tmm7, [rsi + rdx + 192]",
                ".p2align 6",
                "2:",
                ".rept 16",
                "tdpbssd tmm0, tmm4, tmm6",
                "tdpbssd tmm1, tmm4, tmm7",
                "tdpbssd tmm2, tmm5, tmm6",
                "tdpbssd tmm3, tmm5, tmm7",
                ".endr",
                "dec rcx",
                "jnz 2b",
                "mov edx, 64",
                ".irp i, 0,1,2,3",
                "tilestored [rdi + rdx + 1024 * \\i], tmm\\i",
                ".endr",
                "tilerelease",
                inlateout("rcx") steps => _,
                inlateout("rdx") 0u64 => _,
                in("rax") shape.as_ptr(),
                in("rsi") from.as_ptr(),
                in("rdi") to.as_mut_ptr(),
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack)
            );
        }
    }
    wide::fold_words(to.as_flattened(), 128)
}

/// Sixteen rounds of four `smopa` on whole streaming vectors.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn sme(_memory: &mut [Line], steps: u64) -> u64 {
    let bytes = arch::sme_bytes().unwrap_or(16);
    let from = [A, B];
    // The four tiles row by row in turn: as many rows as a vector has bytes.
    let mut to = vec![0u64; bytes * bytes / 8];
    if steps != 0 {
        // SAFETY: only a `get` that saw the feature hands this function out. Reads the 16 bytes at `x1`, writes as many
        // vectors at `x2` as they have bytes, for which there is room; orders nothing. `smstart` and `smstop` lose all vector
        // and predicate registers, all of which are declared; `za` is off before and after. `.arch_extension` ends with the
        // block. No `nomem`/`readonly`: it reads and writes. No `pure`: it is timed. No `preserves_flags`: the loop counts in
        // them.
        unsafe {
            std::arch::asm!(
                ".arch_extension sme",
                "smstart",
                "ptrue p0.b",
                ".irp i, 0,1,2,3",
                "ld1rw {{z\\i\\().s}}, p0/z, [x1, #(4 * \\i)]",
                ".endr",
                "zero {{za}}",
                ".p2align 6",
                "2:",
                ".rept 16",
                "smopa za0.s, p0/m, p0/m, z0.b, z2.b",
                "smopa za1.s, p0/m, p0/m, z0.b, z3.b",
                "smopa za2.s, p0/m, p0/m, z1.b, z2.b",
                "smopa za3.s, p0/m, p0/m, z1.b, z3.b",
                ".endr",
                "subs x15, x15, #1",
                "b.ne 2b",
                "mov w12, #0",
                "3:",
                "str za[w12, 0], [x2]",
                "add x2, x2, x3",
                "add w12, w12, #1",
                "cmp w12, w3",
                "b.ne 3b",
                "smstop",
                inlateout("x15") steps => _,
                in("x1") from.as_ptr(),
                inlateout("x2") to.as_mut_ptr() => _,
                in("x3") bytes,
                out("x12") _,
                out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _, out("v7") _,
                out("v8") _, out("v9") _, out("v10") _, out("v11") _, out("v12") _, out("v13") _, out("v14") _,
                out("v15") _, out("v16") _, out("v17") _, out("v18") _, out("v19") _, out("v20") _, out("v21") _,
                out("v22") _, out("v23") _, out("v24") _, out("v25") _, out("v26") _, out("v27") _, out("v28") _,
                out("v29") _, out("v30") _, out("v31") _,
                out("p0") _, out("p1") _, out("p2") _, out("p3") _, out("p4") _, out("p5") _, out("p6") _, out("p7") _,
                out("p8") _, out("p9") _, out("p10") _, out("p11") _, out("p12") _, out("p13") _, out("p14") _,
                out("p15") _, out("ffr") _,
                options(nostack)
            );
        }
    }
    wide::fold((0..4).map(|tile| to.chunks(bytes / 8).skip(tile).step_by(4).flatten()))
}
