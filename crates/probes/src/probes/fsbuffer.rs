//! A file of 500 KiB into another by buffers of 256 bytes, in the page cache.
//!
//! Method: as `fstime`, with buffers so small that the two system calls of each dominate.
//! Limits: as `fstime`.
//! Source: read(2), write(2); UnixBench test fsbuffer.
use workloads::unixbench::{Work, probe};

probe!(390, "UnixBench: File Copy 256", Work::Copy { size: 256, kib: 500 });
