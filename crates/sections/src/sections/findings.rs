//! The verdicts of the rules: problems with their remedies, checks that passed, checks without data.
use crate::diagnosis::{entries, note};
use crate::page::Block;
use crate::quantity;
use crate::section::{ReportSection, Section};
use analyse::diagnosis::diagnosis;
use analyse::{Report, Verdict, Verdicts};

pub(crate) static SECTION: ReportSection = Section::with_numbers("Findings", 220, &[], blocks);

/// Fired rules first, the most costly of them first, each with its cost, its advice and the command that could prove it wrong.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let found = diagnosis(report, None);
    let mut blocks = vec![];
    for ranked in &found.findings {
        blocks.push(Block::Heading(format!("{} ({})", ranked.title, ranked.id)));
        blocks.push(Block::text(ranked.finding.claim.clone()));
        let mut entries = entries(ranked);
        entries.pop();
        blocks.push(Block::Entries(entries));
        let read = Block::List(ranked.read.clone());
        blocks.push(Block::details("What the rule looked at", vec![read]));
    }
    let clear: Vec<String> =
        found.clear.iter().map(|(id, _, read)| format!("{id}: {}", read.join("; "))).collect();
    let verdicts = report.get::<Verdicts>();
    let unsure = verdicts.iter().filter_map(|(id, verdict)| match verdict {
        Verdict::CannotTell { missing } => Some(format!("{id}: {missing}")),
        _ => None,
    });
    let unsure: Vec<String> = unsure.collect();
    if blocks.is_empty() && !verdicts.0.is_empty() {
        blocks.push(Block::text("No rule found anything wrong."));
    }
    if !found.notes.is_empty() {
        let ids: Vec<&str> = found.notes.iter().map(|r| r.id).collect();
        blocks.push(Block::text(format!("Notes, nothing to do: {}.", ids.join(", "))));
        blocks.push(Block::details(
            quantity::counted(ids.len(), "note"),
            found.notes.iter().flat_map(note).collect(),
        ));
    }
    blocks.extend(Block::listed("Not determined", unsure));
    if !clear.is_empty() {
        blocks.push(Block::details(
            format!("In order: {}", quantity::counted(clear.len(), "rule")),
            vec![Block::List(clear)],
        ));
    }
    blocks
}
