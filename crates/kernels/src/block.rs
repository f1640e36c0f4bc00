//! One unrolled block of instructions repeated `steps` times: the frame all compute kernels share.
//!
//! The loop itself is two instructions on both architectures, so a kernel's [`crate::Work`] can state all of them.

/// Instructions of the loop around a block.
pub(crate) const LOOP: u64 = 2;

/// Runs the instructions `steps` times: `block!(steps, ["instruction", …], operands…)`.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! block {
    ($steps:expr, [$($insn:literal),* $(,)?], $($operand:tt)*) => {
        if $steps != 0 {
            // SAFETY: reads and writes what the operands say, which the caller's comment names; orders nothing.
            // No `nomem`/`readonly`: `load` and `store` touch memory, the others share the frame. No `pure`: it is
            // timed.
            // No `preserves_flags`: the loop counts in them.
            unsafe {
                std::arch::asm!(
                    ".p2align 6",
                    "2:",
                    $($insn,)*
                    "dec rcx",
                    "jnz 2b",
                    inlateout("rcx") $steps => _,
                    $($operand)*
                    options(nostack)
                );
            }
        }
    };
}

/// Runs the instructions `steps` times: `block!(steps, ["instruction", …], operands…)`.
#[cfg(all(target_arch = "aarch64", not(miri)))]
macro_rules! block {
    ($steps:expr, [$($insn:literal),* $(,)?], $($operand:tt)*) => {
        if $steps != 0 {
            // SAFETY: reads and writes what the operands say, which the caller's comment names; orders nothing.
            // No `nomem`/`readonly`: `load` and `store` touch memory, the others share the frame. No `pure`: it is
            // timed.
            // No `preserves_flags`: the loop counts in them.
            unsafe {
                std::arch::asm!(
                    ".p2align 6",
                    "2:",
                    $($insn,)*
                    "subs x15, x15, #1",
                    "b.ne 2b",
                    inlateout("x15") $steps => _,
                    $($operand)*
                    options(nostack)
                );
            }
        }
    };
}
