//! The program, host and time of a record; and every case in the order in which it ran.
use crate::page::{Block, Entry, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity};
use analyse::Report;
use record::{Between, Outcome, Text, Unit};

pub(crate) static SECTION: ReportSection = Section::without_numbers("Provenance", 250, &[], blocks);

/// The program, then the cases.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let made = &report.record.provenance;
    let or_not = |text: &Option<String>| text.clone().unwrap_or_else(|| "not recorded".into());
    let mut entries = vec![
        Entry::known("Measured by", format!("{} {}", made.tool, made.version)),
        Entry::known("Commit", or_not(&made.commit)),
        Entry::known("Compiler", or_not(&made.compiler)),
        Entry::known("Target", or_not(&made.target)),
        Entry::known(say::HASH_OF_THE_MEASURED_CODE_S_SOURCES, or_not(&made.kernels)),
        Entry::known("Depth", or_not(&made.depth)),
        Entry::known("Seed", made.seed.to_string()),
        Entry::known("Started (UTC)", or_not(&made.started)),
        Entry::known("Took", quantity::plain(made.took, Unit::Seconds)),
        Entry::known("Record schema", report.record.schema.to_string()),
    ];
    if !made.command.is_empty() {
        entries.insert(1, Entry::known("Command line", made.command.join(" ")));
    }
    if made.resumed > 0 {
        entries.push(Entry::known("Resumed", format!("{} times", made.resumed)));
    }
    let cases = Table::of(&report.record.runs, |run| {
        let (outcome, series) = match &run.outcome {
            Outcome::Measured(series) => ("measured", series.as_slice()),
            Outcome::Skipped(_) => ("skipped", &[][..]),
            Outcome::Failed(_) => ("failed", &[][..]),
            Outcome::NotReached(_) => ("not reached", &[][..]),
        };
        let buffer = series.iter().filter_map(|s| s.buffer.as_ref()).max_by_key(|b| b.bytes);
        let readings: Vec<Text> = run
            .readings
            .iter()
            .map(|r| match r.coverage {
                c if c >= 0.9995 => {
                    format!("{} {}", r.name, quantity::plain(r.value, r.unit)).into()
                }
                c => say::provenance_watched_time(
                    &r.name,
                    quantity::plain(r.value, r.unit),
                    quantity::percent(c),
                ),
            })
            .collect();
        [
            ("case", Text::from(run.case.label())),
            ("version", run.case.version.to_string().into()),
            ("outcome", outcome.into()),
            ("placement", origin::placement(run, buffer)),
            ("#series", series.len().to_string().into()),
            ("#samples", series.iter().map(|s| s.samples.len()).sum::<usize>().to_string().into()),
            ("#marked", series.iter().map(|s| s.disturbed.len()).sum::<usize>().to_string().into()),
            ("#began", quantity::plain(run.began, Unit::Seconds).into()),
            ("#took", quantity::plain(run.took, Unit::Seconds).into()),
            ("readings", Text::list(readings, Between::Semicolon)),
        ]
    });
    let mut blocks = vec![Block::Entries(entries)];
    if !cases.rows.is_empty() {
        blocks.push(Block::folded(say::EVERY_CASE_IN_THE_ORDER_IN_WHICH, cases.folded()));
    }
    blocks
}
