//! Workloads that are whole programs: databases on pinned cores, and the twelve tests of UnixBench. Their probes are in `probes`.
#![deny(missing_docs)]

pub mod db;
pub mod unixbench;
