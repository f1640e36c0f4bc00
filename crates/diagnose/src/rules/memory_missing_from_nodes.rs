//! The NUMA nodes have less memory than the machine as a whole.
//!
//! The kernel counts memory twice: for the machine (MemTotal of /proc/meminfo) and for each node. The two agree, except for
//! memory that a hypervisor added or removed while the system ran, or that is initialised at its first use. Sizes by node, and
//! bindings to a node, then count too little memory. Source: proc(5), Linux `si_meminfo_node`; seen in guests whose memory is
//! plugged in by their host, and in one whose nodes grow as memory is used.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::bytes;

/// Both counts are taken at different moments.
const SAME: f64 = 0.95;

pub(crate) static RULE: Rule = Rule::without_cost(
    say::MISSING_TITLE,
    &[Demand::Latency, Demand::Bandwidth],
    check,
    say::MISSING_COST,
    None,
)
.noted(say::MISSING_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let total = evidence.number("memory.total")?;
    let sizes: Option<Vec<u64>> = evidence.nodes()?.iter().map(|n| n.bytes).collect();
    let sizes = sizes.ok_or_else(|| Reason::new(say::MISSING_NODES))?;
    let sum: f64 = sizes.iter().map(|b| *b as f64).sum();
    Ok((sum < total * SAME).then(|| {
        Finding::new(
            say::missing_claim(bytes(total), bytes(sum), bytes(total - sum)),
            say::MISSING_ADVICE,
            "grep MemTotal /proc/meminfo /sys/devices/system/node/node*/meminfo",
        )
    }))
}
