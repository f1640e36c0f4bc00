//! `cpulens info` against the description of the machine it ran on.
use super::{Complaints, same};
use lab::Machine;
use record::{CpuSet, FactValue, Topology};
use std::collections::BTreeSet;

pub(super) fn check(machine: &Machine, found: &record::Machine) -> Complaints {
    let topology = &found.topology;
    let mut wrong = cpus(machine, topology);
    if !machine.place.no_sys {
        wrong.extend(nodes(machine, topology));
        wrong.extend(caches(machine, topology));
    }
    wrong.extend(modules(machine, topology));
    wrong.extend(facts(found));
    let hypervisor = found.text("virtual.hypervisor").unwrap_or_default();
    if !machine.arm && hypervisor.contains("QEMU") == machine.maker.is_some() {
        wrong.push(format!("the hypervisor is not known: {hypervisor}"));
    }
    wrong
}

fn cpus(machine: &Machine, topology: &Topology) -> Complaints {
    let mut wrong = Complaints::new();
    let ids: CpuSet = topology.cpus.iter().map(|cpu| cpu.id).collect();
    wrong.extend(same("CPUs", ids, machine.present()));
    wrong.extend(same("online CPUs", topology.online(), machine.online()));
    wrong.extend(same("usable CPUs", topology.usable(), machine.usable()));
    let (nodes, threads) = (machine.nodes(), machine.smp("threads"));
    for cpu in topology.cpus.iter().filter(|cpu| cpu.online) {
        let id = cpu.id;
        let first = id / threads * threads;
        let core: CpuSet = (first..first + threads).collect();
        wrong.extend(same(&format!("threads beside CPU {id}"), &cpu.siblings, &core));
        let node = (0..).zip(&nodes).find(|(_, cpus)| cpus.contains(id)).map(|n| n.0);
        wrong.extend(same(&format!("node of CPU {id}"), cpu.node, node));
    }
    // Without ACPI or a device tree's cpu-map an Arm kernel does not know its sockets: unknown, never zero.
    let packages: BTreeSet<u32> = topology.cpus.iter().filter_map(|cpu| cpu.package).collect();
    wrong.extend(same("sockets", packages.len(), machine.smp("sockets") as usize));
    wrong
}

fn nodes(machine: &Machine, topology: &Topology) -> Complaints {
    let mut wrong = Complaints::new();
    let described = machine.nodes();
    wrong.extend(same("nodes", topology.nodes.len(), described.len()));
    for (at, (node, cpus)) in topology.nodes.iter().zip(&described).enumerate() {
        let online = cpus.intersection(&machine.online());
        wrong.extend(same(&format!("CPUs of node {at}"), &node.cpus, &online));
        let row = (0..described.len()).map(|to| machine.distance.at(at, to)).collect();
        wrong.extend(same(&format!("distances of node {at}"), &node.distances, &row));
        let most = machine.memory.get(at).map_or(0, |mib| u64::from(*mib) << 20);
        if !node.bytes.is_some_and(|bytes| bytes > 0 && bytes <= most) {
            wrong.push(format!("memory of node {at}: {:?} bytes of {most}", node.bytes));
        }
    }
    wrong
}

/// Whatever caches the emulated CPU has: each CPU reaches one instance of a level and kind, and what is not known
/// of them is said to be.
fn caches(machine: &Machine, topology: &Topology) -> Complaints {
    let caches = &topology.caches;
    if caches.is_empty() {
        return explained("caches", topology).into_iter().collect();
    }
    let mut wrong = Complaints::new();
    let online = machine.online();
    let kinds: BTreeSet<_> = caches.iter().map(|c| (c.level, c.kind)).collect();
    for kind in kinds {
        let alike = caches.iter().filter(|c| (c.level, c.kind) == kind);
        // The kernel goes on naming offline CPUs where their last-level cache is shared.
        let reached = alike.map(|c| c.cpus.intersection(&online));
        let mut reached: Vec<u32> =
            reached.flat_map(|set| set.iter().collect::<Vec<_>>()).collect();
        reached.sort_unstable();
        wrong.extend(same(&format!("CPUs of L{kind:?}"), reached, online.iter().collect()));
    }
    if caches.iter().any(|c| c.bytes == Some(0)) {
        wrong.push("a cache of no size".into());
    }
    if caches.iter().any(|c| c.bytes.is_none()) {
        wrong.extend(explained("cache sizes", topology));
    }
    wrong
}

/// The modules we gave firmware; QEMU's own elsewhere. Only root may read the table.
fn modules(machine: &Machine, topology: &Topology) -> Complaints {
    let dimms = &topology.dimms;
    if machine.place.uid.is_some() || machine.place.no_sys || machine.arm {
        let explained = explained("dimms", topology).into_iter();
        return explained.chain(same("modules nobody can read", dimms.len(), 0)).collect();
    }
    if machine.modules.is_empty() {
        return dimms.is_empty().then(|| "no memory module".to_owned()).into_iter().collect();
    }
    let speed = |mega: u16| (mega > 0).then(|| f64::from(mega) * 1e6);
    let described = machine.modules.iter().map(|m| {
        let bytes = m.size.map(|mib| u64::from(mib) << 20);
        (&*m.slot, m.size.is_some(), bytes, speed(m.rated), speed(m.configured))
    });
    let found = dimms.iter().map(|d| (&*d.slot, d.populated, d.bytes, d.rated, d.configured));
    same("memory modules", found.collect::<Vec<_>>(), described.collect()).into_iter().collect()
}

/// A part that is not there is named, and why.
fn explained(part: &str, topology: &Topology) -> Option<String> {
    let named = topology.missing.iter().any(|(name, why)| name == part && !why.why.is_empty());
    (!named).then(|| format!("no {part}, and no reason: {:?}", topology.missing))
}

/// Every fact says where it was read, and either a value or why there is none.
fn facts(found: &record::Machine) -> Complaints {
    let bad = found.facts.iter().filter(|(_, fact)| {
        let silent =
            matches!(&fact.known, FactValue::Unknown(reason) if reason.why.trim().is_empty());
        fact.source.trim().is_empty() || silent
    });
    let mut wrong: Complaints = bad.map(|(name, fact)| format!("fact {name}: {fact:?}")).collect();
    for part in ["cpus", "nodes"] {
        let sources = &found.topology.sources;
        if !sources.iter().any(|(name, source)| name == part && !source.trim().is_empty()) {
            wrong.push(format!("nobody says where the {part} were read"));
        }
    }
    wrong
}
