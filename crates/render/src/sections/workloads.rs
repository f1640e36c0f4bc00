//! Workloads that others measure machines with, in their own terms, and what threads pay that take turns.
use super::memory_management::{Part, part};
use crate::page::Block;
use analyse::Report;

const PARTS: [Part; 3] = [
    Part {
        probe: "prime",
        title: "Primes by trial division (sysbench cpu)",
        rows: &["sysbench", "threads"],
        columns: "metric",
        about: "In the terms of sysbench 0.4 (10,000 events up to 50,000, extrapolated from those that were measured) and of \
                1.0 (events per second up to 10,000). It tests the divider alone: beside it the time of one division.",
    },
    Part {
        probe: "bc",
        title: "Long arithmetic of the installed bc",
        rows: &["task", "copies"],
        columns: "metric",
        about: "pow: 7^999999; pi: 5000 digits of pi. Elapsed until the last copy has ended, and the CPU time of a copy. It \
                is the time of the bc that is installed: compare equal versions only.",
    },
    Part {
        probe: "lock_cost",
        title: "Locks and atomic operations",
        rows: &["way", "threads"],
        columns: "metric",
        about: "Time of one turn of a thread; turns per second of all threads together; and the turns of the thread that had \
                fewest over those of the one that had most. The spin lock and the mutex guard one addition.",
    },
];

/// For each workload its numbers side by side, and all that stands behind them.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    PARTS.iter().flat_map(|p| part(report, p)).collect()
}
