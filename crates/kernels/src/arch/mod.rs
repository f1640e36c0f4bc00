//! Generated from this folder by `cargo xtask registry`. Do not edit.

#[cfg(all(target_arch = "aarch64", not(miri)))]
#[path = "aarch64.rs"]
mod this;
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[path = "x86_64.rs"]
mod this;
#[cfg(miri)]
#[path = "portable.rs"]
mod this;
#[cfg(not(any(miri, target_arch = "aarch64", target_arch = "x86_64")))]
#[path = "portable.rs"]
mod this;

pub use this::*;
