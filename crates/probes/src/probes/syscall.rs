//! Five short system calls: dup, close, getpid, getuid, umask.
//!
//! Method: one count is all five. 6.0 duplicates the end of its own pipe; earlier versions the standard input that all
//! copies share, which makes many copies wait for its reference count.
//! Limits: it measures kernel entry, including mitigations.
//! Source: UnixBench test syscall.
use workloads::unixbench::{Work, probe};

probe!(440, "UnixBench: System Call Overhead", Work::Syscall);
