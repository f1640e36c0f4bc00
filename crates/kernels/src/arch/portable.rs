//! Any other architecture, and Miri: the same contracts without assembly.
use std::{
    hint,
    sync::atomic::{Ordering, fence as order},
};

/// Whether `ticks_begin` and `ticks_end` read a counter.
pub const TICKS: bool = false;

/// Loads the word at `p` with one plain load the compiler can neither drop, merge nor repeat.
///
/// # Safety
/// `p` must be valid for a read of one `usize`.
#[inline(always)]
pub unsafe fn load(p: *const usize) -> usize {
    // SAFETY: the caller vouches for `p`.
    unsafe { p.read_volatile() }
}

/// The counter before the timed code. There is none we know of, as [`TICKS`] says.
#[inline(always)]
pub fn ticks_begin() -> u64 {
    0
}

/// The counter after the timed code; see [`ticks_begin`].
#[inline(always)]
pub fn ticks_end() -> u64 {
    0
}

/// Tells the core that this is a spin loop.
#[inline(always)]
pub fn pause() {
    hint::spin_loop();
}

/// Every earlier load and store is visible before any later one.
#[inline(always)]
pub fn fence() {
    order(Ordering::SeqCst);
}

/// Returns `x` from somewhere the compiler knows nothing about; may go through memory.
#[inline(always)]
pub fn opaque(x: u64) -> u64 {
    hint::black_box(x)
}
