//! Measurements without a section of their own: shown plainly rather than lost.
use crate::page::Block;
use crate::{origin, section};
use analyse::Report;

/// One table per probe, in the record's order.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    let rest: Vec<_> = report
        .estimates
        .iter()
        .filter(|e| !section::PLACED.contains(&e.probe.as_str()))
        .filter(|e| !origin::imported(report, e.run))
        .collect();
    let mut blocks = vec![];
    for probe in rest.chunk_by(|a, b| a.probe == b.probe) {
        blocks.push(Block::Heading(probe[0].probe.clone()));
        blocks.push(Block::Table(origin::table(report, "observed", probe)));
        blocks.push(origin::method(report, probe));
    }
    blocks
}
