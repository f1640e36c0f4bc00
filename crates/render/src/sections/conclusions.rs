//! The paragraph a person can act on.
use crate::page::Block;
use analyse::{Conclusions, Report};

/// One paragraph.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    if report.get::<Conclusions>().0.is_empty() {
        return vec![];
    }
    vec![Block::Paragraph(report.get::<Conclusions>().0.join(" "))]
}
