//! Rows asked for by their id, as many as a database answers: sysbench's point select, on one core and on more of them.
//!
//! Method: `cpulens db point-select`. sysbench's table and ids, a prepared statement, an event a query. SQLite is built in, and
//! its threads are pinned to the step's CPUs; a server has these and its clients others. After a warm-up the load goes on
//! through windows of a fixed time; an event counts where it ends, its latency goes into a histogram (HdrHistogram, three digits)
//! of which quantiles are kept, and every answer's length is looked at. Cycles, instructions, CPU time and switches are those of
//! the engine. Limits: a closed loop, so that latency is that of a database that is as busy as it can be; SQLite has no
//! locks on rows and no clients to wait for, and its numbers are not those of a server.
//! Source: sysbench 1.0.20, oltp_point_select.lua; sqlite.org; hdrhistogram.org.
use crate::{
    bench::Bench,
    db,
    probe::{Probe, Setting},
};
use record::{Case, Reason, Series};

/// Queries per second.
#[derive(Debug)]
pub struct PointSelect;

impl Probe for PointSelect {
    fn title(&self) -> &'static str {
        "Point selects of a database on pinned cores"
    }
    fn version(&self) -> u32 {
        3
    }
    fn needs_result(&self) -> bool {
        true
    }
    fn cases(&self, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
        db::cases(setting, "point_select")
    }
    fn lacks(&self, case: &Case) -> Option<Reason> {
        db::lacks_point_select(case)
    }
    fn run(&self, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
        db::run_point_select(case, bench)
    }
}
