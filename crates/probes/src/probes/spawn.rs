//! Processes that do nothing but end.
//!
//! Method: a small dynamically linked program forks, and waits for the child, which exits at once.
//! Limits: the cost grows with what the parent has mapped; this one has as little as the original.
//! Source: fork(2); UnixBench test spawn.
use workloads::unixbench::{Work, probe};

probe!(430, "UnixBench: Process Creation", Work::Spawn);
