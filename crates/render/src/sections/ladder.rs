//! How workloads scale over cores: each step's throughput, what it used, and what that means.
use crate::chart::{Axes, Chart, Curves, Kind, Line, Point};
use crate::page::{Block, Table};
use crate::{origin, quantity, section};
use analyse::{Ladder, Report, Rung};
use record::Unit;

/// One chart and table for each workload.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = vec![];
    for (number, ladder) in (1..).zip(&report.ladders) {
        if report.ladders.len() > 1 {
            blocks.push(Block::Heading(ladder.workload.clone()));
        }
        let measured = ladder.rungs.iter().filter(|r| r.median.is_some()).count();
        if measured > 1 {
            blocks.push(Block::Chart(Box::new(chart(ladder, number))));
        }
        blocks.push(Block::Table(table(ladder)));
        blocks.push(Block::List(ladder.says()));
    }
    let all = section::of_probes(report, &["ladder"]);
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
fn placement(rung: &Rung) -> String {
    match rung.memory.as_str() {
        "local" => rung.policy.clone(),
        memory => format!("{}, memory {memory}", rung.policy),
    }
}

fn table(ladder: &Ladder) -> Table {
    let mut table = Table::new(&[
        "step",
        "placement",
        "copies",
        "#throughput",
        "#95 % interval",
        "#efficiency",
        "#CPU use",
        "IPC",
        "#clock",
        "#slowest",
        "#n",
        "left out",
    ]);
    let unknown = || "n/a".to_owned();
    for rung in &ladder.rungs {
        let half = rung.interval.map(|i| (i.high - i.low) / 2.0);
        let rate = |m: f64| quantity::resolved(m, ladder.unit, half);
        let interval = match (rung.median, rung.interval) {
            (Some(m), Some(i)) => quantity::interval(m, ladder.unit, &i),
            (Some(_), None) => "too few".into(),
            (None, _) => String::new(),
        };
        let failed: Vec<String> = rung.failed.iter().map(ToString::to_string).collect();
        // One copy a CPU goes without saying.
        let usual = rung.copies == rung.threads;
        table.row([
            rung.step.clone(),
            placement(rung),
            if usual { String::new() } else { rung.copies.to_string() },
            rung.median.map_or("none".into(), rate),
            interval,
            rung.efficiency.map_or_else(unknown, quantity::percent),
            rung.full.map_or_else(unknown, quantity::percent),
            rung.ipc.map_or_else(
                || quantity::uncounted(rung.uncounted.as_ref()),
                |x| quantity::plain(x, Unit::PerCycle),
            ),
            rung.clock.map_or_else(unknown, |hz| quantity::plain(hz, Unit::Hertz)),
            rung.spread.map_or(String::new(), |s| format!("{s:.2}x")),
            rung.rates.len().to_string(),
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

fn chart(ladder: &Ladder, number: usize) -> Chart {
    let name = if ladder.command { "runs" } else { "throughput" };
    let axes = Axes { x: ("cores", Unit::Count), y: (name, ladder.unit) };
    let mut curves = Curves { axes, ..Curves::default() };
    for rung in &ladder.rungs {
        let Some(y) = rung.median else { continue };
        let siblings = if rung.threads > rung.cores { ", with siblings" } else { "" };
        let label = placement(rung) + siblings;
        let ends = rung.interval.map(|i| (i.low, i.high));
        let point = Point { x: rung.cores as f64, y, ends };
        match curves.lines.iter_mut().find(|l| l.label == label) {
            Some(line) => line.points.push(point),
            None => curves.lines.push(Line { label, points: vec![point], plateaus: vec![] }),
        }
    }
    Chart {
        name: format!("ladder-{number}"),
        title: format!("Throughput over cores: {}", ladder.workload),
        description: "Both axes are logarithmic, so that what scales is a straight line. Lines named with siblings use \
                      every thread of these cores."
            .into(),
        table: table(ladder),
        kind: Kind::Curves(curves),
    }
}
