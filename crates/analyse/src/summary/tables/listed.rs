//! Results one by one: which of many come first, and what each is called.
use super::{Cell, Column, Label, Quantity, ROWS, Row, Table, TableId};
use crate::words::bytes;
use crate::{Estimate, Report, UnitOfTool, unit_of_tool};
use record::{Metric, ProbeId, Value, param};

/// Coordinates that say how a result was made or published and not what it is of.
const UNSAID: &[&str] =
    &["tool", "statistic", "os", "kind", "transport", "text", "lineage", "column_head", "attempt"];
/// What is asked for first: whole scores, memory, throughput of programs, each test; what only explains these comes last.
/// Constants of a tool are no results.
fn asked(e: &Estimate) -> Option<usize> {
    let metric = |names: &[&str]| names.iter().any(|name| e.metric == *name);
    Some(match e.probe {
        _ if metric(&["baseline"]) => return None,
        _ if metric(&["score"]) => 0,
        ProbeId::LatMemRd | ProbeId::LoadLatency => 1,
        _ if metric(&["idle_latency", "loaded_latency", "bandwidth"]) => 1,
        _ if metric(&["new_orders", "queries", "throughput", "events", "rating"]) => 2,
        _ if metric(&["index"]) => 3,
        _ if metric(&["rate", "elapsed", "latency"]) => 4,
        _ => EXPLAINS,
    })
}

/// The last of them.
const EXPLAINS: usize = 5;

/// Kinds of results in the order of that, each with its results: of every kind one before the second of any, and a second of
/// what only explains where there is room.
pub(super) fn first<'e>(found: &[&'e Estimate]) -> Vec<&'e Estimate> {
    type Kind = (usize, ProbeId, Metric);
    let mut kinds: Vec<(Kind, Vec<&Estimate>)> = vec![];
    for e in found {
        let Some(asked) = asked(e) else { continue };
        let kind = (asked, e.probe, e.metric);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, all)) => all.push(e),
            None => kinds.push((kind, vec![e])),
        }
    }
    kinds.sort_by_key(|((asked, ..), _)| *asked);
    let mut taken = vec![0; kinds.len()];
    for round in 0..2 * ROWS {
        for (i, ((asked, ..), all)) in kinds.iter().enumerate() {
            let more = taken.iter().sum::<usize>() < ROWS && taken[i] < all.len();
            let explains = *asked == EXPLAINS && (1..ROWS).contains(&round);
            taken[i] += usize::from(more && !explains);
        }
    }
    kinds.iter().zip(taken).flat_map(|((_, all), n)| all.iter().take(n).copied()).collect()
}

/// The unit that a tool has for its result, where it is not ours.
fn named(report: &Report<'_>, e: &Estimate) -> Option<UnitOfTool> {
    let text = |name| report.text(e, name).unwrap_or_default();
    let foreign = report.record.runs[e.run].origin.is_some();
    unit_of_tool((e.probe, e.metric, e.unit), (&text(param::TEST), &text(param::TOOL)), foreign)
}

/// Results one by one, of so many in all.
pub(super) fn listed(
    report: &Report<'_>,
    id: TableId,
    found: &[&Estimate],
    total: usize,
) -> Option<Table> {
    let record = report.record;
    let mut rows = vec![];
    for e in found {
        let said = |(name, value): (&String, &Value)| {
            let value = match (name.as_str(), value.integer()) {
                ("working_set", Some(size)) => bytes(size as f64),
                ("pages", Some(pages)) => format!("{pages} pages"),
                _ => value.to_string(),
            };
            match name.as_str() {
                // Without it the twelve of UnixBench are one.
                "test" => Some(value),
                name if UNSAID.contains(&name) || value.len() > 24 => None,
                "workload" | "kernel" | "op" | "placement" | "pages" | "order" => Some(value),
                name => Some(format!("{} {value}", name.replace('_', " "))),
            }
        };
        let params = record.runs.get(e.run).map(|r| &r.case.params);
        let pairs: Vec<String> =
            params.into_iter().flatten().chain(&e.at).filter_map(said).collect();
        let name = match e.probe {
            // What is no figure of a program has its own name.
            ProbeId::ReferenceResult => e.metric.words(),
            probe if probe.words().ends_with(&e.metric.words()) => probe.words(),
            probe => format!("{} {}", probe.words(), e.metric.words()),
        };
        let name = if pairs.is_empty() { name } else { format!("{name}: {}", pairs.join(", ")) };
        let value = Cell::Number(Quantity::within(e.median, e.unit, e.interval));
        let interval = if e.interval.is_some() { value.clone() } else { Cell::Empty };
        let value = match named(report, e) {
            Some(of) => Cell::Named(Quantity::plain(e.median, e.unit), of.one, of.name),
            None => value,
        };
        rows.push(Row { label: Label::Name(name), cells: vec![value, interval], excluded: false });
    }
    if id == TableId::Imported {
        rows.extend(crate::summary::counted::rows(record));
    }
    let total = total + rows.len() - found.len();
    let table = Table::new(id, &[Column::Value, Column::Interval], rows)?;
    Some(Table { more: total - table.rows.len(), ..table })
}

/// Of each case and metric the last of its sizes, which are measured in ascending order; of few cases, sizes from the first to
/// the last. The first of several attempts stands for all: its interval holds the others.
pub(super) fn chosen<'e>(all: &[&'e Estimate]) -> Vec<&'e Estimate> {
    let again = |e: &&Estimate| param::ATTEMPT.of(&e.at).is_some_and(|attempt| attempt > 1);
    let all: Vec<&Estimate> = all.iter().copied().filter(|e| !again(e)).collect();
    let largest = largest(&all);
    if largest.len() * 2 > ROWS || all.len() <= largest.len() {
        return largest;
    }
    let last = ROWS.min(all.len()) - 1;
    (0..=last).map(|i| all[i * (all.len() - 1) / last]).collect()
}

fn largest<'e>(all: &[&'e Estimate]) -> Vec<&'e Estimate> {
    let words = |e: &Estimate| {
        let words = e.at.iter().filter_map(|(name, value)| Some((name.clone(), value.text()?)));
        words.map(|(name, value)| (name, value.to_owned())).collect::<Vec<_>>()
    };
    let mut kept: Vec<&Estimate> = vec![];
    for e in all {
        let of_it =
            |k: &&mut &Estimate| (k.run, k.metric) == (e.run, e.metric) && words(k) == words(e);
        match kept.iter_mut().rev().find(of_it) {
            Some(smaller) => *smaller = e,
            None => kept.push(e),
        }
    }
    kept
}
