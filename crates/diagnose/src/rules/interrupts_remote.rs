//! A device's interrupts all go to CPUs of another NUMA node than its own.
//!
//! Data that the device wrote near itself is then read from the other node, and so are its queues. Queues with an interrupt for
//! each CPU are on all nodes and no fault. Source: Linux, Documentation/networking/scaling.rst and
//! core-api/irq/irq-affinity.rst.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::words::{count, device};
use record::{Device, Node};

pub(crate) static RULE: Rule = Rule::without_cost(
    "A device's interrupts go to another NUMA node",
    &[Demand::Kernel, Demand::Latency],
    check,
    "what it costs depends on the device's traffic, which is not measured",
    Some("measure the program with the interrupts on either node"),
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
        return Err(Reason::mended_by(
            "no device states both its node and where its interrupts go",
            "run as root, outside of a container",
        ));
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
    let others = match remote.len() {
        1 => String::new(),
        n => format!(" The same holds for {}.", count(n - 1, "other device")),
    };
    Ok(Some(Finding::new(
        format!(
            "{} is on node {node}, and its interrupts go to CPUs {} of other nodes.{others}",
            device(first),
            first.interrupt_cpus
        ),
        format!(
            "Send them to CPUs of node {node} (/proc/irq/*/smp_affinity_list, irqbalance with its hints, the vendor's script), and run there what uses the device: cpulens place --near {}.",
            first.address
        ),
        format!(
            "grep . /sys/bus/pci/devices/{}/numa_node /proc/irq/*/effective_affinity_list",
            first.address
        ),
    )))
}
