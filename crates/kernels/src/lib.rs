//! The machine code being timed. This crate and `host` are the only ones that may contain `unsafe`.
//!
//! Nothing here reads a clock to decide anything; no timed loop allocates or calls the C library, `copy_libc` excepted.
// First, since the kernels below are written with the macros of these.
#[macro_use]
mod block;
#[macro_use]
pub mod kernel;
#[macro_use]
mod pass;
#[macro_use]
mod wide;

pub mod answers;
pub mod arch;
pub mod arena;
pub mod chase;
pub mod compute;
pub mod features;
pub mod flush;
pub mod gap;
pub mod line;
pub mod lmbench;
pub mod lock;
pub mod memory;
pub mod prime;
pub mod programs;
pub mod quantum;
pub mod spin;
pub mod sync;

pub use arena::{Arena, fill_random, fill_zero};
pub use chase::{Order, Ring, Thrash};
pub use features::Features;
pub use kernel::{Kernel, Run, Variant, Work};
pub use line::Line;

/// First 16 hex digits of the SHA-256 over this crate's source files: equal hashes, equal kernels.
pub const SOURCE_HASH: &str = env!("KERNELS_SOURCE_HASH");
