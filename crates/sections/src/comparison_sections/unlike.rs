//! Differences of whole records.
use crate::compared::{BESIDE, marked};
use crate::page::{Block, Table};
use crate::section::{ComparisonSection, Section};
use analyse::compare::{Comparison, Incomparable, Standing};
use std::collections::BTreeMap;

pub(crate) static SECTION: ComparisonSection =
    Section::without_numbers("Not comparable, and the remedy", 70, &[], blocks);

/// Reasons that rows have, each once for a probe, with the command that would mend it.
fn blocks(of: &Comparison) -> Vec<Block> {
    let mut found: BTreeMap<(std::cmp::Reverse<u8>, &str, &'static str), (usize, String)> =
        BTreeMap::new();
    for row in &of.rows {
        for cell in row.cells.iter().flatten() {
            let all: &[Incomparable] = match &cell.standing {
                Standing::Refused(unlike) => std::slice::from_ref(unlike),
                Standing::Compared(against) => &against.unlike,
                Standing::Baseline | Standing::Alone => &[],
            };
            for unlike in all {
                let (grade, probe) = (unlike.grade() as u8, row.quantity.probe.as_str());
                let words = || (0, marked(unlike, &row.quantity.command()));
                let key = (std::cmp::Reverse(grade), probe, unlike.word());
                found.entry(key).or_insert_with(words).0 += 1;
            }
        }
    }
    let items: Vec<String> = found
        .into_iter()
        .map(|((_, probe, _), (count, words))| format!("{probe} ({count}): {words}"))
        .collect();
    let mut blocks = Vec::from_iter(Block::list(items));
    if !of.unmatched.is_empty() && of.sides.len() <= BESIDE {
        blocks.push(Block::Heading(
            "Figures of other tools that nothing of ours stands beside".into(),
        ));
        blocks.push(Block::Table(Table::of(&of.unmatched, |one| {
            [
                ("record", of.sides[one.side].name.clone()),
                ("tool", one.tool.clone()),
                ("#figures", one.figures.to_string()),
                ("not measured in", of.sides[one.without].name.clone()),
                ("why", one.why.why.clone()),
                ("what would give one", one.why.remedy.clone().unwrap_or_default()),
            ]
        })));
    }
    blocks
}
