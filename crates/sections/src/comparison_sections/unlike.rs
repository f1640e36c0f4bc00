//! Differences of whole records.
use crate::compared::{BESIDE, marked};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ComparisonSection, Section};
use analyse::compare::{Comparison, Incomparable, Standing};
use record::{Between, Text};
use std::collections::BTreeMap;

pub(crate) static SECTION: ComparisonSection =
    Section::without_numbers("Not comparable, and the remedy", 70, &[], blocks);

/// Reasons that rows have, each once for a probe, with the command that would mend it.
fn blocks(of: &Comparison) -> Vec<Block> {
    let mut found: BTreeMap<(std::cmp::Reverse<u8>, &str, &'static str), (usize, Text)> =
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
                let key = (std::cmp::Reverse(grade), probe, unlike.word().english());
                found.entry(key).or_insert_with(words).0 += 1;
            }
        }
    }
    let items = found.into_iter().map(|((_, probe, _), (count, words))| {
        Text::list([format!("{probe} ({count})").into(), words], Between::Colon)
    });
    let mut blocks = Vec::from_iter(Block::list(items.collect()));
    if !of.unmatched.is_empty() && of.sides.len() <= BESIDE {
        blocks.push(Block::heading(say::OTHERS_ALONE));
        blocks.push(Block::Table(Table::of(&of.unmatched, |one| {
            [
                ("record", Text::from(&of.sides[one.side].name)),
                ("tool", (&one.tool).into()),
                ("#figures", one.figures.into()),
                ("not measured in", (&of.sides[one.without].name).into()),
                ("why", one.why.why.clone()),
                ("what would give one", one.why.remedy.clone().unwrap_or_default()),
            ]
        })));
    }
    blocks
}
