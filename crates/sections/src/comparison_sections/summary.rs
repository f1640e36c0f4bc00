//! The answer: who is better at what.
use crate::compared::{BESIDE, ratio};
use crate::page::{Block, Table};
use crate::section::{ComparisonSection, Section};
use analyse::compare::{Comparison, Group, GroupMean};
use std::collections::BTreeMap;

pub(crate) static SECTION: ComparisonSection =
    Section { title: "What differs", order: 10, numbers: true, probes: &[], blocks };

/// The answer, and the mean of each group.
fn blocks(of: &Comparison) -> Vec<Block> {
    let mut blocks: Vec<Block> = of.summary.iter().cloned().map(Block::Paragraph).collect();
    let others: Vec<usize> = of.others().filter(|i| !of.means[*i].is_empty()).collect();
    if others.is_empty() {
        return blocks;
    }
    if of.sides.len() <= BESIDE {
        let mut groups: Vec<_> =
            others.iter().flat_map(|i| of.means[*i].iter().map(|m| m.group)).collect();
        groups.sort();
        groups.dedup();
        let mut heads = vec!["better than the baseline, times".to_owned()];
        heads.extend(
            others.iter().flat_map(|i| ["#rows".to_owned(), format!("#{}", of.sides[*i].name)]),
        );
        let mut table = Table::new(heads);
        for group in groups {
            let mut row = vec![group.name().to_owned()];
            for i in &others {
                let mean = of.means[*i].iter().find(|m| m.group == group);
                row.push(mean.map_or(String::new(), |m| m.rows.to_string()));
                row.push(mean.map_or(String::new(), times));
            }
            table.rows.push(row);
        }
        blocks.push(Block::Table(table));
    } else {
        blocks.push(Block::Table(ends(of, &others)));
        let mut table =
            Table::new(["record", "group", "#rows", "#better than the baseline, times"]);
        for i in others {
            for mean in &of.means[i] {
                table.row([
                    of.sides[i].name.clone(),
                    mean.group.name().into(),
                    mean.rows.to_string(),
                    times(mean),
                ]);
            }
        }
        blocks.push(Block::folded("Mean of each group, record by record", table));
    }
    blocks
}

/// Of many records, who is best and worst at what.
fn ends(of: &Comparison, others: &[usize]) -> Table {
    let mut by_group: BTreeMap<Group, Vec<(f64, usize)>> = BTreeMap::new();
    for i in others {
        for mean in &of.means[*i] {
            by_group.entry(mean.group).or_default().push((mean.times, *i));
        }
    }
    let mut table = Table::new([
        "better than the baseline, times",
        "#records",
        "#least",
        "in",
        "#middle",
        "#most",
        "in ",
    ]);
    for (group, mut found) in by_group {
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(low), Some(high)) = (found.first(), found.last()) else { continue };
        table.row([
            group.name().into(),
            found.len().to_string(),
            ratio(low.0),
            of.sides[low.1].name.clone(),
            ratio(found[found.len() / 2].0),
            ratio(high.0),
            of.sides[high.1].name.clone(),
        ]);
    }
    table
}

fn times(mean: &GroupMean) -> String {
    match mean.interval {
        Some(i) => format!("{} [{}, {}]", ratio(mean.times), ratio(i.low), ratio(i.high)),
        None if mean.rows < 5 => format!("{} (few rows)", ratio(mean.times)),
        None => ratio(mean.times),
    }
}
