//! Data sets of databases and the transactions on them: sysbench's point select and TPC-C, on any engine of `database`. `probes`
//! decides what is timed, on which CPUs and for how long.
#![deny(missing_docs)]

pub mod bulk_insert;
pub mod loader;
pub mod point_select;
pub mod prepare;
pub mod tpcc;
