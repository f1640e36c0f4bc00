//! Database engines: SQLite, and servers of MySQL and MariaDB, started here or not, by a client of our own.
#![deny(missing_docs)]

pub mod engine;
pub mod engines;
pub mod lookups;
pub mod mysql;
pub mod options;
mod server;
pub mod session;
