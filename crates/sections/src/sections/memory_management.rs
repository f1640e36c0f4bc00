//! What programs pay beside their accesses: first touches of pages, pages taken away from running threads, lines shared
//! without need, and lines flushed.
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Estimate, Report};
use record::{Message, Metric, ProbeId, Unit, Value};

/// A probe, how its numbers are laid out, and what they are.
pub(super) struct Part {
    pub(super) probe: ProbeId,
    pub(super) title: &'static str,
    /// What rows and columns are: parameters or coordinates; `metric` is the series' own name.
    pub(super) rows: &'static [&'static str],
    pub(super) columns: &'static str,
    pub(super) about: Message,
}

/// Two CPUs at once, which stands beside the lines that CPUs hand to each other.
pub(super) fn two_at_once(report: &Report<'_>) -> Vec<Block> {
    part(report, &TWO_AT_ONCE)
}

const TWO_AT_ONCE: Part = Part {
    probe: ProbeId::SmtPair,
    title: "Two CPUs at once",
    rows: &["stated", "from", "to"],
    columns: "on",
    about: say::ADDITIONS_PER_SECOND_ON_THE_FIRST_CPU,
};

const PARTS: [Part; 5] = [
    Part {
        probe: ProbeId::PageFault,
        title: "First touch of a page",
        rows: &["mapping", "threads"],
        columns: "metric",
        about: say::MEMORY_MANAGEMENT_PER_FAULT_PER_BASE,
    },
    Part {
        probe: ProbeId::TlbShootdown,
        title: "Pages taken away while other threads run",
        rows: &["others"],
        columns: "call",
        about: say::TIME_OF_ONE_CALL_ON_ONE_PAGE,
    },
    Part {
        probe: ProbeId::FalseSharing,
        title: "Counters in one line",
        rows: &["counters"],
        columns: "layout",
        about: say::TIME_OF_ONE_ADDITION_OF_A_THREAD,
    },
    Part {
        probe: ProbeId::MemoryBound,
        title: "A line flushed and loaded again",
        rows: &[],
        columns: "loop",
        about: say::MEMORY_MANAGEMENT_LATENCY_MEMORY_FLUSH_FENCES,
    },
    Part {
        probe: ProbeId::CacheAllocation,
        title: "Loads in a share of the last-level cache",
        rows: &["ways"],
        columns: "working_set",
        about: say::LATENCY_OF_DEPENDENT_LOADS_WHILE_THE_MEASURING,
    },
];

pub(crate) static SECTION: ReportSection = Section::with_numbers(
    "Memory management",
    140,
    &[
        ProbeId::PageFault,
        ProbeId::TlbShootdown,
        ProbeId::FalseSharing,
        ProbeId::MemoryBound,
        ProbeId::CacheAllocation,
    ],
    blocks,
);

/// For each probe its numbers side by side, and all that stands behind them.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    PARTS.iter().flat_map(|p| part(report, p)).collect()
}

pub(super) fn part(report: &Report<'_>, part: &Part) -> Vec<Block> {
    let all = section::of_probes(report, &[part.probe]);
    if all.is_empty() {
        return vec![];
    }
    let mut metrics: Vec<Metric> = all.iter().map(|e| e.metric).collect();
    metrics.sort_unstable();
    metrics.dedup();
    let of = |metric: Metric| {
        let some: Vec<&Estimate> = all.iter().copied().filter(|e| e.metric == metric).collect();
        Block::Table(origin::table(report, &metric.words(), &some))
    };
    vec![
        Block::heading(part.title),
        Block::Table(side_by_side(report, part, &all)),
        Block::text(part.about),
        Block::details("With spread and placement", metrics.into_iter().map(of).collect()),
        origin::method(report, &all),
    ]
}

/// Medians by row and column, both in the order in which they first appear.
fn side_by_side(report: &Report<'_>, part: &Part, all: &[&Estimate]) -> Table {
    let (mut rows, mut columns): (Vec<String>, Vec<String>) = (vec![], vec![]);
    let mut cells: Vec<(usize, usize, String)> = vec![];
    for e in all {
        let words: Vec<String> =
            part.rows.iter().filter_map(|name| word(report, e, name)).collect();
        let row = place(&mut rows, words.join(", "));
        let column = place(&mut columns, word(report, e, part.columns).unwrap_or_default());
        let split = if e.states.len() > 1 { "*" } else { "" };
        cells.push((row, column, quantity::median(e) + split));
    }
    let what = part.rows.join(", ");
    let heads = std::iter::once(what).chain(columns.iter().map(|c| format!("#{c}")));
    let heads: Vec<String> = heads.collect();
    let mut table = Table::new(heads);
    let blank = || columns.iter().map(|_| String::new());
    rows.into_iter().for_each(|row| table.add([row].into_iter().chain(blank())));
    for (row, column, text) in cells {
        table.rows[row][column + 1] = text.into();
    }
    if all.iter().any(|e| e.states.len() > 1) {
        table.note(say::AN_ASTERISK_MARKS_WHAT_WAS_SEEN_IN);
    }
    table
}

/// The index of a text in a list, which it is added to if need be.
fn place(list: &mut Vec<String>, text: String) -> usize {
    list.iter().position(|known| *known == text).unwrap_or_else(|| {
        list.push(text);
        list.len() - 1
    })
}

/// A parameter, a coordinate or the metric in words; nothing where it has none.
fn word(report: &Report<'_>, e: &Estimate, name: &str) -> Option<String> {
    if name == "metric" {
        return Some(e.metric.words());
    }
    let params = report.record.runs.get(e.run).map(|run| &run.case.params);
    let value = e.at.get(name).or_else(|| params?.get(name))?;
    Some(match (name, value) {
        ("threads", Value::Text(text)) if text == "one" => "one thread".into(),
        ("threads", Value::Text(text)) => format!("{text} threads"),
        ("working_set", value) => {
            value.number().map_or_else(|| value.to_string(), |b| quantity::plain(b, Unit::Bytes))
        }
        _ => value.to_string().replace('_', " "),
    })
}
