//! Conclusions that a person can act on, a sentence a line.
use crate::page::Block;
use crate::section::{ReportSection, Section};
use analyse::{Conclusions, Report};

pub(crate) static SECTION: ReportSection = Section::with_numbers("Conclusions", 260, &[], blocks);

/// One list.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    if report.get::<Conclusions>().0.is_empty() {
        return vec![];
    }
    vec![Block::List(report.get::<Conclusions>().0.clone())]
}
