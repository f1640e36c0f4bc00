//! The scaling of workloads over cores: each step's throughput, its resource use, and the conclusion.
use crate::chart::{Chart, Curves, Kind, Point};
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Report, ScalingPoint, ScalingRun, ScalingRuns};
use record::{ProbeId, Unit};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Scaling", 120, &[ProbeId::ScalingRun], blocks);

/// One chart and table for each workload.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = vec![];
    for (number, scaling_run) in (1..).zip(&report.get::<ScalingRuns>().0) {
        if report.get::<ScalingRuns>().0.len() > 1 {
            blocks.push(Block::Heading(scaling_run.workload.clone()));
        }
        let measured = scaling_run.scaling_points.iter().filter(|r| r.median.is_some()).count();
        if measured > 1 {
            blocks.push(Block::chart(chart(scaling_run, number)));
        }
        blocks.push(Block::Table(table(scaling_run)));
        blocks.push(Block::List(scaling_run.says()));
    }
    let all = section::of_probes(report, SECTION.probes);
    blocks.extend(origin::every(report, "Every repeat, with its placement", "repeat", &all));
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
            ("step", point.step.clone()),
            ("placement", placement(point)),
            ("copies", if usual { String::new() } else { point.copies.to_string() }),
            ("#throughput", point.median.map_or("none".into(), rate)),
            ("#95 % interval", interval),
            ("#efficiency", point.efficiency.map_or_else(unknown, quantity::percent)),
            ("#CPU use", point.full.map_or_else(unknown, quantity::percent)),
            ("#client's", point.client_full.map_or(String::new(), quantity::percent)),
            ("IPC", ipc.unwrap_or_else(|| quantity::uncounted(point.uncounted.as_ref()))),
            ("#frequency", frequency.unwrap_or_else(unknown)),
            ("#slowest", point.spread.map_or(String::new(), |s| format!("{s:.2}x"))),
            ("#samples", point.rates.len().to_string()),
            ("excluded", failed.join("; ")),
        ]
    });
    let mut table = table.folded();
    table.note(
        "efficiency: throughput over cores times that of one core; slowest: time of the slowest copy over that of \
         the fastest",
    );
    table
}

fn chart(scaling_run: &ScalingRun, number: usize) -> Chart {
    let name = if scaling_run.command { "runs" } else { "throughput" };
    let mut curves = Curves::over(("cores", Unit::Count), (name, scaling_run.unit));
    for point in &scaling_run.scaling_points {
        let Some(y) = point.median else { continue };
        let siblings = if point.threads > point.cores { ", with siblings" } else { "" };
        let label = placement(point) + siblings;
        curves.point(label, Point::new(point.cores as f64, y, point.interval));
    }
    Chart {
        name: format!("scaling_run-{number}"),
        title: format!("Throughput over cores: {}", scaling_run.workload),
        description: "Both axes are logarithmic, so that what scales is a straight line. Lines named with siblings use \
                      every thread of these cores."
            .into(),
        table: table(scaling_run),
        kind: Kind::Curves(curves),
    }
}
