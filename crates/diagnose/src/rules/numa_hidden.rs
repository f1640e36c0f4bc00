//! There are more sockets than NUMA nodes, so near and far memory are one node.
//!
//! Firmware that interleaves memory over sockets ("node interleaving", NPS0, NUMA off) hides the nodes: the memory of every
//! program is on all sockets, and binding is impossible. The sockets of a virtual machine are configuration, so there only
//! the host knows. The exception: memory was measured from one CPU of every cache (`--per-cpu`) and some take at least 1.25
//! times as long as others, which one node does not explain. Nodes that nobody states (no `/sys/devices/system/node`), or that
//! `numa=fake` splits, say nothing of the firmware.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::say;
use crate::words::{count, percent, time};

/// The nearest other node seen so far takes a third longer; caches of one node stay within 1.15.
const UNLIKE: f64 = 1.25;

pub(crate) static RULE: Rule =
    Rule::new(say::HIDDEN_TITLE, &[Demand::Latency, Demand::Bandwidth], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let sockets = evidence.sockets()?;
    let nodes = match evidence.nodes() {
        Ok(nodes) => nodes.len(),
        // What was timed apart by the memory's place is no one node.
        Err(why) => match (evidence.number("numa.nodes"), evidence.numa()) {
            (Ok(stated), _) => stated as usize,
            (_, Ok(numa)) if numa.surely_farther() => numa.to.len(),
            _ => return Err(why),
        },
    };
    if evidence.text("kernel.cmdline").is_ok_and(|line| line.contains("numa=fake")) {
        let why = say::NUMA_FAKE;
        return Err(Reason::mended_by(why, say::NUMA_NO_FAKE));
    }
    if nodes >= sockets || evidence.memory_is_in_the_chipset() {
        return Ok(None);
    }
    if nodes > 1 {
        let why = say::hidden_absent(sockets, nodes);
        return Err(Reason::mended_by(why, "numactl --hardware"));
    }
    if evidence.clusters(sockets) {
        let why = say::hidden_clusters(sockets);
        return Err(Reason::mended_by(why, say::HIDDEN_NEWER));
    }
    if let Some((low, high)) = unlike(evidence) {
        return Ok(Some(Finding::new(
            say::hidden_unlike(sockets, count(nodes, "NUMA node"), time(low), time(high)),
            say::HIDDEN_UNLIKE_ADVICE,
            say::HIDDEN_UNLIKE_VERIFY,
        )));
    }
    evidence.nodes_are_listed()?;
    let unreal = |name: &str| say::hidden_unreal(sockets, name);
    evidence.is_real(unreal, "lscpu and numactl --hardware")?;
    Ok(Some(Finding::new(
        say::hidden_claim(
            sockets,
            count(nodes, "NUMA node"),
            percent(1.0 - nodes as f64 / sockets as f64),
        ),
        say::HIDDEN_ADVICE,
        say::HIDDEN_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (near, far) = unlike(evidence).or_why(say::HIDDEN_MISSING, say::HIDDEN_REMEDY)?;
    Cost::up_to(1.0 - near / f64::midpoint(near, far), Confidence::Derived, say::HIDDEN_COST)
}

/// The shortest and longest latency of one node's memory from its own CPUs, where they are of two kinds.
fn unlike(evidence: &Evidence<'_>) -> Option<(f64, f64)> {
    let numa = evidence.numa().ok()?;
    numa.cells.iter().filter(|c| c.from == c.to).find_map(|cell| {
        let ends = stats::ends(cell.sweep.iter().map(|(_, seconds)| *seconds));
        ends.filter(|(low, high)| *high > low * UNLIKE)
    })
}
