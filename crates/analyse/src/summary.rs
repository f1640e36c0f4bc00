//! One screen of a report, as data: the machine, whether it was fit to be measured, the figures that answer, what stands out,
//! what is unknown, and what to do next. Made from a report only; the words are `render`'s.
mod answers;
mod by_file;
mod counted;
mod drawing;
mod figure_id;
pub(crate) mod figures;
mod flat;
mod header;
mod judged;
mod labels;
mod machine;
mod next;
mod tables;

pub use answers::{of_diagnosis, of_machine, of_placement, of_predictions};
pub use drawing::Drawn;
pub use estimates::analyses::judgement::{Cause, Watched};
pub use estimates::estimate::State;
pub use figure_id::FigureId;
pub use figures::{APART, Figure, Note, Rated, STATED_L3};
pub use flat::{Flat, key};
pub use header::Header;
pub use machine::Part;
pub use next::{Command, Gap, Next};
pub use tables::{Cell, Column, Label, Row, Table, TableId};

use crate::cost::Cost;
use crate::diagnosis::diagnosis;
use crate::{Interval, Report, expected};
use benchmarks::quantities::Grade;
use estimates::analyses::judgement;
use record::{Environment, Judgement, Record, Sort, Text, Unit, Warning, WarningKind, distinct};

/// Findings that are shown.
const FINDINGS: usize = 5;

/// One screen of a report.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The machine, time and program.
    pub header: Header,
    /// Whether the record has any measurement.
    pub measured: bool,
    /// Whether the machine was fit to be measured.
    pub environment: Environment,
    /// The reasons of the environment check, the gravest first.
    pub causes: Vec<Cause>,
    /// The figures, in reading order.
    pub figures: Vec<Figure>,
    /// Results of a command at several points.
    pub tables: Vec<Table>,
    /// Findings, the most costly first.
    pub findings: Vec<Finding>,
    /// Findings beyond those.
    pub more_findings: usize,
    /// Quantities worse than published of the microarchitecture.
    pub below: Vec<Below>,
    /// Rules whose finding is nothing to act on, where these were asked for.
    pub notes: Vec<&'static str>,
    /// Differences of published runs, in full sentences, of a diagnosis.
    pub of_published: Vec<Text>,
    /// Rules that had what they need and found nothing to act on.
    pub checks: usize,
    /// Whether the command was asked for something else than findings.
    pub answers_only: bool,
    /// Lines to paste.
    pub lines: Vec<String>,
    /// The machine's parts and long settings, of a machine that was asked for.
    pub drawing: Vec<Drawn>,
    /// Warnings about imported files, the gravest first, each with its file, of several.
    pub warnings: Vec<(Option<String>, Warning)>,
    /// The files that an import read, and the record's path.
    pub imported: Option<Imported>,
    /// Missing data.
    pub gaps: Vec<Gap>,
    /// Suggested next commands.
    pub next: Vec<Next>,
    /// The nearest machine of the catalogue, as a command names it.
    pub nearest: Option<String>,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The first of them as it was given.
    pub given: String,
    /// Files that were read.
    pub files: usize,
    /// Facts of the machine.
    pub facts: usize,
    /// Results.
    pub cases: usize,
    /// The record's file.
    pub record: String,
}

/// Something that stands out.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule.
    pub rule: &'static str,
    /// The rule's short action that fits.
    pub action: &'static str,
    /// The workload that alone it holds for.
    pub workload: Option<String>,
    /// The weakest that it rests on.
    pub grade: Option<Grade>,
    /// Its cost; `None` where that is not known.
    pub cost: Option<Cost>,
    /// The rule that found its cause, whose cost contains this one.
    pub part_of: Option<&'static str>,
    /// The claim with its figures, where the command was asked for findings.
    pub proof: Option<Text>,
}

/// A quantity that is worse than published.
#[derive(Debug, Clone, PartialEq)]
pub struct Below {
    /// The quantity.
    pub quantity: expected::Quantity,
    /// The measured value.
    pub measured: f64,
    /// The nearest that is published.
    pub published: f64,
    /// Speed or reach, as a share of the published one.
    pub share: f64,
}

/// A number as it is shown: with its interval, and the modes where it has no single value.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// In `unit`.
    pub value: f64,
    /// Unit of all numbers here.
    pub unit: Unit,
    /// 95 % interval.
    pub interval: Option<Interval>,
    /// The levels of a figure that was seen at more than one, ascending, each with its number of samples; else empty.
    pub modes: Vec<State>,
}

impl Quantity {
    /// A number whose interval is not known.
    pub fn plain(value: f64, unit: Unit) -> Quantity {
        Quantity { value, unit, interval: None, modes: vec![] }
    }
    /// A quantity with an interval.
    pub fn within(value: f64, unit: Unit, interval: Option<Interval>) -> Quantity {
        Quantity { interval, ..Quantity::plain(value, unit) }
    }
}

/// First how each file contradicts an earlier one about the machine, last what changes no number.
fn warnings(record: &Record) -> Vec<(Option<String>, Warning)> {
    let sources = &record.provenance.sources;
    let several = distinct(sources.iter().map(|source| &source.file)).len() > 1;
    let mut all = vec![];
    for source in sources {
        let mut contradicts = false;
        for warning in &source.warnings {
            let rank = match warning.kind {
                WarningKind::OtherMachine if !std::mem::replace(&mut contradicts, true) => 0,
                WarningKind::Doubt => 1,
                WarningKind::OtherMachine => 2,
                WarningKind::Remark => 3,
            };
            let file = several.then(|| source.file.clone());
            all.push((rank, (file, warning.clone())));
        }
    }
    all.order_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, warning)| warning).collect()
}

/// One screen of a report.
pub fn summary(report: &Report<'_>) -> Summary {
    let found = diagnosis(report, None);
    let own = report.record.runs.iter().any(|r| r.origin.is_none());
    let imported = report.record.runs.iter().any(|r| r.origin.is_some());
    let header = header::header(report.record);
    // Figures of several machines are none of one.
    let several = !header.other_machines.is_empty();
    let figures = if several { vec![] } else { figures::figures(report) };
    Summary {
        measured: !report.record.runs.is_empty(),
        environment: report.get::<Judgement>().environment,
        causes: judgement::warnings(report).into_iter().map(|warning| warning.cause).collect(),
        tables: match report.record.runs.is_empty() {
            true => machine::table(&report.record.machine)
                .into_iter()
                .map(|table| match report.record.provenance.sources.first().filter(|_| several) {
                    Some(source) => Table { file: Some((source.file.clone(), None)), ..table },
                    None => table,
                })
                .collect(),
            false if several => by_file::by_file(report.record),
            false => tables::tables(report, own, imported, !figures.is_empty()),
        },
        header,
        figures,
        more_findings: found.findings.len().saturating_sub(FINDINGS),
        findings: found
            .findings
            .iter()
            .take(FINDINGS)
            .map(|ranked| answers::finding(report.record, ranked))
            .collect(),
        below: if several { vec![] } else { judged::below(report) },
        // What makes the figures above doubtful.
        notes: found.notes.iter().map(|r| r.id).filter(|id| *id == "footprint_in_cache").collect(),
        of_published: vec![],
        checks: found.clear.len() + found.notes.len(),
        answers_only: several,
        lines: vec![],
        drawing: match report.record.runs.is_empty() {
            true => drawing::modules(&report.record.machine).into_iter().collect(),
            false => vec![],
        },
        warnings: warnings(report.record),
        imported: None,
        gaps: if several { vec![] } else { next::gaps(report) },
        next: next::next(report),
        nearest: next::nearest(report),
    }
}
