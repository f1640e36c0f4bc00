//! 64 multiplications of 64 bits in eight independent chains.
use crate::{
    arch,
    block::LOOP,
    kernel::{Kernel, Variant, Work},
    line::Line,
};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Independent multiplications",
    work: WORK,
    reference,
    variants: &[
        Variant::new("portable", |_| Some(portable)).with(WORK.compiled()),
        #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
        Variant::new("native", |_| Some(native)),
    ],
};

const START: [u64; 8] = [1, 3, 5, 7, 9, 11, 13, 15];
const K: u64 = 0x1319_8a2e_0370_7345;

fn reference(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = START;
    for _ in 0..8 * steps {
        for x in &mut x {
            *x = x.wrapping_mul(K);
        }
    }
    x.iter().fold(0, |s, x| s.wrapping_mul(3).wrapping_add(*x))
}

/// The same arithmetic, kept from being simplified; the compiler writes the loop.
#[inline(never)]
fn portable(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = START;
    for _ in 0..8 * steps {
        for x in &mut x {
            *x = arch::opaque(x.wrapping_mul(K));
        }
    }
    x.iter().fold(0, |s, x| s.wrapping_mul(3).wrapping_add(*x))
}

/// Eight rounds of eight `imul`. Registers only.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = START;
    block!(
        steps,
        [
            ".rept 8",
            "imul rax, r12",
            "imul rdx, r12",
            "imul rsi, r12",
            "imul rdi, r12",
            "imul r8, r12",
            "imul r9, r12",
            "imul r10, r12",
            "imul r11, r12",
            ".endr",
        ],
        inlateout("rax") x[0],
        inlateout("rdx") x[1],
        inlateout("rsi") x[2],
        inlateout("rdi") x[3],
        inlateout("r8") x[4],
        inlateout("r9") x[5],
        inlateout("r10") x[6],
        inlateout("r11") x[7],
        in("r12") K,
    );
    x.iter().fold(0, |s, x| s.wrapping_mul(3).wrapping_add(*x))
}

/// Eight rounds of eight `mul`. Registers only.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    let mut x = START;
    block!(
        steps,
        [
            ".rept 8",
            "mul x0, x0, x8",
            "mul x1, x1, x8",
            "mul x2, x2, x8",
            "mul x3, x3, x8",
            "mul x4, x4, x8",
            "mul x5, x5, x8",
            "mul x6, x6, x8",
            "mul x7, x7, x8",
            ".endr",
        ],
        inlateout("x0") x[0],
        inlateout("x1") x[1],
        inlateout("x2") x[2],
        inlateout("x3") x[3],
        inlateout("x4") x[4],
        inlateout("x5") x[5],
        inlateout("x6") x[6],
        inlateout("x7") x[7],
        in("x8") K,
    );
    x.iter().fold(0, |s, x| s.wrapping_mul(3).wrapping_add(*x))
}
