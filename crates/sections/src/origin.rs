//! The origin of a number, in words: pages, placement, disturbances, modes. Shown beside every number.
use crate::chart::range;
use crate::page::{Block, Table};
use crate::quantity;
use crate::say;
use analyse::{Estimate, Interval, Report};
use record::{Between, Buffer, Pages, Run, Sort, Text, Unit, Value};

/// Pages that were asked for and what was found: `transparent huge pages, 98 % verified`.
pub fn pages(buffer: &Buffer) -> String {
    let verified = match buffer.huge_share {
        Some(share) => say::on_huge_pages(quantity::percent(share)),
        None => say::SHARE_ON_HUGE_PAGES_UNREADABLE.into(),
    };
    match buffer.pages {
        Pages::Base if buffer.base_page == 0 => format!("base pages, {verified}"),
        Pages::Base => format!("{} base pages, {verified}", quantity::size(buffer.base_page)),
        other => format!("{}, {verified}", page_kind(other)),
    }
}

/// Pages that were asked for.
pub fn page_kind(pages: Pages) -> String {
    match pages {
        Pages::Base => "base pages".into(),
        Pages::Thp => "transparent huge pages".into(),
        Pages::Hugetlb(bytes) => format!("reserved {} pages", quantity::size(bytes)),
    }
}

/// The placement, asked for and found: `CPU 2, memory on node 0`.
pub fn placement(run: &Run, buffer: Option<&Buffer>) -> Text {
    let set =
        |pick: fn(&record::Thread) -> u32| run.threads.iter().map(pick).collect::<record::CpuSet>();
    let (asked, found) = (set(|t| t.asked), set(|t| t.found));
    let cpus = if run.threads.is_empty() {
        say::cpu_asked_not_verified(run.case.place.cpus.to_string())
    } else if run.threads.iter().all(|t| t.asked == t.found) {
        say::on_cpu(found.to_string())
    } else {
        say::cpu_asked_found_on(asked.to_string(), found.to_string())
    };
    if let Some(buffer) = buffer.filter(|b| !b.nodes.is_empty()) {
        let shares = buffer.nodes.iter().map(|(node, share)| match *share {
            s if s >= 0.9995 => say::on_node(*node),
            s => say::share_on_node(*node, quantity::percent(s)),
        });
        return say::memory_on(cpus, Text::list(shares, Between::Comma));
    }
    match run.case.place.node {
        Some(node) => say::memory_asked_not_verified(cpus, node),
        None => cpus,
    }
}

/// Coordinates of an estimate inside its case: `48 KiB`, `op add`.
pub fn point(estimate: &Estimate) -> String {
    let words: Vec<String> =
        estimate.at.iter().map(|(name, value)| coordinate(name, value)).collect();
    words.join(", ")
}

/// A coordinate that is a number of things: `2 other threads`.
pub fn counted(name: &str, number: usize) -> Option<String> {
    let one = match name {
        "others" => "other thread",
        "counters" => "counter",
        "pages" => "page",
        _ => return None,
    };
    Some(quantity::counted(number, one))
}

fn coordinate(name: &str, value: &Value) -> String {
    if let Some(counted) = value.number().and_then(|n| counted(name, n as usize)) {
        return counted;
    }
    match (name, value.number(), value.text()) {
        ("working_set", Some(bytes), _) => quantity::plain(bytes, Unit::Bytes),
        // lmbench's argument is a number of MiB where it is small.
        ("size", Some(bytes), _) if bytes >= 1048576.0 => quantity::plain(bytes, Unit::Bytes),
        ("threads", _, Some("one")) => "one thread".into(),
        ("pages", _, Some("base")) => "base pages".into(),
        ("pages", _, Some("thp")) => "transparent huge pages".into(),
        _ if LEADING.contains(&name) => value.to_string(),
        ("threads" | "order" | "pages", _, Some(value)) => format!("{value} {name}"),
        _ => format!("{} {value}", name.replace('_', " ")),
    }
}

/// Coordinates that name what was done: they come first, and their values speak for themselves.
const LEADING: &[&str] = &["op", "chain", "kernel", "working_set", "between"];

/// Whether a run's numbers are another tool's.
pub fn imported(report: &Report<'_>, run: usize) -> bool {
    report.record.runs.get(run).is_some_and(|r| r.origin.is_some())
}

/// The case's parameters and the coordinates inside it.
pub fn label(report: &Report<'_>, estimate: &Estimate) -> String {
    let words = words(report, estimate);
    if words.is_empty() { estimate.metric.words() } else { words.join(", ") }
}

fn words(report: &Report<'_>, estimate: &Estimate) -> Vec<String> {
    let params = report.record.runs.get(estimate.run).map(|run| &run.case.params);
    coordinates(params.into_iter().flatten().chain(&estimate.at))
}

/// Parameters and coordinates in words, those first that say what was done.
pub fn coordinates<'a>(pairs: impl Iterator<Item = (&'a String, &'a Value)>) -> Vec<String> {
    let mut pairs: Vec<_> = pairs.collect();
    pairs.order_by_key(|(name, _)| !LEADING.contains(&name.as_str()));
    let words = pairs.into_iter().map(|(name, value)| coordinate(name, value));
    words.filter(|w| !w.is_empty()).collect()
}

/// Labels without what all of them say, and that.
pub fn labels(report: &Report<'_>, estimates: &[&Estimate]) -> (Vec<String>, Vec<String>) {
    without_common(&estimates.iter().map(|e| words(report, e)).collect::<Vec<_>>())
}

/// Labels without the words that all of them have, and these words.
pub(crate) fn without_common(all: &[Vec<String>]) -> (Vec<String>, Vec<String>) {
    let mut common = all.first().filter(|_| all.len() > 1).cloned().unwrap_or_default();
    common.retain(|word| all.iter().all(|words| words.contains(word)));
    if all.iter().any(|words| words.iter().all(|word| common.contains(word))) {
        common.clear();
    }
    let rest = |words: &Vec<String>| {
        words.iter().filter(|w| !common.contains(w)).cloned().collect::<Vec<_>>().join(", ")
    };
    let rest = all.iter().map(rest).collect();
    (rest, common)
}

/// Samples used.
pub fn samples(estimate: &Estimate) -> String {
    estimate.count.to_string()
}

/// Samples left out, and what disturbed them: `2 steal`, `3: migration 2, steal 1`; empty where there are none.
pub fn left_out(estimate: &Estimate) -> String {
    if estimate.marked.is_empty() {
        return String::new();
    }
    if let (1, Some((why, count))) = (estimate.marked.len(), estimate.marked.iter().next()) {
        return format!("{count} {why}");
    }
    let why: Vec<String> = estimate.marked.iter().map(|(why, n)| format!("{why} {n}")).collect();
    format!("{}: {}", estimate.marked.values().sum::<usize>(), why.join(", "))
}

/// The median, or of several modes the lowest and the highest: a median across modes means nothing.
pub fn median(estimate: &Estimate) -> String {
    let levels = || estimate.states.iter().map(|s| s.level);
    match estimate.states.len() {
        0 | 1 => quantity::median(estimate),
        _ => {
            let (low, high) = range(levels());
            let low = quantity::in_scale_of(low, high, estimate.unit);
            format!("{low}-{}", quantity::plain(high, estimate.unit))
        }
    }
}

/// More than one mode, in words; empty for one.
pub fn states(estimate: &Estimate) -> String {
    states_of(estimate.states.iter().chain(&estimate.elsewhere), estimate.unit)
}

/// Levels with their counts; empty for fewer than two.
pub fn states_of<'a>(states: impl Iterator<Item = &'a analyse::State>, unit: Unit) -> String {
    let level = |s: &analyse::State| format!("{} ({}x)", quantity::plain(s.level, unit), s.count);
    let levels: Vec<String> = states.map(level).collect();
    match levels.len() {
        0 | 1 => String::new(),
        modes => format!("{modes} modes: {}", levels.join(", ")),
    }
}

/// The interval of a value, in its unit.
pub fn interval(value: f64, unit: Unit, interval: Option<Interval>) -> String {
    interval.map_or("too few samples".into(), |i| quantity::interval(value, unit, &i))
}

/// Every series for those who want to know, and how all of them were measured.
pub fn every(
    report: &Report<'_>,
    title: impl Into<Text>,
    what: &str,
    all: &[&Estimate],
) -> Vec<Block> {
    if all.is_empty() {
        return vec![];
    }
    vec![Block::folded(title, table(report, what, all)), method(report, all)]
}

/// [`every`] under the usual title and name.
pub fn every_series(report: &Report<'_>, all: &[&Estimate]) -> Vec<Block> {
    every(report, say::ORIGIN_EVERY_SERIES_SPREAD_PAGES, "series", all)
}

/// A table of estimates with everything that must stand beside a number.
pub fn table(report: &Report<'_>, what: &str, estimates: &[&Estimate]) -> Table {
    let (labels, common) = labels(report, estimates);
    let table = Table::of(estimates.iter().zip(labels), |(e, label)| {
        let buffer = report.series(e).and_then(|s| s.buffer.as_ref());
        let cycles = |x: Option<f64>| x.map_or(String::new(), quantity::cycles);
        let run = report.record.runs.get(e.run);
        // The first visit is the program's own process.
        let own = run.map_or(0, |run| run.visits.iter().filter(|v| v.own_process).count());
        let visits = e.variation.and_then(|v| {
            let what = if own + 1 == v.visits && own > 0 { " processes" } else { "" };
            Some(format!("{} of {}{what}", quantity::percent(v.between?), v.visits))
        });
        [
            (what, if label.is_empty() { e.metric.words() } else { label }.into()),
            ("#median", median(e).into()),
            ("#95 % interval", interval(e.median, e.unit, e.interval).into()),
            ("#CV", e.cv.map_or("one sample".into(), quantity::percent).into()),
            ("#between visits", visits.unwrap_or_default().into()),
            ("#cycles", cycles(e.cycles).into()),
            ("#per cycle", cycles(e.per_cycle).into()),
            ("#samples", samples(e).into()),
            ("excluded", left_out(e).into()),
            ("modes", states(e).into()),
            ("pages", buffer.map_or(String::new(), pages).into()),
            ("placement", run.map(|run| placement(run, buffer)).unwrap_or_default()),
            ("code", e.variant.clone().unwrap_or_default().into()),
        ]
    });
    let mut table = table.folded();
    table.notes.splice(0..0, (!common.is_empty()).then(|| common.join(", ").into()));
    table
}

/// The runs behind some estimates: one row per case.
pub fn method(report: &Report<'_>, estimates: &[&Estimate]) -> Block {
    let mut table = Table::default();
    for of_run in estimates.chunk_by(|a, b| a.run == b.run) {
        let Some(run) = report.record.runs.get(of_run[0].run) else { continue };
        let record::Outcome::Measured(all) = &run.outcome else { continue };
        let buffer = all.iter().filter_map(|s| s.buffer.as_ref()).max_by_key(|b| b.bytes);
        let mut variants: Vec<&str> = all.iter().filter_map(|s| s.variant.as_deref()).collect();
        variants.dedup();
        let steps = match (all.iter().map(|s| s.steps).min(), all.iter().map(|s| s.steps).max()) {
            (Some(low), Some(high)) if low == high => low.to_string(),
            (Some(low), Some(high)) => format!("{low} to {high}"),
            _ => String::new(),
        };
        let over = buffer.and_then(|b| b.llc_ratio);
        table.headed([
            ("case", run.case.label().into()),
            ("probe version", format!("{} v{}", run.case.probe, run.case.version).into()),
            ("placement", placement(run, buffer)),
            ("largest buffer", buffer.map_or(String::new(), |b| quantity::size(b.bytes)).into()),
            ("filled with", buffer.map_or(String::new(), |b| b.content.clone()).into()),
            ("#over last-level cache", over.map_or(String::new(), |r| format!("{r:.1}x")).into()),
            ("pages", buffer.map_or(String::new(), pages).into()),
            ("code", variants.join(", ").into()),
            ("#steps per sample", steps.into()),
            ("#series", all.len().to_string().into()),
            ("#samples", all.iter().map(|s| s.samples.len()).sum::<usize>().to_string().into()),
            ("#marked", all.iter().map(|s| s.disturbed.len()).sum::<usize>().to_string().into()),
            ("#took", quantity::plain(run.took, Unit::Seconds).into()),
        ]);
    }
    Block::details(
        "How it was measured",
        vec![Block::text(say::ORIGIN_MEDIAN_UNDISTURBED_SAMPLES_95), Block::Table(table.folded())],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_things_has_its_noun() {
        let words = |name: &str, n: u64| coordinates([(&name.to_owned(), &n.into())].into_iter());
        for (name, one, two) in [
            ("others", "1 other thread", "2 other threads"),
            ("counters", "1 counter", "2 counters"),
            ("pages", "1 page", "2 pages"),
        ] {
            assert_eq!([words(name, 1), words(name, 2)], [[one], [two]]);
            assert_eq!(counted(name, 2).as_deref(), Some(two));
        }
        assert_eq!(words("nodes", 2), ["nodes 2"]);
    }
}
