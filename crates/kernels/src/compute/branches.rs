//! Branches on a random sequence of bits, of which a mask decides whether they are taken.

/// Three shifts and exclusive ors (x86-64 needs a copy for each), the test and the branch.
pub(super) const PER_OP: u64 = if cfg!(target_arch = "x86_64") { 11 } else { 5 };
/// One bit decides. A linear generator of 64 bits of state is beyond what history-based predictors learn.
pub(super) const HALF: u64 = 1 << 40;
/// No bit decides.
pub(super) const NONE: u64 = 0;
const SEED: u64 = 0x243f_6a88_85a3_08d3;

fn next(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^ x << 17
}

/// The opaque addition keeps the branch a branch.
#[inline(always)]
pub(super) fn count(mask: u64, steps: u64, opaque: impl Fn(u64) -> u64) -> u64 {
    let (mut x, mut count) = (SEED, 0);
    for _ in 0..16 * steps {
        x = next(x);
        if x & opaque(mask) != 0 {
            count = opaque(count + 1);
        }
    }
    x ^ count
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
pub(super) fn assembled(mask: u64, steps: u64) -> u64 {
    let (mut x, mut count) = (SEED, 0u64);
    block!(
        steps,
        [
            ".rept 16",
            "mov rdx, rax",
            "shl rdx, 13",
            "xor rax, rdx",
            "mov rdx, rax",
            "shr rdx, 7",
            "xor rax, rdx",
            "mov rdx, rax",
            "shl rdx, 17",
            "xor rax, rdx",
            "test rax, r8",
            "jz 3f",
            "add r9, 1",
            "3:",
            ".endr",
        ],
        inlateout("rax") x,
        out("rdx") _,
        in("r8") mask,
        inlateout("r9") count,
    );
    x ^ count
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(always)]
pub(super) fn assembled(mask: u64, steps: u64) -> u64 {
    let (mut x, mut count) = (SEED, 0u64);
    block!(
        steps,
        [
            ".rept 16",
            "eor x0, x0, x0, lsl #13",
            "eor x0, x0, x0, lsr #7",
            "eor x0, x0, x0, lsl #17",
            "tst x0, x1",
            "b.eq 3f",
            "add x2, x2, #1",
            "3:",
            ".endr",
        ],
        inlateout("x0") x,
        in("x1") mask,
        inlateout("x2") count,
    );
    x ^ count
}
