//! Latency while others use the bandwidth: one curve for each kind of load.
use crate::chart::{Chart, Curves, Kind, Line, Point};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Loaded, Report};
use record::{ProbeId, Unit};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Loaded latency", 90, &[ProbeId::LoadedLatency], blocks);

/// The curves, and every series.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, SECTION.probes);
    if all.is_empty() {
        return vec![];
    }
    let mut blocks = vec![];
    blocks.push(if report.get::<Vec<Loaded>>().is_empty() {
        Block::text(say::THE_RING_WAS_LESS_THAN_FOUR_TIMES)
    } else {
        Block::chart(chart(report))
    });
    blocks.extend(origin::every(
        report,
        say::EVERY_LEVEL_WITH_SPREAD_PAGES_AND_PLACEMENT,
        "series",
        &all,
    ));
    blocks
}

/// The access and number of the injectors.
fn label(report: &Report<'_>, curve: &Loaded) -> String {
    let cpus = report.record.runs.get(curve.run).map_or(0, |r| r.case.place.cpus.len());
    let others = quantity::counted(cpus.saturating_sub(1), "other core");
    format!("{others}: {}", curve.inject.replace('_', " "))
}

fn chart(report: &Report<'_>) -> Chart {
    let used = ("bandwidth that others use", Unit::BytesPerSecond);
    let axes = Curves::over(used, ("latency per load", Unit::Seconds));
    let mut curves = Curves { linear: true, ..axes };
    let mut table = Table::default();
    let mut said = vec![];
    for curve in report.get::<Vec<Loaded>>() {
        let label = label(report, curve);
        for p in &curve.points {
            let over_idle = curve.idle.map(|idle| quantity::percent(p.seconds / idle));
            table.headed([
                ("injected load", label.clone()),
                ("#level", p.level.to_string()),
                ("#used by others", quantity::plain(p.injected, Unit::BytesPerSecond)),
                ("#latency", quantity::plain(p.seconds, Unit::Seconds)),
                ("#over idle", over_idle.unwrap_or_default()),
            ]);
        }
        if let Some(knee) = curve.knee {
            let knee_words = quantity::plain(knee, Unit::BytesPerSecond);
            said.push(format!("{label}: under 1.5 times idle up to {knee_words}"));
            curves.guide(knee, format!("knee {knee_words}").into());
        }
        let points = curve.points.iter();
        let points = points.map(|p| Point::new(p.injected, p.seconds, p.interval)).collect();
        curves.lines.push(Line::new(label.into(), points));
    }
    Chart {
        name: "loaded-latency".into(),
        title: say::LOADED_LATENCY_LATENCY_OVER_BANDWIDTH_OTHERS.into(),
        description: say::loaded_latency_both_axes_begin_nothing(if said.is_empty() {
            "No curve has a knee".into()
        } else {
            said.join("; ")
        }),
        table: table.folded(),
        kind: Kind::Curves(curves),
    }
}
