//! Records side by side: who is faster at what, which records they are, what is unlike about them, how to read it.
use crate::page::{Block, Table};
use crate::quantity::{self, capital, counted};
use analyse::compare::{
    BAND, Comparison, FALSE_SHARE, Grade, Group, GroupMean, Incomparable, Standing, Verdict,
};
use std::collections::BTreeMap;

/// More records than this stand below each other, not side by side.
pub(crate) const BESIDE: usize = 4;

/// The answer, and the mean of each group.
pub fn summary(of: &Comparison) -> Vec<Block> {
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
        let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
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
            Table::new(&["record", "group", "#rows", "#better than the baseline, times"]);
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
        blocks.push(Block::details(
            "Mean of each group, record by record",
            vec![Block::Table(table)],
        ));
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
    let mut table = Table::new(&[
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

/// A ratio with three digits behind the point near 1, fewer farther off.
pub(crate) fn ratio(x: f64) -> String {
    match x {
        x if !x.is_finite() => "not a number".into(),
        x if x >= 99.95 => format!("{x:.0}"),
        x if x >= 9.995 => format!("{x:.1}"),
        x if x >= 1.9995 => format!("{x:.2}"),
        x if x >= 0.09995 => format!("{x:.3}"),
        x => format!("{x:.2e}"),
    }
}

/// Which records, on what, by whom, and whether each was fit.
pub fn records(of: &Comparison) -> Vec<Block> {
    let mut table = Table::new(&[
        "record",
        "machine",
        "measured by",
        "fitness",
        "#moved by itself",
        "#series",
        "#not measured",
        "#only here",
    ]);
    for (i, side) in of.sides.iter().enumerate() {
        table.row([
            if i == of.baseline { format!("{} (baseline)", side.name) } else { side.name.clone() },
            side.model.clone().unwrap_or_else(|| "does not say its model".into()),
            side.made.clone(),
            format!("{:?}", side.environment).to_lowercase(),
            side.drift.map_or("not watched".into(), quantity::percent),
            side.measured.to_string(),
            side.missing.to_string(),
            of.alone[i].to_string(),
        ]);
    }
    let mut blocks = vec![];
    if of.sides.len() <= BESIDE {
        blocks.push(Block::Table(table));
        for i in of.others().filter(|i| !of.unlike[*i].is_empty()) {
            let name = &of.sides[i].name;
            blocks
                .push(Block::Paragraph(format!("{name} and the baseline are unlike as a whole:")));
            let reasons = of.unlike[i].iter().map(|u| marked(u, "cpulens run"));
            blocks.push(Block::List(reasons.collect()));
        }
    } else {
        let unclaimed =
            of.unlike.iter().filter(|u| u.iter().any(|u| u.grade() >= Grade::Unclaimed)).count();
        blocks.push(Block::Paragraph(match unclaimed {
            0 => format!("{}.", counted(of.sides.len(), "record")),
            some => format!(
                "{}; of {some} nothing is claimed, for they are unlike the baseline as a whole.",
                counted(of.sides.len(), "record")
            ),
        }));
        blocks.push(Block::details("Every record", vec![Block::Table(table)]));
    }
    blocks
}

fn marked(unlike: &Incomparable, command: &str) -> String {
    let reason = unlike.reason(command);
    match unlike.grade() {
        Grade::Noted => format!("Noted: {reason}"),
        Grade::Unclaimed => format!("Nothing is claimed: {reason}"),
        Grade::Refused => format!("No ratio: {reason}"),
    }
}

/// Reasons that rows have, each once for a probe, with the command that would mend it.
pub fn unlike(of: &Comparison) -> Vec<Block> {
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
                let key = (
                    std::cmp::Reverse(unlike.grade() as u8),
                    row.quantity.probe.as_str(),
                    unlike.word(),
                );
                let entry = found
                    .entry(key)
                    .or_insert_with(|| (0, marked(unlike, &row.quantity.command())));
                entry.0 += 1;
            }
        }
    }
    let items: Vec<String> = found
        .into_iter()
        .map(|((_, probe, _), (count, words))| format!("{probe} ({count}): {words}"))
        .collect();
    let mut blocks = vec![];
    if !items.is_empty() {
        blocks.push(Block::List(items));
    }
    if !of.unmatched.is_empty() && of.sides.len() <= BESIDE {
        blocks.push(Block::Heading(
            "Figures of other tools that nothing of ours stands beside".into(),
        ));
        let mut table = Table::new(&[
            "record",
            "tool",
            "#figures",
            "not measured in",
            "why",
            "what would give one",
        ]);
        for one in &of.unmatched {
            table.row([
                of.sides[one.side].name.clone(),
                one.tool.clone(),
                one.figures.to_string(),
                of.sides[one.without].name.clone(),
                one.why.why.clone(),
                one.why.remedy.clone().unwrap_or_default(),
            ]);
        }
        blocks.push(Block::Table(table));
    }
    blocks
}

/// What the words and numbers mean.
pub fn reading(of: &Comparison) -> Vec<Block> {
    if !of.comparable() {
        return vec![];
    }
    let bands: Vec<f64> = of.others().map(|i| of.band(i)).collect();
    let (low, high) = bands.iter().fold((f64::MAX, 0.0_f64), |(l, h), b| (l.min(*b), h.max(*b)));
    let band = match low == high {
        true => quantity::percent(low),
        false => format!("{} to {} by record", quantity::percent(low), quantity::percent(high)),
    };
    vec![Block::List(vec![
        "A ratio is this record's median over the baseline's, with its 95 % interval; better or worse is by the \
         direction that is good."
            .into(),
        "In cycles: counted in core cycles of both. Per core: divided by the cores that took part. Per watt and per price: \
         how many times as much it does for as much, where both records were given theirs (--watts, --price)."
            .into(),
        format!(
            "{} and {} are said of differences beyond {band} ({}, or what either machine moved by itself during its run), \
             where at most {} of the rows so called are false. {}: the whole interval lies within. {}: the samples cannot \
             tell. {}: a value without four samples.",
            capital(Verdict::Better.word()),
            Verdict::Worse.word(),
            quantity::percent(BAND),
            quantity::percent(FALSE_SHARE),
            capital(Verdict::Same.word()),
            capital(Verdict::Unclear.word()),
            capital(Verdict::NoSpread.word()),
        ),
        "Samples of one run share what that run had in common, such as where its memory lay: measure each machine twice \
         and compare the two before a small difference is believed."
            .into(),
    ])]
}
