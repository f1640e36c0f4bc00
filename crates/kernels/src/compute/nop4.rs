//! 64 instructions of four bytes each that do nothing: what their length costs the core that fetches and decodes them.
use super::nop::{portable, reference};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::line::Line;
use crate::{
    block::LOOP,
    kernel::{Kernel, Work},
};

const WORK: Work = Work::compute(64, 0, 64 + LOOP);

/// The kernel. Where all instructions have one length it has the portable variant only, which says nothing.
pub static KERNEL: Kernel = Kernel {
    title: "No operation of four bytes",
    work: WORK,
    reference,
    variants: variants![
        portable with WORK.compiled();
        x86_64: native
    ],
};

/// 64 times `nop dword ptr [rax + 0]` by its bytes, since an assembler would choose a shorter form. Touches nothing: the
/// address is not used. Source: Intel SDM volume 2B, NOP, recommended multi-byte sequences.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(never)]
fn native(_memory: &mut [Line], steps: u64) -> u64 {
    block!(steps, [".rept 64", ".byte 0x0f, 0x1f, 0x40, 0x00", ".endr"],);
    steps
}
