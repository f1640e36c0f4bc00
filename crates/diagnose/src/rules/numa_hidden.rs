//! There are more sockets than NUMA nodes, so near and far memory are one node.
//!
//! Firmware that interleaves memory over sockets ("node interleaving", NPS0, NUMA off) hides the nodes: the memory of every
//! program is on all sockets, and binding is impossible. The sockets of a virtual machine are configuration, so there only
//! the host knows. The exception: memory was measured from one CPU of every cache (`--per-cpu`) and some take at least 1.25
//! times as long as others, which one node does not explain. Nodes that nobody states (no `/sys/devices/system/node`), or that
//! `numa=fake` splits, say nothing of the firmware.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::words::{count, percent, time};

/// The nearest other node seen so far takes a third longer; caches of one node stay within 1.15.
const UNLIKE: f64 = 1.25;

pub(crate) static RULE: Rule =
    Rule::new("Sockets share one NUMA node", &[Demand::Latency, Demand::Bandwidth], check, cost);

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
        let why = "numa=fake on the kernel's command line makes the NUMA nodes up";
        return Err(Reason::mended_by(why, "boot without numa=fake"));
    }
    if nodes >= sockets || evidence.memory_is_in_the_chipset() {
        return Ok(None);
    }
    if nodes > 1 {
        let why = format!("{sockets} sockets have {nodes} NUMA nodes: a socket may have no memory");
        return Err(Reason::mended_by(why, "numactl --hardware"));
    }
    if evidence.clusters(sockets) {
        let why =
            format!("the {sockets} sockets may be clusters of cores, which older tools call so");
        return Err(Reason::mended_by(why, "lscpu of util-linux 2.37 or newer"));
    }
    if let Some((low, high)) = unlike(evidence) {
        return Ok(Some(Finding::new(
            format!(
                "{sockets} sockets have only {}, whose memory is near to some CPUs and far from others: {} to {} for a load.",
                count(nodes, "NUMA node"),
                time(low),
                time(high)
            ),
            "Switch NUMA on in the firmware setup, or on the host give the virtual machine its nodes (libvirt: <numa> and <numatune>).",
            "numactl --hardware, after the change, and cpulens run --only numa_matrix --per-cpu",
        )));
    }
    evidence.nodes_are_listed()?;
    let stated = format!("the {sockets} sockets are stated by the hypervisor");
    evidence.is_real(&stated, "lscpu and numactl --hardware")?;
    Ok(Some(Finding::new(
        format!(
            "{sockets} sockets have only {}: {} of all memory accesses go to another socket, and binding is impossible.",
            count(nodes, "NUMA node"),
            percent(1.0 - nodes as f64 / sockets as f64)
        ),
        "Switch node interleaving off in the firmware setup (AMD: NPS1 instead of NPS0), and remove numa=off from the kernel's command line.",
        "numactl --hardware, after the change",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (near, far) = unlike(evidence).or_why(
        "the latency of far memory cannot be measured while the nodes are hidden",
        "cpulens run --only numa_matrix, after the change",
    )?;
    Cost::up_to(
        1.0 - near / f64::midpoint(near, far),
        Confidence::Derived,
        "From nothing, for a program in the caches, to the mean of near and far loads against near ones, for one that only waits for memory.",
    )
}

/// The shortest and longest latency of one node's memory from its own CPUs, where they are of two kinds.
fn unlike(evidence: &Evidence<'_>) -> Option<(f64, f64)> {
    let numa = evidence.numa().ok()?;
    numa.cells.iter().filter(|c| c.from == c.to).find_map(|cell| {
        let ends = stats::ends(cell.sweep.iter().map(|(_, seconds)| *seconds));
        ends.filter(|(low, high)| *high > low * UNLIKE)
    })
}
