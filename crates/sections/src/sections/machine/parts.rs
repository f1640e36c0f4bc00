//! A machine's parts inside one another: sockets, nodes, dies, shared caches, cores, threads.
use crate::chart::{Part, Rank};
use crate::quantity;
use record::{Cache, CacheKind, Cpu, CpuSet, Machine, Sort, Topology};
use std::collections::BTreeMap;

/// The whole machine. Ranks that nothing is known of, or that hold everything their parent holds without a
/// name of their own (the only die of a socket), are left out. Kernels forget where a CPU that is offline has its place;
/// such CPUs stand apart.
pub(super) fn tree(machine: &Machine) -> Part {
    let topology = &machine.topology;
    let (on, off): (Vec<&Cpu>, Vec<&Cpu>) =
        topology.cpus.iter().partition(|cpu| cpu.online || cpu.package.is_some());
    let mut whole = Whole { machine, topology, near: near(topology), order: vec![] };
    whole.order = whole.order(&on);
    let mut parts = whole.inside(&on, 0);
    for node in topology.nodes.iter().filter(|n| n.cpus.is_empty()) {
        parts.push(Part {
            rank: Rank::Node,
            label: format!("Node {}", node.id).into(),
            note: format!("{}, no CPUs", memory(node.bytes)).into(),
            ..Part::default()
        });
    }
    if !off.is_empty() {
        let mut cores = whole.inside(&off, whole.order.len() - 1);
        cores.iter_mut().for_each(|core| core.off = true);
        let label = "Out of use".to_string();
        parts.push(Part {
            rank: Rank::Package,
            label: label.into(),
            parts: cores,
            off: true,
            ..Part::default()
        });
    }
    Part { label: "Machine".into(), parts, ..Part::default() }
}

fn memory(bytes: Option<u64>) -> String {
    match bytes {
        None => "memory unknown".into(),
        Some(0) => "no memory".into(),
        Some(bytes) => format!("{} memory", quantity::size(bytes)),
    }
}

/// The caches of each CPU, nearest first. Found once: asking a thousand CPUs for theirs is a million questions.
fn near(topology: &Topology) -> BTreeMap<u32, Vec<&Cache>> {
    let caches = topology.caches.iter();
    let pairs = caches.flat_map(|cache| cache.cpus.iter().map(move |cpu| (cpu, cache)));
    let mut near = record::groups(pairs);
    near.values_mut().for_each(|caches| caches.order_by_key(|c| (c.level, c.kind)));
    near
}

fn sized(cache: &Cache) -> String {
    let bytes = cache.bytes.map_or("of unknown size".into(), quantity::size);
    format!("L{} {bytes}", cache.level)
}

struct Whole<'a> {
    machine: &'a Machine,
    topology: &'a Topology,
    near: BTreeMap<u32, Vec<&'a Cache>>,
    order: Vec<Rank>,
}

impl<'a> Whole<'a> {
    /// What is inside what. A node may hold several sockets (NUMA turned off), and a last-level cache several nodes
    /// (clusters of a socket shown as nodes): whatever is larger stands outside, so that nothing is drawn twice.
    fn order(&self, cpus: &[&Cpu]) -> Vec<Rank> {
        let spans = |outer: Rank, inner: Rank| {
            let mut first: BTreeMap<u32, Option<u32>> = BTreeMap::new();
            cpus.iter().any(|cpu| {
                let inner = self.key(cpu, inner);
                self.key(cpu, outer)
                    .is_some_and(|outer| *first.entry(outer).or_insert(inner) != inner)
            })
        };
        let mut order = vec![Rank::Package, Rank::Node, Rank::Die, Rank::Cache];
        if spans(Rank::Node, Rank::Package) {
            order.swap(0, 1);
        } else if spans(Rank::Cache, Rank::Node) && !spans(Rank::Node, Rank::Cache) {
            order = vec![Rank::Package, Rank::Cache, Rank::Node, Rank::Die];
        }
        order.extend([Rank::Cluster, Rank::Core]);
        order
    }

    /// The number that CPUs of the same part share; nothing where it is not known.
    fn key(&self, cpu: &Cpu, rank: Rank) -> Option<u32> {
        match rank {
            Rank::Machine => Some(0),
            Rank::Package => cpu.package,
            Rank::Node => cpu.node.or_else(|| {
                self.topology.nodes.iter().find(|n| n.cpus.contains(cpu.id)).map(|n| n.id)
            }),
            Rank::Die => cpu.die,
            Rank::Cache => self.last_level(cpu).and_then(|c| c.cpus.first()),
            // Caches by their first CPU, clusters by numbers that no CPU has.
            Rank::Cluster => self
                .middle(cpu)
                .and_then(|c| c.cpus.first())
                .or(cpu.cluster.map(|id| id.saturating_add(CpuSet::MAX + 1))),
            Rank::Core => cpu.siblings.first(),
            Rank::Thread => Some(cpu.id),
        }
    }

    fn caches(&self, cpu: &Cpu) -> &[&'a Cache] {
        self.near.get(&cpu.id).map_or(&[], Vec::as_slice)
    }

    fn last_level(&self, cpu: &Cpu) -> Option<&'a Cache> {
        let caches = self.caches(cpu).iter().rev().copied();
        caches.into_iter().find(|c| c.level >= 3 && c.kind != CacheKind::Instruction)
    }

    /// The largest cache below the third level that several cores share.
    fn middle(&self, cpu: &Cpu) -> Option<&'a Cache> {
        let shared = |c: &&Cache| {
            c.level < 3
                && c.kind != CacheKind::Instruction
                && c.cpus.iter().any(|other| !cpu.siblings.contains(other))
        };
        self.caches(cpu).iter().rev().copied().find(shared)
    }

    /// The caches nearer than the shared ones: `L1d 48 KiB`, `L2 1 MiB`.
    fn own(&self, cpu: &Cpu) -> String {
        let outer = self.middle(cpu);
        let own = self.caches(cpu).iter().filter(|c| c.level < 3 && outer != Some(**c));
        let words = own.map(|c| {
            let kind = match c.kind {
                CacheKind::Data => "d",
                CacheKind::Instruction => "i",
                CacheKind::Unified => "",
            };
            format!("L{}{kind} {}", c.level, c.bytes.map_or("?".into(), quantity::size))
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// The parts that these CPUs make at a place of the order.
    fn inside(&self, cpus: &[&Cpu], at: usize) -> Vec<Part> {
        let Some(rank) = self.order.get(at).copied() else {
            let thread = |cpu: &&Cpu| Part {
                rank: Rank::Thread,
                label: cpu.id.to_string().into(),
                off: !cpu.online,
                ..Part::default()
            };
            return cpus.iter().map(thread).collect();
        };
        let groups = record::groups(cpus.iter().map(|cpu| (self.key(cpu, rank), *cpu)));
        let alone = groups.len() == 1;
        let mut parts: Vec<(u32, Part)> = vec![];
        for (key, members) in groups {
            let first = members.first().map_or(0, |cpu| cpu.id);
            let named = match rank {
                Rank::Die => key.is_some() && !alone,
                Rank::Cluster => self.is_cluster(&members, alone),
                Rank::Core => key.is_some() || self.cores(&members).is_some(),
                _ => key.is_some() || !alone && members.iter().any(|cpu| cpu.online),
            };
            if named {
                parts.push((first, self.part(&members, rank, key, at)));
            } else {
                parts.extend(self.inside(&members, at + 1).into_iter().map(|part| (first, part)));
            }
        }
        // Cores of a cluster and cores without one, in the order of their CPUs.
        if matches!(rank, Rank::Cluster | Rank::Core) {
            parts.order_by_key(|(first, _)| *first);
        }
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// A shared cache always is one; a number alone only if it parts several cores from the rest.
    fn is_cluster(&self, members: &[&Cpu], alone: bool) -> bool {
        let Some(first) = members.first() else { return false };
        let several = members.iter().any(|cpu| !first.siblings.contains(cpu.id));
        self.middle(first).is_some() || first.cluster.is_some() && several && !alone
    }

    fn cores(&self, members: &[&Cpu]) -> Option<usize> {
        self.machine.cores_of(&members.iter().map(|cpu| cpu.id).collect())
    }

    fn part(&self, members: &[&Cpu], rank: Rank, key: Option<u32>, at: usize) -> Part {
        let off = members.iter().all(|c| !c.online);
        let number = key.map_or("unknown".into(), |k| k.to_string());
        let first = members.first();
        let (label, note) = match rank {
            Rank::Machine | Rank::Package => (format!("Socket {number}"), String::new()),
            Rank::Node => {
                let node = key.and_then(|id| self.topology.node(id));
                (format!("Node {number}"), memory(node.and_then(|n| n.bytes)))
            }
            Rank::Die => (format!("Die {number}"), String::new()),
            Rank::Cache => match first.and_then(|c| self.last_level(c)) {
                Some(cache) => (sized(cache), String::new()),
                None => ("No shared cache known".into(), String::new()),
            },
            Rank::Cluster => match first.and_then(|c| self.middle(c)) {
                Some(cache) => (sized(cache), String::new()),
                None => {
                    let own = first.and_then(|c| c.cluster);
                    (own.map_or("Cluster".into(), |id| format!("Cluster {id}")), String::new())
                }
            },
            Rank::Core | Rank::Thread => {
                let mut label =
                    first.and_then(|c| c.core).map_or("Core".into(), |c| format!("Core {c}"));
                if let Some(kind) = first.and_then(|c| c.kind.as_deref()) {
                    label += &format!(" ({kind})");
                }
                (label, first.map_or(String::new(), |c| self.own(c)))
            }
        };
        let cores = self.cores(members).filter(|_| rank == Rank::Core && key.is_none());
        let label = cores.map_or(label, |n| quantity::counted(n, "core"));
        Part {
            rank,
            label: label.into(),
            note: note.into(),
            cores,
            parts: self.inside(members, at + 1),
            off,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight CPUs on two nodes, of which no source says which share a core.
    fn machine(threads_per_core: Option<u64>) -> Machine {
        let cpu = |id| Cpu { id, online: true, node: Some(id / 4), ..Cpu::default() };
        let mut machine = Machine::default();
        machine.topology.cpus = (0..8).map(cpu).collect();
        if let Some(threads) = threads_per_core {
            machine.set("cpu.threads_per_core", threads, "lscpu");
        }
        machine
    }

    #[test]
    fn threads_are_counted_as_cores_only_where_their_number_is_stated() {
        let inside = |threads| {
            let nodes = tree(&machine(threads)).parts;
            let parts = nodes.iter().flat_map(|node| &node.parts);
            parts.map(|part| (part.rank, part.cores)).collect::<Vec<_>>()
        };
        assert_eq!(inside(Some(2)), [(Rank::Core, Some(2)); 2]);
        assert_eq!(inside(None), [(Rank::Thread, None); 8]);
        assert_eq!(inside(Some(3)), [(Rank::Thread, None); 8]);
    }
}
