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

/// The value that a [`block!`] leaves in a register that began with this one.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
macro_rules! chain {
    ($steps:expr, $register:tt = $start:expr, [$($insn:literal),* $(,)?], $($operand:tt)*) => {{
        let mut value = $start;
        block!($steps, [$($insn),*], inlateout($register) value, $($operand)*);
        value
    }};
}

/// A [`block!`] that keeps values of an array, each given by its index, in registers of their own.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
macro_rules! block_in_registers {
    ($steps:expr, [$($insn:literal),* $(,)?], $x:ident: $($register:tt $index:literal),+; $($operand:tt)*) => {
        block!($steps, [$($insn),*], $(inlateout($register) $x[$index],)+ $($operand)*)
    };
}

/// Six rounds of one instruction on eleven registers `\x`, each a chain of its own.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! chains {
    ($steps:expr, $insn:literal) => {{
        let mut x = CHAINS;
        block_in_registers!(
            $steps,
            [".rept 6", ".irp x, rax,rdx,rsi,rdi,r8,r9,r10,r11,r13,r14,r15", $insn, ".endr", ".endr"],
            x: "rax" 0, "rdx" 1, "rsi" 2, "rdi" 3, "r8" 4, "r9" 5, "r10" 6, "r11" 7, "r13" 8, "r14" 9, "r15" 10;
            in("r12") OPERAND,
        );
        fold_chains(x)
    }};
}

/// Six rounds of one instruction on eleven registers `\x`, each a chain of its own.
#[cfg(all(target_arch = "aarch64", not(miri)))]
macro_rules! chains {
    ($steps:expr, $insn:literal) => {{
        let mut x = CHAINS;
        block_in_registers!(
            $steps,
            [".rept 6", ".irp x, x0,x1,x2,x3,x4,x5,x6,x7,x9,x10,x11", $insn, ".endr", ".endr"],
            x: "x0" 0, "x1" 1, "x2" 2, "x3" 3, "x4" 4, "x5" 5, "x6" 6, "x7" 7, "x9" 8, "x10" 9, "x11" 10;
            in("x8") OPERAND,
        );
        fold_chains(x)
    }};
}

/// Defines a kernel that computes, in a module of its name: the portable variant by its arithmetic, and for each
/// architecture the code of a native one with the feature that it needs.
macro_rules! compute {
    (
        $(#[doc = $about:literal])+
        $name:ident: $work:expr;
        arithmetic |$steps:ident, $opaque:ident| $arithmetic:expr;
        x86_64 $x86:ident $(if $x86_has:ident)? $x86_code:block
        $(aarch64 $arm:ident $arm_code:block)?
    ) => {
        pub mod $name {
            use super::*;

            const WORK: Work = $work;

            pub static KERNEL: Kernel = Kernel {
                about: concat!($($about, "\n"),+),
                work: WORK,
                reference: |_, steps| arithmetic(steps, |x| x),
                variants: variants![
                    portable with WORK.compiled();
                    x86_64: $x86 $(if $x86_has)?
                    $(; aarch64: $arm)?
                ],
            };

            #[inline(always)]
            fn arithmetic($steps: u64, $opaque: impl Fn(u64) -> u64) -> u64 {
                $arithmetic
            }

            portable!();

            #[cfg(all(target_arch = "x86_64", not(miri)))]
            #[inline(never)]
            fn $x86(_memory: &mut [Line], $steps: u64) -> u64 $x86_code

            $(
                #[cfg(all(target_arch = "aarch64", not(miri)))]
                #[inline(never)]
                fn $arm(_memory: &mut [Line], $steps: u64) -> u64 $arm_code
            )?
        }
    };
}
