//! TPC-C's five transactions, as many as a database commits: new orders on one core and on more of them. Not a TPC result.
//!
//! Method: `cpulens db tpcc`. The standard's tables, cardinalities, NURand, mix and roll-backs, without keying and think times.
//! SQLite is built in: each thread has warehouses of its own in memory (`sharded`). After a warm-up the load goes on through
//! windows of a fixed time; what is counted are new orders, with the one in a hundred that the standard wants rolled back.
//! Deadlocks and lock timeouts are tried again with the same inputs, ten times at most. Afterwards the districts' order numbers
//! must have grown by what was committed, and the consistency conditions 3.3.2.1 to 3.3.2.4 hold, or all twelve (`--check`);
//! else there is no number. Limits: what differs from the standard is in docs/limits.md; data grow while they are worked on:
//! SQLite begins every step with those of the load, a server with what the steps before have left (`orders_at_start`).
//! Source: TPC Benchmark C Standard Specification, revision 5.11.
use crate::{
    bench::Bench,
    db,
    probe::{Probe, Setting},
};
use record::{Case, Reason, Series};

/// New orders per second.
#[derive(Debug)]
pub struct Tpcc;

impl Probe for Tpcc {
    fn title(&self) -> &'static str {
        "TPC-C transactions of a database on pinned cores"
    }
    fn version(&self) -> u32 {
        3
    }
    fn needs_result(&self) -> bool {
        true
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        db::cases(setting, "tpcc")
    }
    fn lacks(&self, case: &Case) -> Option<Reason> {
        db::lacks_tpcc(case)
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        db::run_tpcc(case, bench)
    }
}
