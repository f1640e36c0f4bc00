//! Conclusions that a person can act on, a sentence a line.
use crate::page::Block;
use crate::section::{ReportSection, Section};
use analyse::{Conclusions, Report};

pub(crate) static SECTION: ReportSection = Section::with_numbers("Conclusions", 260, &[], blocks);

/// One list.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    Block::list(report.get::<Conclusions>().0.clone()).into_iter().collect()
}
