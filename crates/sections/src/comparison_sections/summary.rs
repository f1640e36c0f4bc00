//! The answer: who is better at what.
use crate::compared::{BESIDE, ranged, ratio};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ComparisonSection, Section};
use analyse::compare::{Ahead, Comparison, Headline};
use record::{Sort, Text};

pub(crate) static SECTION: ComparisonSection =
    Section::with_numbers("What differs", 10, &[], blocks);

/// The answer, and the mean of each subject.
fn blocks(of: &Comparison) -> Vec<Block> {
    let mut blocks: Vec<Block> = of.summary.iter().cloned().map(Block::text).collect();
    let any = |i: &usize| of.headlines.iter().any(|h| h.sides[*i].is_some());
    let others: Vec<usize> = of.others().filter(any).collect();
    if others.is_empty() {
        return blocks;
    }
    if of.sides.len() <= BESIDE {
        blocks.push(Block::Table(side_by_side(of, &others)));
    } else {
        blocks.push(Block::Table(ends(of, &others)));
        blocks.push(Block::folded(say::MEAN_OF_EACH_GROUP, each(of, &others)));
    }
    blocks
}

/// A row for each subject, a column for each record.
fn side_by_side(of: &Comparison, others: &[usize]) -> Table {
    let mut heads = vec!["better than the baseline, times".to_owned()];
    let names = others.iter().map(|i| format!("#{}", of.sides[*i].name));
    heads.extend(names.flat_map(|name| ["#rows".to_owned(), name]));
    let mut table = Table::new(heads);
    for headline in &of.headlines {
        let sides = others.iter().map(|i| headline.sides[*i].as_ref());
        let cells = sides.flat_map(|ahead| match ahead {
            Some(ahead) => [ahead.rows.into(), times(ahead).into()],
            None => [Text::default(), Text::default()],
        });
        table.add([headline.subject.words()].into_iter().chain(cells));
    }
    table
}

/// A row for each record and subject.
fn each(of: &Comparison, others: &[usize]) -> Table {
    let mut table = Table::new(["record", "group", "#rows", "#better than the baseline, times"]);
    for i in others {
        for headline in &of.headlines {
            let Some(ahead) = &headline.sides[*i] else { continue };
            let (name, subject) = (&of.sides[*i].name, headline.subject.words());
            table.row([name.into(), subject, ahead.rows.into(), times(ahead).into()]);
        }
    }
    table
}

/// The best and the worst of many records at each subject.
fn ends(of: &Comparison, others: &[usize]) -> Table {
    let found = |headline: &Headline| {
        let found = others.iter().filter_map(|i| Some((headline.sides[*i].as_ref()?.times, *i)));
        let mut found: Vec<(f64, usize)> = found.collect();
        found.order_by(|a, b| a.0.total_cmp(&b.0));
        (!found.is_empty()).then(|| (headline.subject.words(), found))
    };
    Table::of(of.headlines.iter().filter_map(found), |(subject, found)| {
        let (low, high) = (found[0], found[found.len() - 1]);
        [
            ("better than the baseline, times", subject),
            ("#records", found.len().into()),
            ("#least", ratio(low.0).into()),
            ("in", (&of.sides[low.1].name).into()),
            ("#middle", middle(&found).into()),
            ("#most", ratio(high.0).into()),
            ("in ", (&of.sides[high.1].name).into()),
        ]
    })
}

/// The median of ratios in order; of an even number the geometric mean of the two in the middle.
pub(super) fn middle(found: &[(f64, usize)]) -> String {
    let above = found.get(found.len() / 2).map(|(x, _)| x);
    let below = found.get(found.len().saturating_sub(1) / 2).map(|(x, _)| x);
    above.zip(below).map_or(String::new(), |(a, b)| ratio((a * b).sqrt()))
}

fn times(ahead: &Ahead) -> String {
    let few = ahead.interval.is_none() && ahead.rows < 5;
    ranged(ahead.times, ahead.interval) + if few { " (few rows)" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::middle;

    #[test]
    fn the_middle_of_two_is_neither() {
        assert_eq!(middle(&[(0.5, 0), (2.0, 1)]), middle(&[(1.0, 0)]));
        assert_eq!(middle(&[(0.5, 0), (0.8, 2), (2.0, 1)]), middle(&[(0.8, 0)]));
        assert_eq!(middle(&[]), "");
    }
}
