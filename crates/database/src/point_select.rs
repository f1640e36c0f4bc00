//! sysbench's point select: its table, and rows asked for by their id. Data follow from the seed alone, so that two machines
//! hold the same rows. Source: sysbench 1.0.20, oltp_common.lua and oltp_point_select.lua; 0.5, tests/db/select.lua.
mod ids;
mod rows;

pub use ids::{Distribution, Ids};
pub use rows::{C_LENGTH, PAD_LENGTH, load};

use crate::engine::Dialect;

/// Bytes that a row takes with its part of the index: InnoDB's 2.4 GB for ten million, with latin1.
pub const BYTES_A_ROW: u64 = 240;

/// What is asked: sysbench 1.0's event, one query in a transaction of its own.
pub const STATEMENT: &str = "SELECT c FROM sbtest1 WHERE id=?";

/// The table as sysbench creates it, without its index on `k`, which comes after loading.
pub fn schema(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => {
            "CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, k INTEGER NOT NULL DEFAULT 0, \
             c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '')"
        }
        Dialect::Mysql => {
            "CREATE TABLE sbtest1 (id INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY, k INTEGER NOT NULL DEFAULT 0, \
             c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '') ENGINE=InnoDB CHARACTER SET latin1"
        }
    }
}

/// The index that sysbench creates after loading (`create_secondary`).
pub const INDEX: &str = "CREATE INDEX k_1 ON sbtest1(k)";

/// Tables of this workload.
pub const TABLES: &[&str] = &["sbtest1"];

/// Whether a text is a row's `c`: groups of eleven digits with dashes between them.
pub fn is_c(text: &str) -> bool {
    text.len() == C_LENGTH
        && text.bytes().enumerate().all(|(at, byte)| match at % 12 {
            11 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}
