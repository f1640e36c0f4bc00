//! aarch64: the primitives every kernel is built from.
use std::arch::asm;

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
            "ldr {v}, [{p}]",
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
    let ticks;
    // SAFETY: touches no memory. `isb` keeps the read of the counter behind everything earlier (Arm ARM, D11.1.2),
    // the second one keeps later instructions behind the read. No `nomem`: the compiler must not move memory accesses
    // over it.
    unsafe {
        asm!("isb", "mrs {t}, cntvct_el0", "isb", t = lateout(reg) ticks, options(nostack, preserves_flags));
    }
    ticks
}

/// The counter after the timed code: `dsb ld` waits for its loads, `isb` for its instructions.
#[inline(always)]
pub fn ticks_end() -> u64 {
    let ticks;
    // SAFETY: touches no memory. `isb` alone does not wait for a load whose value nobody used, hence `dsb ld`.
    // No `nomem`: the compiler must not move memory accesses over it.
    unsafe {
        asm!("dsb ld", "isb", "mrs {t}, cntvct_el0", "isb", t = lateout(reg) ticks, options(nostack, preserves_flags));
    }
    ticks
}

/// Ticks per second, as firmware wrote it into `cntfrq_el0`; `None` if it wrote nothing.
pub fn ticks_rate_hint() -> Option<f64> {
    let rate: u64;
    // SAFETY: reads a register Linux lets user code read; touches neither memory nor flags.
    unsafe {
        asm!("mrs {r}, cntfrq_el0", r = lateout(reg) rate, options(nomem, nostack, preserves_flags));
    }
    (rate != 0).then_some(rate as f64)
}

/// Tells the core that this is a spin loop. `isb`, since `yield` is a no-op on most cores.
#[inline(always)]
pub fn pause() {
    // SAFETY: touches no memory, registers or flags. No `nomem`: a spin must see memory anew after it.
    unsafe { asm!("isb", options(nostack, preserves_flags)) };
}

/// Every earlier load and store is visible before any later one, non-temporal stores included.
#[inline(always)]
pub fn fence() {
    // SAFETY: writes nothing. No `nomem`: it orders memory, for the compiler too.
    unsafe { asm!("dmb ish", options(nostack, preserves_flags)) };
}

/// Returns `x` from a register the compiler knows nothing about: no instruction is emitted.
#[inline(always)]
pub fn opaque(mut x: u64) -> u64 {
    // SAFETY: empty. `nomem`: it must not force anything else to memory. No `pure`: it must not be merged or moved
    // out of a loop.
    unsafe { asm!("/* {x} */", x = inlateout(reg) x, options(nomem, nostack, preserves_flags)) };
    x
}

/// Bytes one `dc zva` zeroes, unless it is prohibited or larger than a page could be.
pub fn zva_bytes() -> Option<usize> {
    let id: u64;
    // SAFETY: reads a register user code may read; touches neither memory nor flags.
    unsafe {
        asm!("mrs {r}, dczid_el0", r = lateout(reg) id, options(nomem, nostack, preserves_flags));
    }
    // Bit 4 prohibits; bits 3:0 are log2 of the size in 4-byte words (Arm ARM, DCZID_EL0).
    let bytes = 4usize << (id & 15);
    (id & 16 == 0 && (64..=4096).contains(&bytes)).then_some(bytes)
}
