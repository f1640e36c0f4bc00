//! The NUMA nodes have less memory than the machine as a whole.
//!
//! The kernel counts memory twice: for the machine (MemTotal of /proc/meminfo) and for each node. The two agree, except for
//! memory that a hypervisor added or removed while the system ran, or that is initialised at its first use. Sizes by node, and
//! bindings to a node, then count too little memory. Source: proc(5), Linux `si_meminfo_node`; seen in guests whose memory is
//! plugged in by their host, and in one whose nodes grow as memory is used.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::words::bytes;

/// Both counts are taken at different moments.
const SAME: f64 = 0.95;

pub(crate) static RULE: Rule = Rule::without_cost(
    "Memory is missing from the NUMA nodes",
    &[Demand::Latency, Demand::Bandwidth],
    check,
    "it costs no time; sizes that rest on it are wrong",
    None,
)
.noted("A hypervisor that plugs memory in and out of its guests does so by default.");

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let total = evidence.number("memory.total")?;
    let sizes: Option<Vec<u64>> = evidence.nodes()?.iter().map(|n| n.bytes).collect();
    let sizes = sizes.ok_or("the memory of a node is not known")?;
    let sum: f64 = sizes.iter().map(|b| *b as f64).sum();
    Ok((sum < total * SAME).then(|| Finding::new(
        format!(
            "The kernel counts {} in all and {} on its NUMA nodes: {} are on no node. Memory was plugged in or taken by a balloon while the system ran, or the kernel initialises it when it is first used.",
            bytes(total),
            bytes(sum),
            bytes(total - sum)
        ),
        "Do not size programs by a node's memory alone. On the host, give the guest its memory at once.",
        "grep MemTotal /proc/meminfo /sys/devices/system/node/node*/meminfo",
    )))
}
