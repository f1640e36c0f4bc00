//! STREAM copy by the C library's `memcpy`.
use super::copy::{self, Element};
use crate::{kernel::Kernel, line::Line, pass};

pub static KERNEL: Kernel = Kernel {
    about: "STREAM copy by the C library's `memcpy`: what gcc and clang make of STREAM's loop from `-O2` or `-O3` on.",
    work: copy::KERNEL.work,
    reference: copy::KERNEL.reference,
    variants: variants![memcpy],
};

#[inline(never)]
pub(crate) fn memcpy(memory: &mut [Line], steps: u64) -> u64 {
    pass::stream::<Element>(memory, steps, |parts, _| {
        // SAFETY: both parts have that many initialised lines, do not overlap, and lie in the slice `memory`, which
        // is borrowed mutably.
        unsafe { std::ptr::copy_nonoverlapping(parts.b, parts.a, parts.lines) };
        parts.lines
    })
}
