//! Facts in which the machines of several records differ.
use crate::compared::BESIDE;
use crate::page::{Block, Column, Table};
use crate::say;
use crate::section::{ComparisonSection, Section};
use crate::sections::machine;
use analyse::compare::{Comparison, FactRow};

pub(crate) static SECTION: ComparisonSection =
    Section::without_numbers("The machines, where they differ", 40, &[], blocks);

/// Facts that decide speed come first; the rest is folded away.
fn blocks(of: &Comparison) -> Vec<Block> {
    if of.sides.len() > BESIDE {
        return many(of);
    }
    let (important, rest): (Vec<&FactRow>, Vec<&FactRow>) =
        of.facts.iter().partition(|f| f.important);
    let mut blocks = vec![];
    if important.is_empty() {
        blocks.push(Block::text(say::MACHINES_ALIKE));
    } else {
        blocks.push(Block::Table(table(of, &important)));
    }
    if !rest.is_empty() {
        let differ = if rest.len() == 1 { "fact that differs" } else { "facts that differ" };
        let summary = format!("{} other {differ}", rest.len());
        blocks.push(Block::folded(summary, table(of, &rest)));
    }
    blocks
}

fn table(of: &Comparison, facts: &[&FactRow]) -> Table {
    let names = of.sides.iter().map(|side| side.name.as_str());
    // A name that begins with a hash is no column of numbers.
    let mut table = Table::new(["fact"]);
    table.columns.extend(names.map(|name| Column { name: name.into(), ..Column::default() }));
    for fact in facts {
        let mut row = vec![machine::fact_name(&fact.name).to_owned()];
        row.extend(fact.values.iter().map(|value| match value {
            Some((value, unit)) => machine::value_words(value, *unit),
            None => "not known".into(),
        }));
        table.add(row);
    }
    table
}

/// The number of values of a fact among many machines, and the most frequent one.
fn many(of: &Comparison) -> Vec<Block> {
    let mut table = Table::new(["fact", "#values", "most frequent", "#records", "of the baseline"]);
    for fact in of.facts.iter().filter(|f| f.important) {
        let words = |value: &Option<(record::Value, Option<record::Unit>)>| {
            value.as_ref().map_or("not known".into(), |(v, unit)| machine::value_words(v, *unit))
        };
        let mut counts = std::collections::BTreeMap::new();
        for value in &fact.values {
            *counts.entry(words(value)).or_insert(0_usize) += 1;
        }
        let Some((most, count)) = counts.iter().max_by_key(|(_, count)| **count) else { continue };
        table.row([
            machine::fact_name(&fact.name).to_owned(),
            counts.len().to_string(),
            most.clone(),
            count.to_string(),
            words(&fact.values[of.baseline]),
        ]);
    }
    Block::table(table)
}
