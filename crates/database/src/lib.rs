//! Database engines, their data sets and their transactions. `probes` decides what is timed, on which CPUs and for how long.
#![deny(missing_docs)]

pub mod bulk_insert;
pub mod engine;
pub mod engines;
pub mod loader;
pub mod lookups;
pub mod mysql;
pub mod options;
pub mod point_select;
pub mod prepare;
mod server;
pub mod session;
pub mod tpcc;
