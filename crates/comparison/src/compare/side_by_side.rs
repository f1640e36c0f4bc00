//! The rows of each subject that show it best, to stand side by side: one for each level of the caches, and one for each kind of
//! pages in memory.
use super::headlines::{like, sums_up};
use super::subject::{Subject, SubjectKind};
use super::{Comparison, Row};
use record::{Better, Metric, Sort, Value};
use std::collections::BTreeMap;

/// Rows that are set side by side.
const BESIDE: usize = 24;

/// Values of one program on several machines.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Beside {
    /// Its subject.
    pub subject: Subject,
    /// Index of the row.
    pub row: usize,
    /// The coordinates that distinguish it from the subject's other rows.
    pub at: Vec<(String, String)>,
}

/// Coordinates that say how a result was made or published and not what it is of.
pub const UNSAID: &[&str] = &[
    "tool",
    "statistic",
    "os",
    "kind",
    "transport",
    "text",
    "lineage",
    "column_head",
    "compiler",
    "flags",
    "profile",
    "version",
    "injection",
    "scope_of_memory",
];

/// Coordinates that the subject has, or that differ between none of its rows that are comparable.
const OF_SUBJECT: &[&str] = &["test", "server", "workload", "engine", "between", "stride", "scope"];

/// Rows of which neither more nor less is better, by what they are of; not what was stated, or derived from other figures.
fn neutral(of: &Comparison) -> BTreeMap<Subject, Vec<usize>> {
    let mut found: BTreeMap<Subject, Vec<usize>> = BTreeMap::new();
    for (index, row) in of.rows.iter().enumerate() {
        let quantity = &row.quantity;
        let text = |name: &str| quantity.at.get(name).and_then(Value::text);
        let stated = matches!(text("kind"), Some("stated" | "derived-by-author"));
        if quantity.better != Better::Neither
            || quantity.metric == Metric::Baseline
            || stated
            || !of.others().any(|side| like(row, side).is_some())
        {
            continue;
        }
        let name = text("workload").map_or_else(|| quantity.probe.words(), str::to_owned);
        let subject =
            Subject { kind: SubjectKind::Tool, of: Some(name), smt_pair: false, one_thread: false };
        found.entry(subject).or_default().push(index);
    }
    found
}

/// A row, and the level of the caches that it stands for.
type Chosen = (usize, Option<u32>);

/// The rows that most records have, from each subject in turn; where no subject is faster, rows that say nothing of speed.
pub(super) fn beside(of: &Comparison) -> Vec<Beside> {
    let subjects: Vec<(Subject, Vec<usize>)> = match of.headlines.is_empty() {
        true => neutral(of).into_iter().collect(),
        false => of.headlines.iter().map(|h| (h.subject.clone(), h.rows.clone())).collect(),
    };
    let each = subjects.into_iter().map(|(subject, rows)| {
        let turns = best(of, subject.kind, rows);
        (subject, turns)
    });
    let each: Vec<(Subject, Vec<Vec<Chosen>>)> = each.collect();
    let turn = |number: usize| {
        let turns = each.iter().filter_map(move |(of, turns)| Some((of, turns.get(number)?)));
        turns.flat_map(|(of, rows)| rows.iter().map(move |row| (of, *row)))
    };
    let at = |subject: &Subject, row: usize| {
        let alike = each.iter().filter(|(other, _)| other == subject).flat_map(|(_, turns)| turns);
        let alike: Vec<&Row> = alike.flatten().map(|(row, _)| &of.rows[*row]).collect();
        coordinates(subject.kind, &of.rows[row], &alike)
    };
    let beside = |(subject, (row, level)): (&Subject, Chosen)| {
        let level = level.map(|level| ("cache".to_owned(), format!("L{level}")));
        let at = level.into_iter().chain(at(subject, row)).collect();
        Beside { subject: subject.clone(), row, at }
    };
    (0..BESIDE).flat_map(turn).take(BESIDE).map(beside).collect()
}

/// The coordinates that distinguish a row from those alike.
fn coordinates(kind: SubjectKind, row: &Row, alike: &[&Row]) -> Vec<(String, String)> {
    let quantity = &row.quantity;
    let varies =
        |n: &str, value: &Value| alike.iter().any(|other| other.quantity.at.get(n) != Some(value));
    // Latency differs by pages more than by machines, and is not that of a report, which is of several sizes.
    let of_latency = |n: &str| ["pages", "working_set"].contains(&n);
    let always = |n: &str| of_latency(n) && kind == SubjectKind::MemoryLatency;
    // Which figure of several runs was kept is news where it is no run's; a test where the subject does not name it.
    let said = |n: &str| {
        !UNSAID.contains(&n) && !OF_SUBJECT.contains(&n)
            || n == "statistic" && sums_up(row)
            || n == "test" && kind == SubjectKind::Unixbench
    };
    let shown = quantity.at.iter().filter(|(n, v)| said(n) && (always(n) || varies(n, v)));
    let shown = shown.map(|(name, value)| (name.clone(), value.to_string()));
    // The headline of a report is one way, half of it.
    let round_trip = (quantity.metric == Metric::RoundTrip)
        .then(|| ("metric".to_owned(), Metric::RoundTrip.words()));
    shown.chain(round_trip).collect()
}

/// The rows that show a subject best come first; the levels of the caches are one turn.
fn best(of: &Comparison, kind: SubjectKind, rows: Vec<usize>) -> Vec<Vec<Chosen>> {
    // Nothing was done where all values are zero.
    let some = |row: &usize| of.rows[*row].cells.iter().flatten().any(|cell| cell.median != 0.0);
    let held = |row: usize| of.rows[row].cells.iter().flatten().count();
    let mut rows: Vec<usize> = rows.into_iter().filter(some).collect();
    rows.order_by_key(|row| (std::cmp::Reverse(held(*row)), *row));
    let most = rows.iter().take_while(|row| held(**row) == held(rows[0])).count();
    let found = match kind {
        SubjectKind::CacheLatency => vec![of_levels(of, &rows[..most])],
        SubjectKind::MemoryLatency => of_pages(of, &rows[..most]),
        _ => vec![],
    };
    if found.iter().any(|turn| !turn.is_empty()) {
        return found;
    }
    // The first and the last of a series of steps, then those between.
    if most > 2 {
        let last = rows.remove(most - 1);
        rows.insert(1, last);
    }
    rows.into_iter().map(|row| vec![(row, None)]).collect()
}

/// Rows of one latency over sizes, by all else, with the size: random order and huge pages first.
fn curves(of: &Comparison, rows: &[usize]) -> Vec<Vec<(usize, f64)>> {
    let of_curve = |row: &usize| {
        let quantity = &of.rows[*row].quantity;
        let (axis, bytes) = quantity.along()?;
        let text = |name: &str| quantity.at.get(name).and_then(Value::text);
        let rest = quantity.at.iter().filter(|(name, _)| *name != axis);
        let rest: Vec<String> = rest.map(|(name, value)| format!("{name}={value}")).collect();
        let (order, pages) = (text("order") != Some("random"), text("pages") != Some("thp"));
        let key = (order, pages, format!("{} {}", quantity.probe, rest.join(" ")));
        Some((key, (*row, bytes)))
    };
    record::groups(rows.iter().filter_map(of_curve)).into_values().collect()
}

/// The size in the middle of each level of the caches that all records have.
fn of_levels(of: &Comparison, rows: &[usize]) -> Vec<Chosen> {
    let curves = curves(of, rows);
    let Some(curve) = curves.first() else { return vec![] };
    let mut inner: Option<f64> = None;
    let mut found = vec![];
    for level in 1..=3 {
        let sizes = of.sides.iter().flat_map(|s| &s.caches).filter(|(of, _)| *of == level);
        let mut sizes: Vec<f64> = sizes.map(|(_, bytes)| *bytes as f64).collect();
        sizes.order_by(f64::total_cmp);
        let (Some(low), Some(high)) = (sizes.first().copied(), sizes.last()) else { continue };
        // Half of the first level, else between the sizes of two.
        let from = inner.unwrap_or(low / 4.0);
        let target = (from * low).sqrt();
        let inside = curve.iter().filter(|(_, bytes)| (from..low).contains(bytes));
        let apart = |bytes: f64| (bytes / target).ln().abs();
        let nearest = inside.min_by(|a, b| apart(a.1).total_cmp(&apart(b.1)));
        found.extend(nearest.map(|(row, _)| (*row, Some(level))));
        inner = Some(*high);
    }
    found
}

/// The size in the middle of each curve in random order: memory on each kind of pages.
fn of_pages(of: &Comparison, rows: &[usize]) -> Vec<Vec<Chosen>> {
    let curves = curves(of, rows);
    let random = |curve: &&Vec<(usize, f64)>| {
        let order = curve.first().and_then(|(row, _)| of.rows[*row].quantity.at.get("order"));
        order.and_then(Value::text) == Some("random")
    };
    let middle = |curve: &Vec<(usize, f64)>| vec![(curve[curve.len() / 2].0, None)];
    curves.iter().filter(random).map(middle).collect()
}
