//! A device's interrupts all go to CPUs of another NUMA node than its own.
//!
//! Data that the device wrote near itself is then read from the other node, and so are its queues. Queues with an interrupt for
//! each CPU are on all nodes and no fault. Source: Linux, Documentation/networking/scaling.rst and
//! core-api/irq/irq-affinity.rst.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::device;
use record::{Between, Device, Node, Text};

pub(crate) static RULE: Rule = Rule::without_cost(
    say::IRQ_REMOTE,
    &[Demand::Kernel, Demand::Latency],
    check,
    say::IRQ_REMOTE_COST,
    Some(say::IRQ_REMOTE_MEASURE),
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let with_cpus = |nodes: &[Node]| nodes.iter().filter(|node| !node.cpus.is_empty()).count();
    if evidence.nodes().is_ok_and(|nodes| with_cpus(nodes) < 2) {
        return Ok(None);
    }
    let known = |d: &&Device| !d.interrupt_cpus.is_empty() && d.node.is_some();
    let known: Vec<&Device> = evidence.devices()?.iter().filter(known).collect();
    let nodes = evidence.nodes()?;
    if known.is_empty() {
        return Err(Reason::mended_by(say::IRQ_REMOTE_UNKNOWN, say::IRQ_REMOTE_ROOT));
    }
    let own = |d: &Device| nodes.iter().find(|n| Some(n.id) == d.node).map(|n| &n.cpus);
    let remote: Vec<&Device> = known
        .into_iter()
        .filter(|d| {
            own(d).is_some_and(|c| !c.is_empty() && c.intersection(&d.interrupt_cpus).is_empty())
        })
        .collect();
    let Some((first, node)) = remote.first().and_then(|d| Some((d, d.node?))) else {
        return Ok(None);
    };
    let claim = say::irq_remote_claim(device(first), node, first.interrupt_cpus.to_string());
    Ok(Some(Finding::new(
        match remote.len() {
            1 => claim,
            n => Text::list([claim, say::same_of_other_devices(n - 1)], Between::Sentences),
        },
        say::irq_remote_advice(node, &first.address),
        format!(
            "grep . /sys/bus/pci/devices/{}/numa_node /proc/irq/*/effective_affinity_list",
            first.address
        ),
    )))
}
