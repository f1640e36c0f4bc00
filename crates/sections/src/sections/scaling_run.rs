//! The scaling of workloads over cores: each step's throughput, its resource use, and the conclusion.
use crate::chart::{Chart, Curves, Kind, Point};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Report, ScalingPoint, ScalingRun, ScalingRuns};
use record::{ProbeId, Text, Unit};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Scaling", 120, &[ProbeId::ScalingRun], blocks);

/// One chart and table for each workload.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = vec![];
    for (number, scaling_run) in (1..).zip(&report.get::<ScalingRuns>().0) {
        if report.get::<ScalingRuns>().0.len() > 1 {
            blocks.push(Block::heading(scaling_run.workload.clone()));
        }
        let measured = scaling_run.scaling_points.iter().filter(|r| r.median.is_some()).count();
        if measured > 1 {
            blocks.push(Block::chart(chart(scaling_run, number)));
        }
        blocks.push(Block::Table(table(scaling_run)));
        blocks.push(Block::items(scaling_run.says()));
    }
    let all = section::of_probes(report, SECTION.probes);
    blocks.extend(origin::every(report, say::EVERY_REPEAT_WITH_ITS_PLACEMENT, "repeat", &all));
    blocks
}

/// The placement of copies, in words.
fn placement(point: &ScalingPoint) -> String {
    match point.memory.as_str() {
        "local" => point.policy.clone(),
        memory => format!("{}, memory {memory}", point.policy),
    }
}

fn table(scaling_run: &ScalingRun) -> Table {
    let unknown = || "n/a".to_owned();
    let table = Table::of(&scaling_run.scaling_points, |point| {
        let rate = |m: f64| quantity::plain(m, scaling_run.unit);
        let interval = match (point.median, point.interval) {
            (Some(m), Some(i)) => quantity::interval(m, scaling_run.unit, &i),
            (Some(_), None) => "too few".into(),
            (None, _) => String::new(),
        };
        let failed: Vec<String> = point.failed.iter().map(ToString::to_string).collect();
        let ipc = point.ipc.map(|x| quantity::plain(x, Unit::PerCycle));
        let frequency = point.frequency.map(|hz| quantity::plain(hz, Unit::Hertz));
        // One copy a CPU goes without saying.
        let usual = point.copies == point.threads;
        [
            ("step", point.step.clone().into()),
            ("placement", placement(point).into()),
            ("copies", Text::from(if usual { String::new() } else { point.copies.to_string() })),
            ("#throughput", point.median.map_or("none".into(), rate).into()),
            ("#95 % interval", interval.into()),
            ("#efficiency", point.efficiency.map_or_else(unknown, quantity::percent).into()),
            ("#CPU use", point.full.map_or_else(unknown, quantity::percent).into()),
            ("#client's", point.client_full.map_or(String::new(), quantity::percent).into()),
            ("IPC", ipc.map_or_else(|| quantity::uncounted(point.uncounted.as_ref()), Text::from)),
            ("#frequency", frequency.unwrap_or_else(unknown).into()),
            ("#slowest", point.spread.map_or(String::new(), |s| format!("{s:.2}x")).into()),
            ("#samples", point.rates.len().to_string().into()),
            ("excluded", failed.join("; ").into()),
        ]
    });
    let mut table = table.folded();
    table.note(say::EFFICIENCY_THROUGHPUT_OVER_CORES_TIMES_THAT_OF);
    table
}

fn chart(scaling_run: &ScalingRun, number: usize) -> Chart {
    let name = if scaling_run.command { "runs" } else { "throughput" };
    let mut curves = Curves::over(("cores", Unit::Count), (name, scaling_run.unit));
    for point in &scaling_run.scaling_points {
        let Some(y) = point.median else { continue };
        let siblings = if point.threads > point.cores { ", with siblings" } else { "" };
        let label = placement(point) + siblings;
        curves.point(label.into(), Point::new(point.cores as f64, y, point.interval));
    }
    Chart {
        name: format!("scaling_run-{number}"),
        title: say::throughput_over_cores(&scaling_run.workload),
        description: say::SCALING_RUN_BOTH_AXES_LOGARITHMIC_SO.into(),
        table: table(scaling_run),
        kind: Kind::Curves(curves),
    }
}
