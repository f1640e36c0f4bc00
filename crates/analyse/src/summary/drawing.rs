//! The machine as a tree of few lines: sockets, their NUMA nodes with caches and memory, the devices of each node.
use super::{
    Part,
    machine::{counted, long},
};
use record::{CacheKind, CpuSet, Device, Machine, Node, Text, Topology};

/// A line of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub enum Drawn {
    /// A part or setting that takes more than a cell of the table.
    Long(Part, Vec<Text>),
    /// A socket.
    Socket {
        /// Its number; nothing where the machine does not state sockets.
        id: Option<u32>,
        /// Physical cores, if they can be counted.
        cores: Option<usize>,
        /// Online CPUs.
        cpus: usize,
    },
    /// A NUMA node, or several that are alike.
    Node {
        /// Their numbers.
        ids: CpuSet,
        /// Their CPUs; none: memory only.
        cpus: CpuSet,
        /// Memory of each in bytes.
        bytes: Option<u64>,
        /// Its kind where it is not plain DRAM: `CXL`, `GPU`.
        kind: Option<String>,
        /// Last-level caches of each: level, how many, bytes.
        caches: Option<(u32, usize, u64)>,
        /// Distances from the first of them.
        distances: Vec<u32>,
    },
    /// Devices of the node above, or of no known node.
    Devices {
        /// Whether the node is known.
        placed: bool,
        /// Each in words: `NIC eth0 x8 of x16`.
        devices: Vec<Text>,
    },
}

/// More nodes than these on a socket are drawn together where they are alike.
const FEW: usize = 4;
/// Distances to more nodes than these do not fit a line.
const MOST_DISTANCES: usize = 8;

/// The memory modules, if they are known.
pub(super) fn modules(machine: &Machine) -> Option<Drawn> {
    let all = long(machine).into_iter().find(|(part, _)| *part == Part::Modules);
    all.map(|(part, items)| Drawn::Long(part, items))
}

/// The drawing; nothing where no CPU is known.
pub(super) fn drawing(machine: &Machine) -> Vec<Drawn> {
    let topology = &machine.topology;
    let online = topology.online();
    let present = topology.cpus.iter().filter(|c| c.online);
    let sockets = record::sets(present.map(|cpu| (cpu.package, cpu.id)));
    let mut lines: Vec<Drawn> =
        long(machine).into_iter().map(|(part, items)| Drawn::Long(part, items)).collect();
    let of_socket =
        |node: &&Node, cpus: &CpuSet| node.cpus.first().is_some_and(|id| cpus.contains(id));
    for (id, cpus) in &sockets {
        lines.push(Drawn::Socket { id: *id, cores: machine.cores_of(cpus), cpus: cpus.len() });
        let nodes: Vec<&Node> = topology.nodes.iter().filter(|n| of_socket(n, cpus)).collect();
        together(machine, &nodes, &mut lines);
    }
    let apart: Vec<&Node> =
        topology.nodes.iter().filter(|n| n.cpus.intersection(&online).is_empty()).collect();
    together(machine, &apart, &mut lines);
    let known = |d: &&Device| d.node.is_none_or(|id| topology.node(id).is_none());
    devices(topology.devices.iter().filter(known), false, &mut lines);
    lines
}

/// Nodes of one socket: each on its line, many that are alike on one.
fn together(machine: &Machine, nodes: &[&Node], lines: &mut Vec<Drawn>) {
    let topology = &machine.topology;
    let mut groups: Vec<(Drawn, Vec<u32>)> = vec![];
    for node in nodes {
        let line = Drawn::Node {
            ids: CpuSet::default(),
            cpus: node.cpus.clone(),
            bytes: node.bytes,
            kind: machine.text(&format!("memory.node.{}.kind", node.id)).map(str::to_owned),
            caches: caches(topology, node),
            distances: match topology.nodes.len() {
                2..=MOST_DISTANCES => node.distances.clone(),
                _ => vec![],
            },
        };
        let bare = topology.devices.iter().all(|d| d.node != Some(node.id));
        let last = groups.last_mut().filter(|_| nodes.len() > FEW && bare);
        match last.filter(|(other, _)| alike(other, &line)) {
            Some((first, ids)) => {
                ids.push(node.id);
                if let Drawn::Node { cpus, .. } = first {
                    *cpus = cpus.iter().chain(node.cpus.iter()).collect();
                }
            }
            None => groups.push((line, vec![node.id])),
        }
    }
    for (mut line, all) in groups {
        if let Drawn::Node { ids, .. } = &mut line {
            *ids = all.iter().copied().collect();
        }
        lines.push(line);
        let here = |d: &&Device| d.node.is_some_and(|node| all.contains(&node));
        devices(topology.devices.iter().filter(here), true, lines);
    }
}

/// Whether two nodes have as much memory, to a sixteenth, and the same caches.
fn alike(a: &Drawn, b: &Drawn) -> bool {
    let parts = |line: &Drawn| match line {
        Drawn::Node { bytes, kind, caches, .. } => Some((*bytes, kind.clone(), *caches)),
        _ => None,
    };
    let (Some((a_bytes, a_kind, a_caches)), Some((b_bytes, b_kind, b_caches))) =
        (parts(a), parts(b))
    else {
        return false;
    };
    let near = match (a_bytes, b_bytes) {
        (Some(a), Some(b)) => a.abs_diff(b) <= a.max(b) / 16,
        (a, b) => a == b,
    };
    near && a_kind == b_kind && a_caches == b_caches
}

fn caches(topology: &Topology, node: &Node) -> Option<(u32, usize, u64)> {
    let here = topology.caches.iter().filter(|c| {
        c.kind != CacheKind::Instruction
            && c.level > 1
            && !c.cpus.intersection(&node.cpus).is_empty()
    });
    let last = here.clone().map(|c| c.level).max()?;
    let of: Vec<u64> = here.filter(|c| c.level == last).filter_map(|c| c.bytes).collect();
    Some((last, of.len(), *of.first()?)).filter(|_| of.windows(2).all(|pair| pair[0] == pair[1]))
}

/// Devices in words; those of one kind without a name of their own are counted.
fn devices<'a>(found: impl Iterator<Item = &'a Device>, placed: bool, lines: &mut Vec<Drawn>) {
    let devices = counted(found.map(|device| {
        let name = device.names.first().map_or(String::new(), |name| format!(" {name}"));
        format!("{}{name}{}", device.kind.name(), link(device)).into()
    }));
    if !devices.is_empty() {
        lines.push(Drawn::Devices { placed, devices });
    }
}

/// ` (16 GT/s x4)`, or what it runs at and could.
fn link(device: &Device) -> String {
    match (device.link, device.link_of_device) {
        (Some(now), Some(most)) if now != most => format!(" ({now} of {most})"),
        (Some(now), _) => format!(" ({now})"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn drawn(name: &str) -> Vec<Drawn> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/machines");
        let text = fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
        drawing(&serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn sockets_hold_their_nodes_and_nodes_their_devices() {
        let lines = drawn("server-with-devices");
        let kinds: Vec<&str> = lines
            .iter()
            .filter(|line| !matches!(line, Drawn::Long(..)))
            .map(|line| match line {
                Drawn::Long(..) => "long",
                Drawn::Socket { .. } => "socket",
                Drawn::Node { .. } => "node",
                Drawn::Devices { placed: true, .. } => "devices",
                Drawn::Devices { .. } => "elsewhere",
            })
            .collect();
        let whole = ["socket", "node", "socket", "node", "devices", "node", "node", "elsewhere"];
        assert_eq!(kinds, whole, "{lines:?}");
        let found = lines.iter().find(|line| matches!(line, Drawn::Devices { placed: true, .. }));
        let Some(Drawn::Devices { devices, .. }) = found else { panic!("{lines:?}") };
        assert_eq!(devices[0], "NIC enp129s0f0np0 (8 GT/s x8 of 16 GT/s x16)");
        let cxl =
            |line: &Drawn| matches!(line, Drawn::Node { kind: Some(kind), .. } if kind == "CXL");
        assert_eq!(lines.iter().filter(|line| cxl(line)).count(), 1);
    }

    #[test]
    fn many_nodes_that_are_alike_are_one_line() {
        let lines = drawn("phytium-ft2500");
        assert!(lines.len() < 16, "{} lines of 16 nodes", lines.len());
        let nodes: usize = lines
            .iter()
            .map(|line| if let Drawn::Node { ids, .. } = line { ids.len() } else { 0 })
            .sum();
        assert_eq!(nodes, 16);
    }
}
