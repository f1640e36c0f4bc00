//! How workloads scale over cores: each step's throughput, what it used, and what that means.
use crate::chart::{Axes, Chart, Curves, Kind, Line, Point};
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Report, ScalingPoint, ScalingRun};
use record::{ProbeId, Unit};

pub(crate) static SECTION: ReportSection = Section {
    title: "How workloads scale",
    order: 120,
    numbers: true,
    probes: &[ProbeId::ScalingRun],
    blocks,
};

/// One chart and table for each workload.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = vec![];
    for (number, scaling_run) in (1..).zip(report.get::<Vec<ScalingRun>>()) {
        if report.get::<Vec<ScalingRun>>().len() > 1 {
            blocks.push(Block::Heading(scaling_run.workload.clone()));
        }
        let measured = scaling_run.scaling_points.iter().filter(|r| r.median.is_some()).count();
        if measured > 1 {
            blocks.push(Block::Chart(Box::new(chart(scaling_run, number))));
        }
        blocks.push(Block::Table(table(scaling_run)));
        blocks.push(Block::List(scaling_run.says()));
    }
    let all = section::of_probes(report, SECTION.probes);
    if !all.is_empty() {
        blocks.push(Block::details(
            "Every repeat, with its placement",
            vec![Block::Table(origin::table(report, "repeat", &all))],
        ));
        blocks.push(origin::method(report, &all));
    }
    blocks
}

/// How copies are placed, in words.
fn placement(scaling_point: &ScalingPoint) -> String {
    match scaling_point.memory.as_str() {
        "local" => scaling_point.policy.clone(),
        memory => format!("{}, memory {memory}", scaling_point.policy),
    }
}

fn table(scaling_run: &ScalingRun) -> Table {
    let mut table = Table::new(&[
        "step",
        "placement",
        "copies",
        "#throughput",
        "#95 % interval",
        "#efficiency",
        "#CPU use",
        "#client's",
        "IPC",
        "#frequency",
        "#slowest",
        "#n",
        "left out",
    ]);
    let unknown = || "n/a".to_owned();
    for scaling_point in &scaling_run.scaling_points {
        let half = scaling_point.interval.map(|i| (i.high - i.low) / 2.0);
        let rate = |m: f64| quantity::resolved(m, scaling_run.unit, half);
        let interval = match (scaling_point.median, scaling_point.interval) {
            (Some(m), Some(i)) => quantity::interval(m, scaling_run.unit, &i),
            (Some(_), None) => "too few".into(),
            (None, _) => String::new(),
        };
        let failed: Vec<String> = scaling_point.failed.iter().map(ToString::to_string).collect();
        // One copy a CPU goes without saying.
        let usual = scaling_point.copies == scaling_point.threads;
        table.row([
            scaling_point.step.clone(),
            placement(scaling_point),
            if usual { String::new() } else { scaling_point.copies.to_string() },
            scaling_point.median.map_or("none".into(), rate),
            interval,
            scaling_point.efficiency.map_or_else(unknown, quantity::percent),
            scaling_point.full.map_or_else(unknown, quantity::percent),
            scaling_point.client_full.map_or(String::new(), quantity::percent),
            scaling_point.ipc.map_or_else(
                || quantity::uncounted(scaling_point.uncounted.as_ref()),
                |x| quantity::plain(x, Unit::PerCycle),
            ),
            scaling_point.frequency.map_or_else(unknown, |hz| quantity::plain(hz, Unit::Hertz)),
            scaling_point.spread.map_or(String::new(), |s| format!("{s:.2}x")),
            scaling_point.rates.len().to_string(),
            failed.join("; "),
        ]);
    }
    let mut table = table.folded();
    table.notes.push(
        "efficiency: throughput over cores times that of one core; slowest: time of the slowest copy over that of \
         the fastest"
            .into(),
    );
    table
}

fn chart(scaling_run: &ScalingRun, number: usize) -> Chart {
    let name = if scaling_run.command { "runs" } else { "throughput" };
    let axes = Axes { x: ("cores", Unit::Count), y: (name, scaling_run.unit) };
    let mut curves = Curves { axes, ..Curves::default() };
    for scaling_point in &scaling_run.scaling_points {
        let Some(y) = scaling_point.median else { continue };
        let siblings =
            if scaling_point.threads > scaling_point.cores { ", with siblings" } else { "" };
        let label = placement(scaling_point) + siblings;
        let ends = scaling_point.interval.map(|i| (i.low, i.high));
        let point = Point { x: scaling_point.cores as f64, y, ends };
        match curves.lines.iter_mut().find(|l| l.label == label) {
            Some(line) => line.points.push(point),
            None => curves.lines.push(Line { label, points: vec![point], plateaus: vec![] }),
        }
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
