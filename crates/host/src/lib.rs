//! Everything that touches the operating system: clocks, CPUs, pages, threads, signals, and what the kernel says in files.
//! With `kernels` the only crate that may contain `unsafe`. Linux only.
pub mod accounts;
pub mod child;
pub mod clock;
pub mod costs;
pub mod counters;
#[cfg(target_arch = "x86_64")]
mod cpuid;
pub mod cpus;
mod descriptors;
pub mod disturb;
pub mod filemap;
mod free;
pub mod guest;
pub mod interrupts;
pub mod kmod;
pub mod live;
pub mod mempolicy;
pub mod numamaps;
pub mod openssl;
pub mod own_folder;
mod owner;
pub mod pages;
pub mod partition;
mod process_stat;
pub mod programs;
pub mod realtime;
pub mod remap;
pub mod resctrl;
pub mod signals;
mod smaps;
pub mod sockets;
pub mod startup;
mod syscall;
mod tcp_peer;
pub mod threads;
pub mod usage;
