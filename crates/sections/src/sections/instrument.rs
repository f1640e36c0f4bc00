//! What reading the clock costs and what it resolves: the floor under every other number.
use crate::page::Block;
use crate::section::{ReportSection, Section};
use crate::{origin, section};
use analyse::Report;
use record::ProbeId;

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Measurement overhead", 30, &[ProbeId::Instrument], blocks);

/// The clock's own figures.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let own = section::of_probes(report, SECTION.probes);
    if own.is_empty() {
        return vec![];
    }
    vec![Block::Table(origin::table(report, "observed", &own)), origin::method(report, &own)]
}
