//! The relation of two CPUs by what they share, as the machine states it: the classes that pairs of CPUs fall into.
use crate::{Cache, Cpu, CpuSet, Topology};
use std::collections::{BTreeMap, BTreeSet};

crate::named! {
    /// The closest thing that two CPUs share, nearest first.
    #[derive(Hash)]
    pub enum Relation {
        /// Two threads of a core.
        Siblings = "SMT siblings",
        /// A cluster, or a second-level cache.
        Cluster = "same cluster",
        /// A last-level cache, the third level or beyond.
        LastLevel = "same L3",
        /// A die, where its socket has several.
        Die = "same die",
        /// A NUMA node, where the socket has several, or is not known.
        Node = "same node",
        /// A socket.
        Socket = "same socket",
        /// Nothing: they are in different sockets.
        Apart = "other socket",
        /// Not known.
        Unknown = "not known",
    }
}

/// The position of one CPU, as numbers that are equal where two CPUs share a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Place {
    siblings: CpuSet,
    package: Option<u32>,
    cluster: Option<u32>,
    second: Option<u32>,
    last: Vec<u32>,
    die: Option<u32>,
    node: Option<u32>,
    /// Whether its socket has several dies, and several nodes.
    dies: bool,
    nodes: bool,
}

/// Tells how two CPUs are related, quickly: machines have half a million pairs.
#[derive(Debug, Clone, Default)]
pub struct Relations(BTreeMap<u32, Place>);

impl Relations {
    /// Looks at every CPU once.
    pub fn of(topology: &Topology) -> Relations {
        let place = |cpu: &Cpu| Place {
            siblings: cpu.siblings.clone(),
            package: cpu.package,
            cluster: cpu.cluster,
            die: cpu.die,
            node: cpu.node,
            ..Place::default()
        };
        let cpus = topology.cpus.iter();
        let mut places: BTreeMap<u32, Place> = cpus.map(|cpu| (cpu.id, place(cpu))).collect();
        for node in &topology.nodes {
            for cpu in node.cpus.iter() {
                if let Some(place) = places.get_mut(&cpu) {
                    place.node = place.node.or(Some(node.id));
                }
            }
        }
        let data = |c: &&Cache| c.kind != crate::CacheKind::Instruction && c.level >= 2;
        for (number, cache) in (0u32..).zip(topology.caches.iter().filter(data)) {
            for cpu in cache.cpus.iter() {
                let Some(place) = places.get_mut(&cpu) else { continue };
                if cache.level == 2 {
                    place.second = Some(number);
                } else {
                    place.last.push(number);
                }
            }
        }
        let (mut dies, mut nodes) = (BTreeMap::new(), BTreeMap::new());
        for place in places.values() {
            dies.entry(place.package).or_insert_with(BTreeSet::new).extend(place.die);
            nodes.entry(place.package).or_insert_with(BTreeSet::new).extend(place.node);
        }
        for place in places.values_mut() {
            place.dies = dies.get(&place.package).is_some_and(|all| all.len() > 1);
            place.nodes = nodes.get(&place.package).is_some_and(|all| all.len() > 1);
        }
        Relations(places)
    }
    /// The NUMA node of a CPU, where it is known.
    pub fn node_of(&self, cpu: u32) -> Option<u32> {
        self.0.get(&cpu)?.node
    }
    /// Whether the CPUs of two NUMA nodes are in one socket; nothing where a node has no CPUs or its socket is not known.
    pub fn same_socket(&self, node: u32, other: u32) -> Option<bool> {
        let socket = |node: u32| self.0.values().find(|place| place.node == Some(node))?.package;
        Some(socket(node)? == socket(other)?)
    }
    /// The closest thing that two CPUs share. Dies and nodes are named only where a socket has several of them, for "same
    /// die" says nothing when there is one.
    pub fn between(&self, from: u32, to: u32) -> Relation {
        let (Some(a), Some(b)) = (self.0.get(&from), self.0.get(&to)) else {
            return Relation::Unknown;
        };
        let shared = |x: Option<u32>, y: Option<u32>| x.is_some() && x == y;
        if a.siblings.contains(to) || b.siblings.contains(from) {
            return Relation::Siblings;
        }
        let socket = shared(a.package, b.package);
        if socket && shared(a.cluster, b.cluster) || shared(a.second, b.second) {
            return Relation::Cluster;
        }
        if a.last.iter().any(|cache| b.last.contains(cache)) {
            return Relation::LastLevel;
        }
        if socket && shared(a.die, b.die) && a.dies {
            return Relation::Die;
        }
        let node = shared(a.node, b.node);
        match (a.package.is_some() && b.package.is_some(), socket) {
            (true, true) if node && a.nodes => Relation::Node,
            (true, true) => Relation::Socket,
            (true, false) => Relation::Apart,
            (false, _) if node => Relation::Node,
            (false, _) => Relation::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CacheKind, Cpu};

    fn topology() -> Topology {
        // Two sockets; the first has two dies with two cores of two threads.
        let cpu = |id: u32, package, die, cluster, siblings: &str, node| Cpu {
            id,
            online: true,
            allowed: true,
            package: Some(package),
            die: Some(die),
            cluster,
            siblings: siblings.parse::<CpuSet>().unwrap(),
            node: Some(node),
            ..Cpu::default()
        };
        let cache = |level, cpus: &str| Cache {
            level,
            kind: CacheKind::Unified,
            bytes: None,
            line: None,
            ways: None,
            cpus: cpus.parse().unwrap(),
        };
        Topology {
            cpus: vec![
                cpu(0, 0, 0, Some(1), "0,1", 0),
                cpu(1, 0, 0, Some(1), "0,1", 0),
                cpu(2, 0, 0, Some(1), "2", 0),
                cpu(3, 0, 0, Some(2), "3", 0),
                cpu(4, 0, 0, None, "4", 0),
                cpu(5, 0, 1, None, "5", 0),
                cpu(6, 0, 1, None, "6", 1),
                cpu(7, 1, 0, Some(1), "7", 2),
                cpu(8, 1, 0, None, "8", 2),
                cpu(9, 1, 0, None, "9", 2),
            ],
            caches: vec![cache(3, "0-3"), cache(2, "8-9"), cache(3, "7-9")],
            ..Topology::default()
        }
    }

    #[test]
    fn the_closest_thing_in_common_is_named() {
        let relations = Relations::of(&topology());
        for (a, b, expected) in [
            (0, 1, "SMT siblings"),
            (0, 2, "same cluster"),
            (8, 9, "same cluster"),
            (0, 3, "same L3"),
            (7, 9, "same L3"),
            (0, 4, "same die"),
            (0, 5, "same node"),
            (0, 6, "same socket"),
            (0, 7, "other socket"),
            (0, 99, "not known"),
        ] {
            assert_eq!(relations.between(a, b).name(), expected, "{a} and {b}");
            assert_eq!(relations.between(b, a).name(), expected, "{b} and {a}");
        }
    }

    #[test]
    fn unknown_sockets_are_not_guessed() {
        let mut t = topology();
        t.caches.clear();
        for cpu in &mut t.cpus {
            cpu.package = None;
        }
        let relations = Relations::of(&t);
        assert_eq!(relations.between(0, 3), Relation::Node);
        assert_eq!(relations.between(0, 7), Relation::Unknown);
    }

    /// A node that lists its CPUs says as much as CPUs that name their node.
    #[test]
    fn nodes_may_be_known_from_either_side() {
        let mut t = topology();
        for cpu in &mut t.cpus {
            (cpu.node, cpu.package, cpu.cluster) = (None, None, None);
        }
        t.caches.clear();
        t.nodes = vec![crate::Node { id: 5, cpus: "3-4".parse().unwrap(), ..Default::default() }];
        assert_eq!(Relations::of(&t).between(3, 4), Relation::Node);
        assert_eq!(Relations::of(&t).between(4, 5), Relation::Unknown);
    }
}
