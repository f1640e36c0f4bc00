//! The SLIT distances between NUMA nodes contradict the measured latency.
//!
//! The kernel uses these distances when a node is full, when it balances load between nodes, and when it decides whether to
//! reclaim memory rather than allocate remotely (beyond 30). Vendors write them by hand: some copy measured ratios, others
//! write 20 or 100 for "far". The rule fires where measured latency contradicts the order by more than 5 %, or where a
//! ratio to the local node is off by more than half. Source: ACPI 6.5, SLIT: distances are relative latencies.
use crate::numa::factor;
use crate::rule::{Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::say;
use crate::words::{count, number};

/// Stated and measured ratio farther apart than this are not rounding: truthful tables stay within 1.2.
const OFF: f64 = 1.5;

pub(crate) static RULE: Rule = Rule::without_cost(
    say::SLIT_TITLE,
    &[Demand::Latency],
    check,
    say::SLIT_COST,
    Some(say::SLIT_COST_REMEDY),
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
        return Err(Reason::mended_by(say::REMOTE_MISSING, say::REMOTE_REMEDY));
    }
    let numa = evidence.numa()?;
    let stated =
        numa.stated.as_ref().or_why(say::SLIT_MISSING, "cpulens run --only numa_matrix")?;
    let claim = if let Some((from, nearer, farther)) = stated.contradicted.first() {
        say::slit_order(
            stated.contradicted.len(),
            count(stated.compared, "comparison"),
            *from,
            *nearer,
            *farther,
        )
    } else if let Some((from, to, said, found)) =
        stated.farthest.filter(|(_, _, said, found)| factor(*said, *found) > OFF)
    {
        match said > found {
            true => say::slit_overstates(to, from, number(said), number(found)),
            false => say::slit_understates(to, from, number(said), number(found)),
        }
    } else {
        return Ok(None);
    };
    Ok(Some(Finding::new(claim, say::SLIT_ADVICE, say::SLIT_VERIFY)))
}
