//! TPC-C's five transactions: new orders on one core and more. Not a TPC result.
//!
//! Method: `cpulens db tpcc`. The standard's tables, cardinalities, NURand, mix and rollbacks, without keying and think
//! times. SQLite is built in: each thread has its own warehouses in memory (`sharded`). After a warm-up, windows of
//! fixed time follow each other and count new orders, including the 1 % that the standard rolls back. Deadlocks and
//! lock timeouts are retried with the same inputs, ten times at most. Afterwards the districts' order numbers must
//! match the commits, and the consistency conditions 3.3.2.1 to 3.3.2.4, or all twelve (`--check`), must hold; else
//! there is no number.
//! Limits: docs/limits.md lists the differences from the standard. Data grow during the run: SQLite starts each step
//! with the loaded data, a server with what earlier steps left (`orders_at_start`).
//! Source: TPC Benchmark C Standard Specification, revision 5.11.
use crate::prelude::*;
use workloads::db;

/// New orders per second.
pub static PROBE: Probe = Probe {
    waits: true,
    needs_result: true,
    lacks: db::tpcc_unavailable,
    clean_up: db::remove_folder,
    ..Probe::new(340, 3, "TPC-C transactions of a database on pinned cores", cases, db::run_tpcc)
};

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    db::cases(setting, ProbeId::Tpcc)
}
