//! STREAM copy by the C library's `memcpy`: what gcc and clang make of STREAM's loop from `-O2` or `-O3` on.
use super::copy::Copy;
use crate::{
    kernel::{Kernel, Work},
    line::Line,
    pass,
};

/// The kernel.
pub static KERNEL: Kernel = Kernel {
    title: "Copies part 1 to part 0 by the C library",
    work: Work::memory(2, 1, 1, 0),
    reference,
    variants: variants![memcpy],
};

fn reference(memory: &mut [Line], steps: u64) -> u64 {
    pass::reference::<Copy>(memory, steps)
}

/// All of a part in one call.
#[inline(never)]
pub(crate) fn memcpy(memory: &mut [Line], steps: u64) -> u64 {
    pass::stream::<Copy>(memory, steps, |parts, _| {
        // SAFETY: both parts have that many initialised lines, do not overlap, and lie in the slice `memory`, which
        // nobody else uses meanwhile.
        unsafe { std::ptr::copy_nonoverlapping(parts.b, parts.a, parts.lines) };
        parts.lines
    })
}
