//! Values per pair of CPUs, and how the two hang together.
use crate::report::{Cell, Estimate, Matrix};
use record::{Record, Topology};
use std::collections::BTreeSet;

/// One matrix for each run and metric that has coordinates `from` and `to`, in the record's order; nodes are no CPUs.
pub(crate) fn matrices(record: &Record, estimates: &[Estimate]) -> Vec<Matrix> {
    let mut all: Vec<Matrix> = vec![];
    for e in estimates.iter().filter(|e| e.probe != "numa_matrix") {
        let end = |name: &str| u32::try_from(e.at.get(name)?.integer()?).ok();
        let (Some(a), Some(b)) = (end("from"), end("to")) else { continue };
        let (from, to) = (a.min(b), a.max(b));
        if from == to {
            continue;
        }
        if !all.last().is_some_and(|m| m.run == e.run && m.metric == e.metric) {
            all.push(Matrix {
                run: e.run,
                metric: e.metric.clone(),
                unit: e.unit,
                cpus: vec![],
                cells: vec![],
            });
        }
        if let Some(matrix) = all.last_mut() {
            matrix.cells.push(Cell {
                from,
                to,
                median: e.median,
                states: e.states.clone(),
                relation: relation(&record.machine.topology, from, to).to_owned(),
            });
        }
    }
    for matrix in &mut all {
        let ids: BTreeSet<u32> = matrix.cells.iter().flat_map(|c| [c.from, c.to]).collect();
        matrix.cpus = ids.into_iter().collect();
        // A repeated case has a cell for every attempt; the last one is the one that was kept.
        matrix.cells.reverse();
        matrix.cells.sort_by_key(|c| (c.from, c.to));
        matrix.cells.dedup_by_key(|c| (c.from, c.to));
    }
    all
}

/// The closest thing that two CPUs share. Dies and nodes are named only where a socket has several of them, for
/// "same die" says nothing when there is one.
pub(crate) fn relation(topology: &Topology, from: u32, to: u32) -> &'static str {
    let (Some(a), Some(b)) = (topology.cpu(from), topology.cpu(to)) else { return "not known" };
    if a.siblings.contains(to) || b.siblings.contains(from) {
        return "SMT siblings";
    }
    let shared = |x: Option<u32>, y: Option<u32>| x.is_some() && x == y;
    let socket = shared(a.package, b.package);
    if socket && shared(a.cluster, b.cluster) {
        return "same cluster";
    }
    if topology.data_caches(from).iter().any(|c| c.level >= 3 && c.cpus.contains(to)) {
        return "same L3";
    }
    let several = |part: &dyn Fn(u32) -> Option<u32>| {
        let of_socket = topology.cpus.iter().filter(|c| c.package == a.package);
        of_socket.filter_map(|c| part(c.id)).collect::<BTreeSet<_>>().len() > 1
    };
    if socket && shared(a.die, b.die) && several(&|id| topology.cpu(id)?.die) {
        return "same die";
    }
    let node = shared(topology.node_of(from), topology.node_of(to));
    match (a.package.is_some() && b.package.is_some(), socket) {
        (true, true) if node && several(&|id| topology.node_of(id)) => "same node",
        (true, true) => "same socket",
        (true, false) => "other socket",
        (false, _) if node => "same node",
        (false, _) => "not known",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cache, CacheKind, Cpu, CpuSet};

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
            ],
            caches: vec![Cache {
                level: 3,
                kind: CacheKind::Unified,
                bytes: None,
                line: None,
                ways: None,
                cpus: "0-3".parse().unwrap(),
            }],
            ..Topology::default()
        }
    }

    #[test]
    fn the_closest_thing_in_common_is_named() {
        let t = topology();
        for (a, b, expected) in [
            (0, 1, "SMT siblings"),
            (0, 2, "same cluster"),
            (0, 3, "same L3"),
            (0, 4, "same die"),
            (0, 5, "same node"),
            (0, 6, "same socket"),
            (0, 7, "other socket"),
            (0, 99, "not known"),
        ] {
            assert_eq!(relation(&t, a, b), expected, "{a} and {b}");
            assert_eq!(relation(&t, b, a), expected, "{b} and {a}");
        }
    }

    #[test]
    fn unknown_sockets_are_not_guessed() {
        let mut t = topology();
        t.caches.clear();
        for cpu in &mut t.cpus {
            cpu.package = None;
        }
        assert_eq!(relation(&t, 0, 3), "same node");
        assert_eq!(relation(&t, 0, 7), "not known");
    }
}
