//! A file of 2000 KiB into another by buffers of 1024 bytes, in the page cache.
//!
//! Method: every copy reads a buffer and writes it, from start to end and again, for the time of a pass. Bytes copied per second.
//! Limits: the disk is hardly involved: it measures the page cache and the filesystem of the scratch folder, which is stated with it (tmpfs is a
//! tenth faster than ext4). Before the timed part files are written once; with --exact there are the original's phases.
//! Source: read(2), write(2); UnixBench test fstime.
use workloads::unixbench::{Work, probe};

probe!(380, "UnixBench: File Copy 1024", Work::Copy { size: 1024, kib: 2000 });
