//! Conclusions on loaded memory latency, and on memory of other NUMA nodes.
use crate::loaded::{KNEE, Loaded, LoadedPoint};
use crate::numa::Numa;
use crate::summary::{Quantity, figures};
use crate::words::{count, number, percent, rate, time};
use estimates::quantity;
use estimates::report::Report;
use record::Unit;

/// The latency of a load while others use the bandwidth.
pub(super) fn loaded(report: &Report<'_>) -> Option<String> {
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
    let who = if others == 1 { "another core".into() } else { count(others, "other core") };
    let verb = if curve.inject == "read" { "read" } else { "move" };
    let s = if others == 1 { "s" } else { "" };
    let ratio = last.seconds / idle;
    let cost = |at: &LoadedPoint| shown(&Quantity::within(at.seconds, Unit::Seconds, at.interval));
    let mut said = format!(
        "While {who} {verb}{s} {} from the same memory, a load takes {} instead of {}, {} times as long",
        rate(last.injected),
        cost(last),
        time(idle),
        number(ratio)
    );
    match curve.knee {
        Some(knee) if knee > 0.0 => {
            said += &format!("; up to {} it takes less than {KNEE} times an idle one", rate(knee));
        }
        Some(_) => said += &format!("; any load makes it more than {KNEE} times an idle one"),
        None => {}
    }
    Some(said + ".")
}

/// A value with as many digits as the summary shows.
fn shown(of: &Quantity) -> String {
    quantity::plain(of.value, of.unit)
}

/// The cost of memory of another node.
pub(super) fn numa(report: &Report<'_>) -> Option<String> {
    let numa = report.get::<Option<Numa>>().as_ref()?;
    let far = numa.slowest()?;
    let near = numa.cells.iter().find(|c| c.from == far.from && c.to == far.from)?;
    let (latency, bandwidth) = figures::remote_memory(report, far);
    let mut said = format!(
        "The farthest memory is node {} seen from node {}: a load takes {}, {} times that of its own memory ({})",
        far.to,
        far.from,
        shown(&latency?),
        number(far.latency_ratio?),
        time(near.latency?)
    );
    if let Some((bandwidth, ratio)) = bandwidth.zip(far.bandwidth_ratio) {
        said += &format!(", and it gives {}, {} of its own", shown(&bandwidth), percent(ratio));
    }
    said += ".";
    if let Some(stated) = &numa.stated {
        let wrong = stated.contradicted.len();
        said += &match (stated.compared, wrong) {
            (0, _) => String::new(),
            (_, 0) => " The firmware's distances put the nodes in the measured order.".into(),
            (all, _) => format!(
                " The firmware's distances put {wrong} of {} of nodes in the wrong order.",
                count(all, "pair")
            ),
        };
    }
    Some(said)
}
