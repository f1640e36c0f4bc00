//! x86-64: the primitives every kernel is built from.
use std::arch::{asm, x86_64::__cpuid_count};

/// Whether `ticks_begin` and `ticks_end` read a counter.
pub const TICKS: bool = true;

/// Loads the word at `p` with one plain load the compiler can neither drop, merge nor repeat.
///
/// # Safety
/// `p` must be valid for a read of one `usize`.
#[inline(always)]
pub unsafe fn load(p: *const usize) -> usize {
    let value;
    // SAFETY: the caller vouches for `p`. Reads the word, writes a register, orders nothing.
    // No `nomem`: it reads. No `pure`: equal loads must not be merged.
    unsafe {
        asm!(
            "mov {v}, qword ptr [{p}]",
            p = in(reg) p,
            v = lateout(reg) value,
            options(nostack, preserves_flags, readonly)
        );
    }
    value
}

/// The counter before the timed code: everything earlier has finished, nothing later has started.
#[inline(always)]
pub fn ticks_begin() -> u64 {
    let (high, low): (u64, u64);
    // SAFETY: touches no memory. `lfence` waits for all earlier instructions and holds back later ones
    // (Intel SDM on RDTSC; on AMD since Linux makes LFENCE dispatch-serialising).
    // No `nomem`: the compiler must not move memory accesses over it.
    unsafe {
        asm!(
            "lfence",
            "rdtsc",
            "lfence",
            lateout("rdx") high,
            lateout("rax") low,
            options(nostack, preserves_flags)
        );
    }
    high << 32 | low
}

/// The counter after the timed code: `rdtscp` waits for it, `lfence` keeps what follows from starting early.
#[inline(always)]
pub fn ticks_end() -> u64 {
    let (high, low): (u64, u64);
    // SAFETY: touches no memory; `rdtscp` also writes `rcx`, which is declared.
    // No `nomem`: the compiler must not move memory accesses over it.
    unsafe {
        asm!(
            "rdtscp",
            "lfence",
            lateout("rdx") high,
            lateout("rax") low,
            lateout("rcx") _,
            options(nostack, preserves_flags)
        );
    }
    high << 32 | low
}

/// Tells the core that this is a spin loop.
#[inline(always)]
pub fn pause() {
    // SAFETY: touches no memory, registers or flags. No `nomem`: a spin must see memory anew after it.
    unsafe { asm!("pause", options(nostack, preserves_flags)) };
}

/// Every earlier load and store is visible before any later one, non-temporal stores included.
#[inline(always)]
pub fn fence() {
    // SAFETY: writes nothing. No `nomem`: it orders memory, for the compiler too.
    unsafe { asm!("mfence", options(nostack, preserves_flags)) };
}

/// Returns `x` from a register the compiler knows nothing about: no instruction is emitted.
#[inline(always)]
pub fn opaque(mut x: u64) -> u64 {
    // SAFETY: empty. `nomem`: it must not force anything else to memory. No `pure`: it must not be merged or moved
    // out of a loop.
    unsafe { asm!("/* {x} */", x = inlateout(reg) x, options(nomem, nostack, preserves_flags)) };
    x
}

/// Whether there are matrix tiles of 8-bit integers and this process may use them. Linux keeps their 8 KiB for those only
/// that ask, which this does.
pub fn tiles() -> bool {
    /// `arch_prctl(ARCH_REQ_XCOMP_PERM, XTILEDATA)`. Source: Linux, Documentation/arch/x86/xstate.rst.
    const ARCH_PRCTL: u64 = 158;
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    const XTILEDATA: u64 = 18;
    // SAFETY: every x86-64 processor has the instruction, and answers for any leaf.
    #[allow(unused_unsafe, reason = "newer compilers declare the intrinsic safe")]
    let leaf = |number| unsafe { __cpuid_count(number, 0) };
    // AMX-TILE and AMX-INT8. Source: Intel SDM volume 2A, CPUID.
    if leaf(0).eax < 7 || leaf(7).edx >> 24 & 3 != 3 {
        return false;
    }
    let error: u64;
    // SAFETY: changes nothing but what this process may do; the kernel writes `rax`, `rcx` and `r11`. The one system call
    // outside `host`: without it the detection would prove nothing. No `preserves_flags`: nobody promises it.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => error,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") XTILEDATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack)
        );
    }
    error == 0
}
