//! 512 bytes into a pipe and out of it, by one process.
//!
//! Method: two system calls a turn, and no switch to another process.
//! Limits: it measures entries into the kernel and the pipe's lock.
//! Source: pipe(7); UnixBench test pipe.
use workloads::unixbench::{Work, probe};

probe!(410, "UnixBench: Pipe Throughput", Work::Pipe);
