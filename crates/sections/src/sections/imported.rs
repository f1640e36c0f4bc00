//! Results of other tools: their files, what is doubtful about them, their numbers and counters as printed. They are
//! shown here and nowhere else, so that nobody takes them for measurements of this program.
use crate::page::{Block, Table};
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
    if !doubts.is_empty() {
        blocks.push(Block::Heading("What is doubtful about them".into()));
        blocks.push(Block::List(doubts));
    }
    let all: Vec<&Estimate> =
        report.estimates.iter().filter(|e| origin::imported(report, e.run)).collect();
    for probe in all.chunk_by(|a, b| a.probe == b.probe) {
        blocks.push(Block::Heading(probe[0].probe.words()));
        blocks.push(Block::Table(numbers(report, probe)));
    }
    blocks.extend(Block::titled("Counters", counters(report)));
    blocks
}

fn files(sources: &[Source]) -> Table {
    let mut table = Table::new(["file", "tool", "version", "#doubts", "published in", "command"]);
    for s in sources {
        table.row([
            s.file.clone(),
            s.tool.clone(),
            s.version.clone().unwrap_or_default(),
            s.warnings.len().to_string(),
            s.publication.as_ref().map_or(String::new(), published),
            s.command.clone().unwrap_or_default(),
        ]);
    }
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
    let mut table =
        Table::new(["what", "metric", "#value", "#least", "#most", "#samples", "read from"]);
    let (labels, common) = origin::labels(report, estimates);
    for (e, label) in estimates.iter().zip(labels) {
        let several = e.count > 1;
        let end = |x: f64| if several { quantity::plain(x, e.unit) } else { String::new() };
        table.row([
            label,
            e.metric.words(),
            quantity::plain(e.median, e.unit),
            end(e.min),
            end(e.max),
            e.count.to_string(),
            report.record.runs.get(e.run).map_or(String::new(), |run| from(report, run)),
        ]);
    }
    if !common.is_empty() {
        table.note(common.join(", "));
    }
    table.folded()
}

/// The counts, their scope, and the share of the time that they were counted.
fn counters(report: &Report<'_>) -> Table {
    let mut table = Table::new(["counter", "#value", "#counted for", "scope", "of", "read from"]);
    for run in report.record.runs.iter().filter(|r| r.origin.is_some()) {
        let word =
            |parameter: Parameter<str>| run.case.get(parameter).unwrap_or_default().to_owned();
        for r in &run.readings {
            table.row([
                r.name.clone(),
                quantity::plain(r.value, r.unit),
                quantity::percent(r.coverage),
                word(param::SCOPE),
                word(param::OF),
                from(report, run),
            ]);
        }
    }
    table.folded()
}
