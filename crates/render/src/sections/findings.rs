//! What the rules say: what is wrong and what to do, what is in order, what cannot be told.
use crate::page::{Block, Entry};
use crate::quantity;
use analyse::{Report, Verdict};

/// Fired rules first, each with its advice and the command that could prove it wrong.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    let (mut fired, mut clear, mut unsure) = (vec![], vec![], vec![]);
    for (id, verdict) in &report.verdicts {
        match verdict {
            Verdict::Fires { finding, read } => {
                fired.push(Block::Heading((*id).into()));
                fired.push(Block::Paragraph(finding.claim.clone()));
                fired.push(Block::Entries(vec![
                    Entry::known("What to do", finding.advice.clone()),
                    Entry::known("To prove it wrong", finding.confirm_with.clone()),
                ]));
                fired.push(Block::details(
                    "What the rule looked at",
                    vec![Block::List(read.clone())],
                ));
            }
            Verdict::Clear { read } => clear.push(format!("{id}: {}", read.join("; "))),
            Verdict::CannotTell { missing } => unsure.push(format!("{id}: {missing}")),
        }
    }
    let mut blocks = fired;
    if blocks.is_empty() && !report.verdicts.is_empty() {
        blocks.push(Block::Paragraph("No rule found anything wrong.".into()));
    }
    if !unsure.is_empty() {
        blocks.push(Block::Heading("Cannot be told".into()));
        blocks.push(Block::List(unsure));
    }
    if !clear.is_empty() {
        blocks.push(Block::details(
            format!("In order: {}", quantity::counted(clear.len(), "rule")),
            vec![Block::List(clear)],
        ));
    }
    blocks
}
