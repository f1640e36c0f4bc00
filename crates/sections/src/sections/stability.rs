//! Drift of the machine while it was measured, by the reference sample between the cases.
use crate::chart::{Chart, Kind, Panel};
use crate::page::{Block, Entry, Table};
use crate::quantity;
use crate::say;
use crate::section::{ReportSection, Section};
use analyse::{Drift, Report, placed, placement};
use record::Unit;

pub(crate) static SECTION: ReportSection = Section::with_numbers("Stability", 210, &[], blocks);

/// Drift in figures, then sample by sample.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = vec![];
    if let Some(drift) = report.get::<Option<Drift>>() {
        let (median, low, high) = drift.frequency;
        let frequency = |hz| quantity::plain(hz, Unit::Hertz);
        blocks.push(Block::text(drift.verdict.clone()));
        blocks.push(Block::Entries(vec![
            Entry::known(say::SAMPLES_OF_THE_REFERENCE_SAMPLE, drift.samples.to_string()),
            Entry::known(
                say::FREQUENCY_MEDIAN,
                format!(
                    "{} (5th to 95th percentile {} to {})",
                    frequency(median),
                    frequency(low),
                    frequency(high)
                ),
            ),
        ]));
        blocks.push(Block::Table(Table::of(&drift.resources, |moved| {
            // Those that rest on it and were measured while it was beyond its limit.
            let marked = report.own().iter().filter_map(|e| e.moved);
            let marked = marked.filter(|m| m.resource == moved.resource).count();
            [
                ("resource", moved.resource.name().to_owned()),
                ("#range between samples", quantity::percent(moved.range)),
                ("#limit", quantity::percent(moved.resource.limit())),
                ("#series taken meanwhile", marked.to_string()),
            ]
        })));
    }
    if !report.record.reference_samples.is_empty() {
        blocks.push(Block::chart(chart(report)));
    }
    blocks
}

/// Lowest and highest window of a sample; nothing for a sample without windows.
fn span(windows: &[f64]) -> Option<(f64, f64)> {
    let low = windows.iter().copied().min_by(f64::total_cmp)?;
    let high = windows.iter().copied().max_by(f64::total_cmp)?;
    Some((low, high))
}

fn chart(report: &Report<'_>) -> Chart {
    let samples = &report.record.reference_samples;
    let words = |x: Option<f64>, unit| x.map_or("none".into(), |x| quantity::plain(x, unit));
    let table = Table::of(samples, |sample| {
        let (frequency, chase) = (span(&sample.frequency), span(&sample.chase));
        [
            ("#at", quantity::plain(sample.at, Unit::Seconds)),
            ("#CPU", sample.cpu.to_string()),
            ("#frequency, lowest", words(frequency.map(|c| c.0), Unit::Hertz)),
            ("#highest", words(frequency.map(|c| c.1), Unit::Hertz)),
            ("#chase, lowest", words(chase.map(|c| c.0), Unit::Seconds)),
            ("#highest", words(chase.map(|c| c.1), Unit::Seconds)),
            ("#samples", format!("{} + {}", sample.frequency.len(), sample.chase.len())),
        ]
    });
    let panel = |label, unit, pick: fn(&record::ReferenceSample) -> &Vec<f64>| Panel {
        label,
        unit,
        spans: samples
            .iter()
            .filter_map(|b| span(pick(b)).map(|(low, high)| (b.at, low, high)))
            .collect(),
    };
    let checked = placed(report.record).into_iter();
    let placement = Panel {
        label: "core-to-core latency",
        unit: Unit::Seconds,
        spans: checked
            .filter_map(|run| placement(run).map(|(low, high)| (run.began, low, high)))
            .collect(),
    };
    Chart {
        name: "reference_sample".into(),
        title: say::REFERENCE_SAMPLE_THE_SAME_SHORT_WORK_BETWEEN.into(),
        description: say::stability_over_run_each_line(quantity::counted(samples.len(), "sample")),
        table: table.folded(),
        kind: Kind::Timeline(
            [
                panel("frequency", Unit::Hertz, |b| &b.frequency),
                panel("independent adds", Unit::PerSecond, |b| &b.ports),
                panel("L2 latency", Unit::Seconds, |b| &b.chase),
                panel("L3 latency", Unit::Seconds, |b| &b.l3),
                panel("memory latency", Unit::Seconds, |b| &b.memory),
                placement,
            ]
            .into_iter()
            .filter(|panel| !panel.spans.is_empty())
            .collect(),
        ),
    }
}
