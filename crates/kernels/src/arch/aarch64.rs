//! aarch64: the primitives every kernel is built from.
use std::{arch::asm, sync::atomic::AtomicU64};

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

/// Bytes of a scalable vector, where there are any.
pub fn sve_bytes() -> Option<usize> {
    if !std::arch::is_aarch64_feature_detected!("sve") {
        return None;
    }
    let bytes;
    // SAFETY: the feature is there. Writes a register; touches neither memory nor flags. `.arch_extension` ends with
    // the block.
    unsafe {
        asm!(".arch_extension sve", "rdvl {b}, #1", b = lateout(reg) bytes, options(nomem, nostack, preserves_flags));
    }
    Some(bytes)
}

unsafe extern "C" {
    safe fn getauxval(kind: u64) -> u64;
}

/// Bytes of a streaming vector, where there are any and outer products of 8-bit integers.
pub fn sme_bytes() -> Option<usize> {
    /// `HWCAP2_SME` and `HWCAP2_SME_I8I32`, by which Linux also says that it saves the registers; the standard library does
    /// not decode them yet. Source: Linux, arch/arm64/include/uapi/asm/hwcap.h.
    const SME: u64 = 1 << 23 | 1 << 26;
    const AT_HWCAP2: u64 = 26;
    if getauxval(AT_HWCAP2) & SME != SME {
        return None;
    }
    let bytes;
    // SAFETY: the feature is there. Writes a register; touches neither memory nor flags. `.arch_extension` ends with
    // the block.
    unsafe {
        asm!(".arch_extension sme", "rdsvl {b}, #1", b = lateout(reg) bytes, options(nomem, nostack, preserves_flags));
    }
    Some(bytes)
}

/// Proof that this machine has the compare-and-swap of Armv8.1; only detection makes one.
#[derive(Clone, Copy, Debug)]
pub struct Lse(());

impl Lse {
    /// The proof, if there is one. Not inlined, so that a timed function holds the loop and not the search.
    #[inline(never)]
    pub fn detect() -> Option<Lse> {
        std::arch::is_aarch64_feature_detected!("lse").then_some(Lse(()))
    }

    /// Replaces `old` by `new` with one `casal`; whether it did. Ordered on both sides.
    #[inline(always)]
    pub fn swap(self, word: &AtomicU64, old: u64, new: u64) -> bool {
        let seen: u64;
        // SAFETY: `self` proves that the instruction exists. Reads and writes the word, which is shared and atomic;
        // orders what is before and behind it. No `nomem`/`readonly`: it reads, writes and orders memory.
        // `preserves_flags`: it changes none. `.arch_extension` ends with the block.
        unsafe {
            asm!(
                ".arch_extension lse",
                "casal {seen}, {new}, [{word}]",
                seen = inlateout(reg) old => seen,
                new = in(reg) new,
                word = in(reg) word.as_ptr(),
                options(nostack, preserves_flags)
            );
        }
        seen == old
    }

    /// Puts `new` there with one `swpal` and returns what was there. Ordered on both sides.
    #[inline(always)]
    pub fn exchange(self, word: &AtomicU64, new: u64) -> u64 {
        let seen: u64;
        // SAFETY: `self` proves that the instruction exists. Reads and writes the word, which is shared and atomic;
        // orders what is before and behind it. No `nomem`/`readonly`: it reads, writes and orders memory.
        // `preserves_flags`: it changes none. `.arch_extension` ends with the block.
        unsafe {
            asm!(
                ".arch_extension lse",
                "swpal {new}, {seen}, [{word}]",
                new = in(reg) new,
                seen = lateout(reg) seen,
                word = in(reg) word.as_ptr(),
                options(nostack, preserves_flags)
            );
        }
        seen
    }

    /// Adds one with one `ldadd`. Orders nothing.
    #[inline(always)]
    pub fn increment(self, word: &AtomicU64) {
        // SAFETY: `self` proves that the instruction exists. Reads and writes the word, which is shared and atomic. No
        // `nomem`/`readonly`: it reads and writes. `preserves_flags`: it changes none. `.arch_extension` ends with the
        // block.
        unsafe {
            asm!(
                ".arch_extension lse",
                "ldadd {one}, {seen}, [{word}]",
                one = in(reg) 1u64,
                seen = lateout(reg) _,
                word = in(reg) word.as_ptr(),
                options(nostack, preserves_flags)
            );
        }
    }
}

/// Replaces `old` by `new` with a `ldaxr`/`stlxr` pair; whether it did. Ordered on both sides.
/// May fail even if the word is `old`, as exclusive pairs may; the spinning caller tries again.
#[inline(always)]
pub fn swap_exclusive(word: &AtomicU64, old: u64, new: u64) -> bool {
    let failed: u64;
    // SAFETY: reads and writes the word, which is shared and atomic; orders what is before and behind it. Between the
    // two instructions nothing touches memory. No `nomem`/`readonly`: it reads, writes and orders memory.
    // No `preserves_flags`: it compares. `seen` and `failed` are written while inputs are still to be read, hence no
    // `lateout`.
    unsafe {
        asm!(
            "mov {failed}, #1",
            "ldaxr {seen}, [{word}]",
            "cmp {seen}, {old}",
            "b.ne 2f",
            "stlxr {failed:w}, {new}, [{word}]",
            "2:",
            seen = out(reg) _,
            failed = out(reg) failed,
            old = in(reg) old,
            new = in(reg) new,
            word = in(reg) word.as_ptr(),
            options(nostack)
        );
    }
    failed == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn a_swap_replaces_what_it_was_told_and_nothing_else() {
        type Swap = Box<dyn Fn(&AtomicU64, u64, u64) -> bool>;
        // A pair may fail for no reason, but not for ever.
        let patient = |w: &AtomicU64, o, n| (0..1000).any(|_| swap_exclusive(w, o, n));
        let mut swaps: Vec<Swap> = vec![Box::new(patient)];
        swaps.extend(
            Lse::detect().map(|lse| Box::new(move |w: &_, o, n| lse.swap(w, o, n)) as Swap),
        );
        for swap in swaps {
            let words = [AtomicU64::new(7), AtomicU64::new(u64::MAX), AtomicU64::new(7)];
            assert!(!swap(&words[1], 7, 8));
            assert!(swap(&words[1], u64::MAX, 1 << 63));
            assert!(!swap(&words[1], u64::MAX, 5));
            assert_eq!(words.map(|w| w.load(Relaxed)), [7, 1 << 63, 7]);
        }
    }

    #[test]
    fn an_exchange_returns_what_was_there() {
        let Some(lse) = Lse::detect() else { return };
        let words = [AtomicU64::new(1), AtomicU64::new(u64::MAX), AtomicU64::new(1)];
        assert_eq!(lse.exchange(&words[1], 7), u64::MAX);
        assert_eq!(lse.exchange(&words[1], u64::MAX - 1), 7);
        assert_eq!(words.map(|w| w.load(Relaxed)), [1, u64::MAX - 1, 1]);
    }

    #[test]
    fn vectors_are_as_long_as_the_architecture_allows() {
        let has = crate::Features::detect().names().contains(&"sve");
        assert_eq!(sve_bytes().is_some(), has);
        for bytes in [sve_bytes(), sme_bytes()].into_iter().flatten() {
            assert!(bytes % 16 == 0 && (16..=256).contains(&bytes));
        }
    }
}
