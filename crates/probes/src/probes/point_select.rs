//! Point select: rows read by id, as sysbench does, on one core and more.
//!
//! Method: `cpulens db point-select`. sysbench's table and ids, a prepared statement, one query per event. SQLite is
//! built in and its threads are pinned to the step's CPUs; a server has these CPUs and its clients others. After a
//! warm-up, windows of fixed time follow each other. An event counts where it ends; its latency goes into a histogram
//! (HdrHistogram, three digits), whose quantiles are kept. Every answer's length is checked. Cycles, instructions, CPU
//! time and switches are the engine's.
//! Limits: a closed loop, so latency is that of a saturated database. SQLite has no row locks and no clients, so its
//! numbers are not a server's.
//! Source: sysbench 1.0.20, oltp_point_select.lua; sqlite.org; hdrhistogram.org.
use crate::prelude::*;
use workloads::db;

/// Queries per second.
pub static PROBE: Probe = Probe {
    waits: true,
    needs_result: true,
    lacks: db::point_select_unavailable,
    clean_up: db::remove_folder,
    ..Probe::new(330, 3, "Point selects of a database on pinned cores", cases, db::run_point_select)
};

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    db::cases(setting, ProbeId::PointSelect)
}
