//! As `shell1`, with eight scripts at once in every run.
//!
//! Method: as `shell1`; even one copy uses many CPUs, so that pinning a copy to one of them makes it slower.
//! Limits: as `shell1`.
//! Source: sh(1); UnixBench test shell8.
use workloads::unixbench::{Work, probe};

probe!(460, "UnixBench: Shell Scripts (8 concurrent)", Work::Shell(8));
