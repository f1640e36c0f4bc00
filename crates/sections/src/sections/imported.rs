//! Results of other tools: their files, what is doubtful about them, their numbers and counters as printed. They are
//! shown here and nowhere else, so that nobody takes them for measurements of this program.
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity};
use analyse::{Estimate, Report};
use record::{
    Publication, Run, Source,
    param::{self, Parameter},
};

pub(crate) static SECTION: ReportSection =
    Section::without_numbers("Results of other tools", 170, &[], blocks);

/// Files, doubts, then a table for each kind of result.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let sources = &report.record.provenance.sources;
    if sources.is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::Table(files(sources))];
    let doubts: Vec<String> = sources
        .iter()
        .flat_map(|s| s.warnings.iter().map(|w| format!("{}: {}", place(s, w.line), w.what)))
        .collect();
    blocks.extend(Block::listed(say::WHAT_IS_DOUBTFUL_ABOUT_THEM, doubts));
    let all: Vec<&Estimate> =
        report.estimates.iter().filter(|e| origin::imported(report, e.run)).collect();
    for probe in all.chunk_by(|a, b| a.probe == b.probe) {
        blocks.push(Block::heading(probe[0].probe.words()));
        blocks.push(Block::Table(numbers(report, probe)));
    }
    blocks.extend(Block::titled("Counters", counters(report)));
    blocks
}

fn files(sources: &[Source]) -> Table {
    let table = Table::of(sources, |s| {
        [
            ("file", s.file.clone()),
            ("tool", s.tool.clone()),
            ("version", s.version.clone().unwrap_or_default()),
            ("#doubts", s.warnings.len().to_string()),
            ("published in", s.publication.as_ref().map_or(String::new(), published)),
            ("command", s.command.clone().unwrap_or_default()),
        ]
    });
    table.folded()
}

/// Title, author, date and address, as far as they are known.
fn published(in_: &Publication) -> String {
    let parts = [&in_.author, &in_.published, &in_.address].into_iter().flatten();
    std::iter::once(&in_.title).chain(parts).cloned().collect::<Vec<_>>().join(", ")
}

fn place(source: &Source, line: Option<u32>) -> String {
    line.map_or_else(|| source.file.clone(), |line| format!("{}:{line}", source.file))
}

fn from(report: &Report<'_>, run: &Run) -> String {
    let source = |o: record::Origin| {
        Some(place(report.record.provenance.sources.get(o.source as usize)?, Some(o.line)))
    };
    run.origin.and_then(source).unwrap_or_default()
}

/// A printed figure a row. What all rows of a table say stands below it once.
fn numbers(report: &Report<'_>, estimates: &[&Estimate]) -> Table {
    let (labels, common) = origin::labels(report, estimates);
    let mut table = Table::of(estimates.iter().zip(labels), |(e, label)| {
        let several = e.count > 1;
        let end = |x: f64| if several { quantity::plain(x, e.unit) } else { String::new() };
        let run = report.record.runs.get(e.run);
        [
            ("what", label),
            ("metric", e.metric.words()),
            ("#value", quantity::plain(e.median, e.unit)),
            ("#least", end(e.min)),
            ("#most", end(e.max)),
            ("#samples", e.count.to_string()),
            ("read from", run.map_or(String::new(), |run| from(report, run))),
        ]
    });
    if !common.is_empty() {
        table.note(common.join(", "));
    }
    table.folded()
}

/// The counts, their scope, and the share of the time that they were counted.
fn counters(report: &Report<'_>) -> Table {
    let runs = report.record.runs.iter().filter(|r| r.origin.is_some());
    let readings = runs.flat_map(|run| run.readings.iter().map(move |r| (run, r)));
    let table = Table::of(readings, |(run, r)| {
        let word = |of: Parameter<str>| run.case.get(of).unwrap_or_default().to_owned();
        [
            ("counter", r.name.clone()),
            ("#value", quantity::plain(r.value, r.unit)),
            ("#counted for", quantity::percent(r.coverage)),
            ("scope", word(param::SCOPE)),
            ("of", word(param::OF)),
            ("read from", from(report, run)),
        ]
    });
    table.folded()
}
