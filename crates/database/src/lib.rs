//! Database engines, the data they hold and the transactions they are asked. What is measured of them, where and for how
//! long, is decided in `measure`.
#![deny(missing_docs)]

pub mod engine;
pub mod engines;
pub mod insert;
pub mod loader;
pub mod lookups;
pub mod mysql;
pub mod point_select;
pub mod prepare;
mod server;
pub mod session;
pub mod tpcc;
