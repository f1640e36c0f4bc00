//! The core's real clock and what it does per cycle.
use crate::page::Block;
use crate::{origin, quantity, section};
use analyse::Report;

/// Clock, then rates.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    let (clock, rates) =
        (section::of_probes(report, &["core_clock"]), section::of_probes(report, &["core_rate"]));
    let mut blocks = vec![];
    if !clock.is_empty() {
        blocks.push(Block::Heading("Clock, without performance counters".into()));
        blocks.push(Block::List(
            clock
                .iter()
                .map(|e| format!("chain of {}: {}", origin::point(e), quantity::estimate(e)))
                .collect(),
        ));
        blocks.push(Block::Table(origin::table(report, "chain", &clock)));
        blocks.push(origin::method(report, &clock));
    }
    if !rates.is_empty() {
        blocks.push(Block::Heading("Time per operation".into()));
        blocks.push(Block::Table(origin::table(report, "operation", &rates)));
        blocks.push(origin::method(report, &rates));
    }
    blocks
}
