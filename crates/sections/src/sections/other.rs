//! Measurements without a section of their own: shown plainly rather than lost.
use crate::origin;
use crate::page::Block;
use crate::section::{ReportSection, Section, of_probe};
use analyse::Report;

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Other measurements", 200, &[], blocks);

/// One table per probe, in the record's order.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let rest: Vec<_> = report
        .estimates
        .iter()
        .filter(|e| of_probe(e.probe).is_none())
        .filter(|e| !origin::imported(report, e.run))
        .collect();
    let mut blocks = vec![];
    for probe in rest.chunk_by(|a, b| a.probe == b.probe) {
        blocks.push(Block::heading(probe[0].probe.to_string()));
        blocks.push(Block::Table(origin::table(report, "observed", probe)));
        blocks.push(origin::method(report, probe));
    }
    blocks
}
