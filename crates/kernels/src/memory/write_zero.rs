//! Stores zeros by ordinary stores.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
use super::zero::Zero;
#[cfg(all(target_arch = "aarch64", not(miri)))]
use super::zero::neon;
use super::zero::{self, word};
use crate::kernel::Kernel;

pub static KERNEL: Kernel = Kernel {
    about: "Stores zeros by ordinary stores: `write` but for the content. Never published as the bandwidth of writing.
Beside `write` it tells what writing zeros saves where no store goes past the caches; `zero` is the fastest way.",
    work: zero::KERNEL.work,
    reference: zero::KERNEL.reference,
    variants: variants![
        word;
        x86_64: sse2, avx2 if avx2, avx512 if avx512;
        aarch64: neon if neon, sve if sve
    ],
};

#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(sse2, Zero, sse2, cached, [r"\store [rdi + rcx + \o], \k"]);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(avx2, Zero, avx2, cached, [r"\store [rdi + rcx + \o], \k"]);
#[cfg(all(target_arch = "x86_64", not(miri)))]
pass!(avx512, Zero, avx512, cached, [r"\store [rdi + rcx + \o], \k"]);
#[cfg(all(target_arch = "aarch64", not(miri)))]
pass_sve!(sve, Zero, cached, [r"\store {{z31.d}}, p0, [x0, \o]"]);
