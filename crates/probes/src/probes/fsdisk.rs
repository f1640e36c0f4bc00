//! A file of 8000 KiB into another by buffers of 4096 bytes, in the page cache.
//!
//! Method: as `fstime`, a page at a time.
//! Limits: as `fstime`; despite its name the disk is hardly involved.
//! Source: read(2), write(2); UnixBench test fsdisk.
use workloads::unixbench::{Work, probe};

probe!(400, "UnixBench: File Copy 4096", Work::Copy { size: 4096, kib: 8000 });
