//! Bandwidth over number of threads: the curve, and how many threads use memory up.
use crate::chart::{Chart, Curves, Kind, Line, Point};
use crate::page::{Block, Table};
use crate::{origin, quantity, section};
use analyse::{BandwidthScaling, BandwidthScalingPoint, Report, Saturated};
use record::{ProbeId, Reason, Unit};

/// Part of the bandwidth section.
pub(super) fn blocks(report: &Report<'_>) -> Vec<Block> {
    if report.get::<Vec<BandwidthScaling>>().is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::chart(chart(report))];
    for scaling in report.get::<Vec<BandwidthScaling>>() {
        let said = [("one node", scaling.node.as_ref()), ("all memory", Some(&scaling.all))];
        let said =
            said.into_iter().filter_map(|(what, found)| Some(sentence(scaling, what, found?)));
        blocks.push(Block::List(said.collect()));
    }
    let all = section::of_probes(report, &[ProbeId::BandwidthScaling]);
    blocks.extend(origin::every(
        report,
        "Every number of threads, with spread and placement",
        "threads",
        &all,
    ));
    blocks
}

fn sentence(scaling: &BandwidthScaling, what: &str, found: &Result<Saturated, Reason>) -> String {
    let kernel = &scaling.kernel;
    match found {
        Ok(s) => {
            let range = match s.most {
                Some(most) if most == s.fewest => String::new(),
                Some(most) => format!(" ({} to {most} by the noise)", s.fewest),
                None => format!(" ({} or more by the noise)", s.fewest),
            };
            format!(
                "{what}, {kernel}: 95 % of {} from {} on{range}",
                quantity::plain(s.limit, Unit::BytesPerSecond),
                quantity::counted(s.threads, "thread")
            )
        }
        Err(why) => format!("{what}, {kernel}: {why}"),
    }
}

/// The span of a point's threads, in words.
fn across(point: &BandwidthScalingPoint) -> String {
    match point.across.as_str() {
        "node" => "cores of one node".into(),
        "nodes" => "cores of several nodes".into(),
        "smt" => "cores and their siblings".into(),
        other => other.into(),
    }
}

fn chart(report: &Report<'_>) -> Chart {
    let mut curves = Curves::over(("threads", Unit::Count), ("bandwidth", Unit::BytesPerSecond));
    let mut table = Table::default();
    for scaling in report.get::<Vec<BandwidthScaling>>() {
        let mut points = vec![];
        for p in &scaling.points {
            let rate = p.bytes_per_second;
            let e = report.estimates.get(p.estimate);
            table.headed([
                ("#threads", p.threads.to_string()),
                ("kernel", scaling.kernel.clone()),
                ("across", across(p)),
                ("#median", quantity::plain(rate, Unit::BytesPerSecond)),
                ("#95 % interval", origin::interval(rate, Unit::BytesPerSecond, p.interval)),
                ("#samples", e.map_or(String::new(), origin::samples)),
                ("excluded", e.map_or(String::new(), origin::left_out)),
            ]);
            points.push(Point::new(p.threads as f64, rate, p.interval));
        }
        curves.lines.push(Line::new(scaling.kernel.clone(), points));
        for ends in scaling.points.windows(2).filter(|w| w[0].across != w[1].across) {
            curves.guide(ends[0].threads as f64, across(&ends[0]));
        }
    }
    Chart {
        name: "bandwidth-scaling".into(),
        title: "Bandwidth over number of threads".into(),
        description: "Both axes are logarithmic. Dashed vertical lines are where the cores of a node, or all \
                      cores, are in use."
            .into(),
        table: table.folded(),
        kind: Kind::Curves(curves),
    }
}
