//! sysbench's oltp_point_select: its table, and rows selected by primary key. The seed determines the data, so two machines load
//! the same rows. Source: sysbench 1.0.20, oltp_common.lua and oltp_point_select.lua; 0.5, tests/db/select.lua.
mod ids;
mod rows;

pub use ids::{Distribution, Ids};
pub use rows::{C_LENGTH, PAD_LENGTH, load};

use database::engine::{SizeOption, SqlDialect};

/// The number of rows: bytes of one with its secondary index entry. InnoDB needs 2.4 GB for ten million in latin1.
pub const SIZE_OPTION: SizeOption = SizeOption { name: "--rows", each: 240, fixed: 0 };

/// The query of an event: autocommit, one row by primary key.
pub const STATEMENT: &str = "SELECT c FROM sbtest1 WHERE id=?";

/// The table of sysbench. The index on `k` follows after loading.
pub fn schema(dialect: SqlDialect) -> String {
    let (key, options) = match dialect {
        SqlDialect::Sqlite => ("INTEGER PRIMARY KEY", ""),
        SqlDialect::Mysql => {
            ("INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY", " ENGINE=InnoDB CHARACTER SET latin1")
        }
    };
    format!(
        "CREATE TABLE sbtest1 (id {key}, k INTEGER NOT NULL DEFAULT 0, c CHAR(120) NOT NULL DEFAULT '', \
         pad CHAR(60) NOT NULL DEFAULT ''){options}"
    )
}

/// The index that sysbench creates after loading (`create_secondary`).
pub const INDEX: &str = "CREATE INDEX k_1 ON sbtest1(k)";

/// Tables of this workload.
pub const TABLES: &[&str] = &["sbtest1"];

/// Whether a text has the form of column `c`: groups of eleven digits separated by dashes.
pub fn is_c(text: &str) -> bool {
    text.len() == C_LENGTH
        && text.bytes().enumerate().all(|(at, byte)| match at % 12 {
            11 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}
