//! Conclusions on loaded memory latency, and on memory of other NUMA nodes.
use crate::loaded::{KNEE, Loaded, LoadedPoint};
use crate::numa::Numa;
use crate::say;
use crate::summary::{Quantity, figures};
use crate::words::{number, percent, rate, time};
use estimates::quantity;
use estimates::report::Report;
use record::{Between, Text, Unit};

/// The latency of a load while others use the bandwidth.
pub(super) fn loaded(report: &Report<'_>) -> Option<Text> {
    let curve = report
        .get::<Vec<Loaded>>()
        .iter()
        .find(|l| l.inject == "read")
        .or(report.get::<Vec<Loaded>>().first())?;
    let (idle, last) = (curve.idle?, curve.points.last()?);
    if last.level == 0 || last.injected <= 0.0 {
        return None;
    }
    let others = report.record.runs[curve.run].case.place.cpus.len().saturating_sub(1).max(1);
    let cost = |at: &LoadedPoint| shown(&Quantity::within(at.seconds, Unit::Seconds, at.interval));
    let said = if curve.inject == "read" { say::loaded_read } else { say::loaded_move };
    let times = number(last.seconds / idle);
    let said = said(others, rate(last.injected), cost(last), time(idle), times);
    let knee = curve.knee.map(|knee| match knee > 0.0 {
        true => say::loaded_knee(rate(knee), KNEE),
        false => say::loaded_no_knee(KNEE),
    });
    let all = std::iter::once(said).chain(knee);
    Some(say::sentence(Text::list(all, Between::Semicolon)))
}

/// A value with as many digits as the summary shows.
fn shown(of: &Quantity) -> String {
    quantity::plain(of.value, of.unit)
}

/// The cost of memory of another node.
pub(super) fn numa(report: &Report<'_>) -> Option<Text> {
    let numa = report.get::<Option<Numa>>().as_ref()?;
    let far = numa.slowest()?;
    let near = numa.cells.iter().find(|c| c.from == far.from && c.to == far.from)?;
    let (latency, bandwidth) = figures::remote_memory(report, far);
    let (far_latency, own) = (shown(&latency?), time(near.latency?));
    let times = number(far.latency_ratio?);
    let mut said = vec![match bandwidth.zip(far.bandwidth_ratio) {
        Some((bandwidth, ratio)) => {
            let (bandwidth, share) = (shown(&bandwidth), percent(ratio));
            say::numa_far_bandwidth(far.to, far.from, far_latency, times, own, bandwidth, share)
        }
        None => say::numa_far(far.to, far.from, far_latency, times, own),
    }];
    if let Some(stated) = &numa.stated {
        said.extend(match (stated.compared, stated.contradicted.len()) {
            (0, _) => None,
            (_, 0) => Some(say::DISTANCES_RIGHT.into()),
            (all, wrong) => Some(say::distances_wrong(wrong, all)),
        });
    }
    Some(Text::list(said, Between::Sentences))
}
