//! A machine's parts inside one another: sockets, nodes, dies, shared caches, cores, threads.
use crate::chart::{Part, Rank};
use crate::quantity;
use record::{CacheKind, Cpu, Topology};

/// The whole machine. Ranks that nothing is known of, or that hold everything their parent holds without a
/// name of their own (the only die of a socket), are left out.
pub fn tree(topology: &Topology) -> Part {
    let cpus: Vec<&Cpu> = topology.cpus.iter().collect();
    let mut whole = Part { label: "Machine".into(), ..Part::default() };
    whole.parts = inside(topology, &cpus, Rank::Package);
    for node in topology.nodes.iter().filter(|n| n.cpus.is_empty()) {
        whole.parts.push(Part {
            rank: Rank::Node,
            label: format!("Node {}", node.id),
            note: format!("{}, no CPUs", memory(node.bytes)),
            ..Part::default()
        });
    }
    whole
}

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or("memory unknown".into(), |b| format!("{} memory", quantity::size(b)))
}

fn next(rank: Rank) -> Rank {
    match rank {
        Rank::Machine => Rank::Package,
        Rank::Package => Rank::Node,
        Rank::Node => Rank::Die,
        Rank::Die => Rank::Cache,
        Rank::Cache => Rank::Core,
        Rank::Core | Rank::Thread => Rank::Thread,
    }
}

/// The number that CPUs of the same part share; nothing where it is not known.
fn key(topology: &Topology, cpu: &Cpu, rank: Rank) -> Option<u32> {
    match rank {
        Rank::Machine => Some(0),
        Rank::Package => cpu.package,
        Rank::Node => topology.node_of(cpu.id),
        Rank::Die => cpu.die,
        Rank::Cache => last_level(topology, cpu.id).and_then(|c| c.cpus.first()),
        Rank::Core => Some(cpu.siblings.first().unwrap_or(cpu.id)),
        Rank::Thread => Some(cpu.id),
    }
}

fn last_level(topology: &Topology, cpu: u32) -> Option<&record::Cache> {
    topology.data_caches(cpu).into_iter().rev().find(|c| c.level >= 3)
}

fn inside(topology: &Topology, cpus: &[&Cpu], rank: Rank) -> Vec<Part> {
    let mut keys: Vec<Option<u32>> = cpus.iter().map(|c| key(topology, c, rank)).collect();
    keys.sort_unstable();
    keys.dedup();
    let lone_die = rank == Rank::Die && keys.len() == 1;
    if rank < Rank::Core && (keys == [None] || lone_die) {
        return inside(topology, cpus, next(rank));
    }
    keys.into_iter()
        .map(|k| {
            let members: Vec<&Cpu> =
                cpus.iter().copied().filter(|c| key(topology, c, rank) == k).collect();
            part(topology, &members, rank, k)
        })
        .collect()
}

fn part(topology: &Topology, members: &[&Cpu], rank: Rank, key: Option<u32>) -> Part {
    let off = members.iter().all(|c| !c.online);
    let number = key.map_or("unknown".into(), |k| k.to_string());
    let (label, note) = match rank {
        Rank::Machine | Rank::Package => (format!("Socket {number}"), String::new()),
        Rank::Node => {
            let node = key.and_then(|id| topology.node(id));
            (format!("Node {number}"), memory(node.and_then(|n| n.bytes)))
        }
        Rank::Die => (format!("Die {number}"), String::new()),
        Rank::Cache => match members.first().and_then(|c| last_level(topology, c.id)) {
            Some(cache) => (
                format!(
                    "L{} {}",
                    cache.level,
                    cache.bytes.map_or("of unknown size".into(), quantity::size)
                ),
                String::new(),
            ),
            None => ("No shared cache known".into(), String::new()),
        },
        Rank::Core => {
            let own = members.first().map_or(vec![], |c| own_caches(topology, c.id));
            let core = members.first().and_then(|c| c.core);
            let kind = members.first().and_then(|c| c.kind.as_deref());
            let mut label = core.map_or("Core".into(), |c| format!("Core {c}"));
            if let Some(kind) = kind {
                label += &format!(" ({kind})");
            }
            (label, own.join(", "))
        }
        Rank::Thread => (key.map_or(String::new(), |k| k.to_string()), String::new()),
    };
    let parts = if rank == Rank::Thread { vec![] } else { inside(topology, members, next(rank)) };
    let rank = if rank == Rank::Machine { Rank::Package } else { rank };
    Part { rank, label, note, parts, off }
}

/// The caches nearer than the shared one: `L1d 48 KiB`, `L2 1 MiB`.
fn own_caches(topology: &Topology, cpu: u32) -> Vec<String> {
    let mut own: Vec<_> =
        topology.caches.iter().filter(|c| c.level < 3 && c.cpus.contains(cpu)).collect();
    own.sort_by_key(|c| (c.level, c.kind));
    own.into_iter()
        .map(|c| {
            let kind = match c.kind {
                CacheKind::Data => "d",
                CacheKind::Instruction => "i",
                CacheKind::Unified => "",
            };
            format!("L{}{kind} {}", c.level, c.bytes.map_or("?".into(), quantity::size))
        })
        .collect()
}
