//! Bandwidth over number of threads: the curve, and how many threads use memory up.
use crate::chart::{Chart, Curves, Kind, Line, Point};
use crate::page::{Block, Table};
use crate::say;
use crate::{origin, quantity, section};
use analyse::{BandwidthScaling, BandwidthScalingPoint, Report, Saturated};
use record::{Message, ProbeId, Reason, Text, Unit};

/// Part of the bandwidth section.
pub(super) fn blocks(report: &Report<'_>) -> Vec<Block> {
    if report.get::<Vec<BandwidthScaling>>().is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::chart(chart(report))];
    for scaling in report.get::<Vec<BandwidthScaling>>() {
        let said = [(say::ONE_NODE, scaling.node.as_ref()), (say::ALL_MEMORY, Some(&scaling.all))];
        let said =
            said.into_iter().filter_map(|(what, found)| Some(sentence(scaling, what, found?)));
        blocks.push(Block::items(said));
    }
    let all = section::of_probes(report, &[ProbeId::BandwidthScaling]);
    blocks.extend(origin::every(
        report,
        say::EVERY_NUMBER_OF_THREADS_WITH_SPREAD_AND,
        "threads",
        &all,
    ));
    blocks
}

fn sentence(scaling: &BandwidthScaling, what: Message, found: &Result<Saturated, Reason>) -> Text {
    let kernel = &scaling.kernel;
    match found {
        Ok(s) => {
            let limit = quantity::plain(s.limit, Unit::BytesPerSecond);
            let threads = quantity::counted(s.threads, "thread");
            let said = say::most_of_limit(what, kernel, limit, threads);
            match s.most {
                Some(most) if most == s.fewest => said,
                Some(most) => say::within_noise(said, s.fewest, most),
                None => say::or_more_by_noise(said, s.fewest),
            }
        }
        Err(why) => say::of_kernel(what, kernel, why),
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
        curves.lines.push(Line::new(scaling.kernel.clone().into(), points));
        for ends in scaling.points.windows(2).filter(|w| w[0].across != w[1].across) {
            curves.guide(ends[0].threads as f64, across(&ends[0]).into());
        }
    }
    Chart {
        name: "bandwidth-scaling".into(),
        title: say::BANDWIDTH_SCALING_BANDWIDTH_OVER_NUMBER_THREADS.into(),
        description: say::BANDWIDTH_SCALING_BOTH_AXES_LOGARITHMIC_DASHED.into(),
        table: table.folded(),
        kind: Kind::Curves(curves),
    }
}
