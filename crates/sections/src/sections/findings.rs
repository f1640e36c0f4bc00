//! The verdicts of the rules: problems with their remedies, checks that passed, checks without data.
use crate::diagnosis::{entries, note, of_rule};
use crate::page::Block;
use crate::quantity;
use crate::say;
use crate::section::{ReportSection, Section};
use analyse::diagnosis::diagnosis;
use analyse::{Report, Verdict, Verdicts};
use record::{Between, Text};

pub(crate) static SECTION: ReportSection = Section::with_numbers("Findings", 220, &[], blocks);

/// Fired rules first, the most costly of them first, each with its cost, its advice and the command that could prove it wrong.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let found = diagnosis(report, None);
    let mut blocks = vec![];
    for ranked in &found.findings {
        blocks.push(Block::heading(say::named_finding(&ranked.title, ranked.id)));
        blocks.push(Block::text(ranked.finding.claim.clone()));
        let mut entries = entries(ranked);
        entries.pop();
        blocks.push(Block::Entries(entries));
        let read = Block::items(ranked.read.clone());
        blocks.push(Block::details(say::WHAT_THE_RULE_LOOKED_AT, vec![read]));
    }
    let clear: Vec<Text> = found
        .clear
        .iter()
        .map(|(id, _, read)| of_rule(id, Text::list(read, Between::Semicolon)))
        .collect();
    let verdicts = report.get::<Verdicts>();
    let unsure = verdicts.iter().filter_map(|(id, verdict)| match verdict {
        Verdict::CannotTell { missing } => Some(of_rule(id, missing)),
        _ => None,
    });
    let unsure: Vec<Text> = unsure.collect();
    if blocks.is_empty() && !verdicts.0.is_empty() {
        blocks.push(Block::text(say::NO_RULE_FOUND_ANYTHING_WRONG));
    }
    if !found.notes.is_empty() {
        let ids: Vec<&str> = found.notes.iter().map(|r| r.id).collect();
        blocks.push(Block::text(say::so_it_is_and_nothing_to_act(ids.join(", "))));
        blocks.push(Block::details(
            quantity::counted(ids.len(), "note"),
            found.notes.iter().flat_map(note).collect(),
        ));
    }
    blocks.extend(Block::listed("Not determined", unsure));
    if !clear.is_empty() {
        blocks.push(Block::details(
            format!("In order: {}", quantity::counted(clear.len(), "rule")),
            vec![Block::items(clear)],
        ));
    }
    blocks
}
