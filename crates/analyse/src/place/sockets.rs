//! Which socket a core is in, where the record does not say so of its CPUs: by the NUMA nodes, and only where these leave no
//! doubt. Sources: ACPI 6.5, SLIT; lscpu(1), whose summary only counts sockets.
use super::cores::Core;
use super::{Basis, Draft};
use crate::facts;
use crate::report::Report;
use crate::say;
use diagnose::evidence::Evidence;
use record::{Node, Reason, Topology};
use std::collections::BTreeSet;

/// The nodes of each socket.
pub(super) type Sockets = Vec<BTreeSet<u32>>;

/// The nodes of each socket where no CPU's socket is stated; nothing where the nodes do not determine them.
pub(super) fn by_nodes(report: &Report<'_>) -> Option<Sockets> {
    let machine = &report.record.machine;
    let topology = &machine.topology;
    let stated = machine.sockets();
    // A hypervisor may give any node to any socket.
    let unsure = facts::hypervisor(machine).is_some()
        || topology.sockets() > 0
        || stated < 2
        || Evidence::over(report).clusters(stated);
    if unsure {
        return None;
    }
    let nodes: Vec<&Node> = topology.with_cpus().collect();
    let each = nodes.len() / stated;
    let groups: Option<BTreeSet<BTreeSet<u32>>> =
        nodes.iter().map(|node| around(topology, node, &nodes, each)).collect();
    // Where some node's nearest are not each other's nearest, there are more groups than sockets.
    let sockets: Sockets = groups.filter(|g| g.len() == stated)?.into_iter().collect();
    let cpus =
        |s: &BTreeSet<u32>| s.iter().filter_map(|n| Some(topology.node(*n)?.cpus.len())).sum();
    let sizes: BTreeSet<usize> = sockets.iter().map(cpus).collect();
    (sizes.len() == 1 && each * stated == nodes.len()).then_some(sockets)
}

/// A node with the nearest others, so many in all; nothing where the next is as near.
fn around(topology: &Topology, node: &Node, nodes: &[&Node], each: usize) -> Option<BTreeSet<u32>> {
    if each == 1 {
        return Some([node.id].into());
    }
    let far = |other: &&Node| Some((topology.distance(node.id, other.id)?, other.id));
    let others = nodes.iter().filter(|other| other.id != node.id);
    let mut others: Vec<(u32, u32)> = others.map(far).collect::<Option<_>>()?;
    others.sort_unstable();
    let (near, rest) = others.split_at_checked(each.checked_sub(1)?)?;
    let apart = near.last()?.0 < rest.first()?.0;
    apart.then(|| near.iter().map(|(_, id)| *id).chain([node.id]).collect())
}

/// Gives the cores the sockets of their nodes.
pub(super) fn give(cores: &mut [Core], sockets: &Sockets) {
    for core in cores {
        let at = core.node.and_then(|node| sockets.iter().position(|s| s.contains(&node)));
        core.socket = at.and_then(|at| u32::try_from(at).ok());
    }
}

/// Says where the sockets are known from.
pub(super) fn explain(sockets: &Sockets, draft: &mut Draft) {
    let each = sockets.first().map_or(0, BTreeSet::len);
    draft.choose(super::allot::ABOUT, say::place_sockets_by_nodes(each), Basis::Stated);
}

/// The reason why these cores cannot be placed by sockets.
pub(super) fn unknown(cores: &[Core]) -> Reason {
    let nodes: BTreeSet<Option<u32>> = cores.iter().map(|c| c.node).collect();
    let remedy = match nodes.len() > 1 {
        true => say::PLACE_IMPORT_LSCPU_OR_NODE,
        false => say::PLACE_IMPORT_LSCPU,
    };
    Reason::mended_by(say::PLACE_SOCKETS_UNKNOWN, remedy)
}
