//! The nine tables (clause 1.3) with go-tpc's names and types, so that either program can run on and check the other's data.
//! `history` has no primary key: InnoDB adds a hidden one.
use database::engine::SqlDialect;

/// The tables in the order in which they can be dropped.
#[rustfmt::skip]
pub const TABLES: &[&str] = &[
    "history", "new_order", "order_line", "orders", "customer", "district", "stock", "item", "warehouse",
];

/// The CREATE TABLE statements of SQLite; a blank line is between two.
const CREATE: &str = include_str!("tables.sql");

/// The CREATE TABLE statements.
pub fn tables(dialect: SqlDialect) -> Vec<String> {
    let one = |sql: &str| {
        let sql = sql.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        match dialect {
            SqlDialect::Sqlite => sql,
            SqlDialect::Mysql => {
                sql.replace(" WITHOUT ROWID", "")
                    + " ENGINE=InnoDB DEFAULT CHARACTER SET latin1 COLLATE latin1_bin"
            }
        }
    };
    CREATE.trim_end().split("\n\n").map(one).collect()
}

/// The CREATE INDEX statements for after loading.
pub fn indexes() -> [&'static str; 2] {
    [
        "CREATE INDEX idx_customer ON customer (c_w_id, c_d_id, c_last, c_first)",
        "CREATE INDEX idx_order ON orders (o_w_id, o_d_id, o_c_id, o_id)",
    ]
}
