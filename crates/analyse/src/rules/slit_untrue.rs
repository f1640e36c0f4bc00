//! The firmware's distances between NUMA nodes are not what the memory takes.
//!
//! The kernel goes by these distances when a node is full, when it balances load between nodes, and when it decides whether
//! to reclaim memory rather than take it from afar (beyond 30). They are written by hand: some vendors copy measured
//! ratios, others write 20 or 100 for "far". Told apart are an order that measured latency contradicts by more than 5 %,
//! and a ratio to the own node that is off by more than half. Source: ACPI 6.5, SLIT: distances are relative latencies.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::numa::factor;
use crate::rule::{Finding, Rule};
use crate::words::{count, number};
use record::Reason;

/// Stated and measured ratio farther apart than this are not rounding: truthful tables stay within 1.2.
const OFF: f64 = 1.5;

pub(crate) static RULE: Rule = Rule {
    title: "Firmware distances are not the measured ones",
    demands: &[Demand::Latency],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let nodes = evidence.nodes()?;
    if nodes.len() < 2 {
        return Ok(None);
    }
    if nodes.iter().all(|n| n.distances.is_empty()) {
        return Err(Missing(Reason::mended_by(
            "the distances between NUMA nodes are not known",
            "numactl --hardware shows them, if firmware states them",
        )));
    }
    let numa = evidence.numa()?;
    let Some(stated) = &numa.stated else {
        return Err(Missing(Reason::mended_by(
            "latency was not measured between nodes whose distances are stated",
            "cpulens run --only numa_matrix",
        )));
    };
    let claim = if let Some((from, nearer, farther)) = stated.contradicted.first() {
        format!(
            "The firmware puts NUMA nodes in the wrong order in {} of {}: seen from node {from}, node {nearer} is stated to be nearer than node {farther}, and is slower.",
            stated.contradicted.len(),
            count(stated.compared, "comparison")
        )
    } else if let Some((from, to, said, found)) =
        stated.farthest.filter(|(_, _, said, found)| factor(*said, *found) > OFF)
    {
        let verb = if said > found { "overstates" } else { "understates" };
        format!(
            "The firmware {verb} how far node {to} is from node {from}: {} times its own memory by distance, {} times by measured latency.",
            number(said),
            number(found)
        )
    } else {
        return Ok(None);
    };
    Ok(Some(Finding {
        claim,
        advice: "Place programs by the measured matrix, not by numactl --hardware, and keep vm.zone_reclaim_mode at 0, for it goes by these distances.".into(),
        confirm_with: "cpulens run --only numa_matrix --depth standard, beside numactl --hardware".into(),
    }))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Missing> {
    Err(Missing(Reason::mended_by(
        "it costs what the kernel does by it when a node is full, which depends on the load",
        "numastat -p PID beside the measured matrix",
    )))
}
