//! The paragraph a person can act on.
use crate::page::Block;
use analyse::Report;

/// One paragraph.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    if report.conclusions.is_empty() {
        return vec![];
    }
    vec![Block::Paragraph(report.conclusions.join(" "))]
}
