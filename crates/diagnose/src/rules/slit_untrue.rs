//! The SLIT distances between NUMA nodes contradict the measured latency.
//!
//! The kernel uses these distances when a node is full, when it balances load between nodes, and when it decides whether to
//! reclaim memory rather than allocate remotely (beyond 30). Vendors write them by hand: some copy measured ratios, others
//! write 20 or 100 for "far". The rule fires where measured latency contradicts the order by more than 5 %, or where a
//! ratio to the local node is off by more than half. Source: ACPI 6.5, SLIT: distances are relative latencies.
use crate::numa::factor;
use crate::rule::{Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::words::{count, number};

/// Stated and measured ratio farther apart than this are not rounding: truthful tables stay within 1.2.
const OFF: f64 = 1.5;

pub(crate) static RULE: Rule = Rule::without_cost(
    "SLIT distances differ from measured latency",
    &[Demand::Latency],
    check,
    "the cost is what the kernel does with it when a node is full, which depends on the load",
    Some("numastat -p PID beside the measured matrix"),
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    // The latency between nodes may be known, and not the nodes.
    let nodes = match evidence.nodes() {
        Err(why) if evidence.memory_nodes().is_err() => return Err(why),
        nodes => nodes.unwrap_or_default(),
    };
    if nodes.len() == 1 {
        return Ok(None);
    }
    if nodes.iter().all(|n| n.distances.is_empty()) {
        return Err(Reason::mended_by(
            "the distances between NUMA nodes are not known",
            "numactl --hardware shows them, if firmware states them",
        ));
    }
    let numa = evidence.numa()?;
    let stated = numa.stated.as_ref().or_why(
        "latency was not measured between nodes whose distances are stated",
        "cpulens run --only numa_matrix",
    )?;
    let claim = if let Some((from, nearer, farther)) = stated.contradicted.first() {
        format!(
            "The SLIT orders NUMA nodes wrongly in {} of {}: from node {from}, node {nearer} is stated as nearer than node {farther} and is slower.",
            stated.contradicted.len(),
            count(stated.compared, "comparison")
        )
    } else if let Some((from, to, said, found)) =
        stated.farthest.filter(|(_, _, said, found)| factor(*said, *found) > OFF)
    {
        let verb = if said > found { "overstates" } else { "understates" };
        format!(
            "The SLIT {verb} the distance of node {to} from node {from}: {} times local memory by distance, {} times by measured latency.",
            number(said),
            number(found)
        )
    } else {
        return Ok(None);
    };
    Ok(Some(Finding::new(
        claim,
        "Place programs by the measured matrix, not by numactl --hardware, and keep vm.zone_reclaim_mode at 0, because it uses these distances.",
        "cpulens run --only numa_matrix --depth standard, beside numactl --hardware",
    )))
}
