//! Workloads that others measure machines with, in their own terms.
use super::memory_management::{Part, part};
use crate::page::Block;
use analyse::Report;

const PARTS: [Part; 1] = [Part {
    probe: "prime",
    title: "Primes by trial division (sysbench cpu)",
    rows: &["sysbench", "threads"],
    columns: "metric",
    about: "In the terms of sysbench 0.4 (10,000 events up to 50,000, extrapolated from those that were measured) and of 1.0 \
            (events per second up to 10,000). It tests the divider alone: beside it the time of one division.",
}];

/// For each workload its numbers side by side, and all that stands behind them.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    PARTS.iter().flat_map(|p| part(report, p)).collect()
}
