//! TPC-C: nine tables, five transactions, their mix, and twelve consistency conditions. Not a TPC result: no keying and think
//! times, minutes instead of hours; docs/limits.md lists the differences. Source: TPC Benchmark C Standard Specification,
//! revision 5.11. Clauses are named where they are used.
mod conditions;
mod delivery;
mod inputs;
mod load;
mod new_order;
mod order_status;
mod payment;
mod procedures;
mod random;
mod schema;
mod statements;
mod stock_level;
mod terminal;
mod text;

use database::engine::SizeOption;

pub use conditions::{ConditionSet, next_orders, violations};
pub use inputs::{Binding, Mix, TransactionType};
pub use load::{load_items, load_warehouse};
pub use procedures::procedures;
pub use random::{Constants, Random};
pub use schema::{TABLES, indexes, tables};
pub use terminal::{
    FinishedTransaction, StatementStyle, Terminal, TerminalOptions, TransactionOutcome,
};

/// The number of warehouses: bytes of a loaded one, and of the items, in InnoDB with latin1.
pub const SIZE_OPTION: SizeOption =
    SizeOption { name: "--warehouses", each: 107_000_000, fixed: 18_000_000 };
/// Districts of a warehouse.
pub const DISTRICTS: i64 = 10;

/// Cardinalities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// Warehouses, numbered from 1.
    pub warehouses: i64,
    /// Items; every warehouse has stock of each.
    pub items: i64,
    /// Customers of a district, and its orders after loading.
    pub customers: i64,
}

impl Scale {
    /// The standard's cardinalities (clause 1.2.1).
    pub fn standard(warehouses: i64) -> Scale {
        Scale { warehouses, items: 100_000, customers: 3000 }
    }
    /// Delivered orders of a district after loading: 2100 of 3000.
    pub fn delivered(&self) -> i64 {
        self.customers * 7 / 10
    }
    /// The highest number of a last name: the first thousand customers have one each.
    pub fn names(&self) -> i64 {
        self.customers.min(1000) - 1
    }
}
