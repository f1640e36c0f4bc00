//! The cores to choose from, each with its place in the machine: as measured between cores where that was done for all of
//! them, else as firmware states it.
use super::{Basis, Draft};
use crate::matrices::{Cluster, Matrix};
use crate::report::Report;
use crate::say;
use crate::words::time;
use record::{CpuSet, Message, Sort, Text, Topology, sets};
use std::collections::BTreeMap;

/// A physical core.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Core {
    /// Its threads that may be used.
    pub(super) cpus: CpuSet,
    pub(super) socket: Option<u32>,
    pub(super) node: Option<u32>,
    /// Cores with the same number are near each other, and on one node.
    pub(super) die: usize,
    /// The name of their domain, such as `L3 of CPUs 0-7`; `None` where they are all that the node has.
    pub(super) die_name: Option<Text>,
    /// Rank of its kind: 0 is the fastest.
    pub(super) kind: usize,
    /// Whether it is the first of its node, which serves more of the system's own work than others.
    pub(super) first: bool,
}

pub(super) fn cores(report: &Report<'_>, eligible: &CpuSet, draft: &mut Draft) -> Vec<Core> {
    let topology = &report.record.machine.topology;
    let first = |id: u32| {
        let siblings = super::siblings(report, id).intersection(eligible);
        siblings.first().unwrap_or(id).min(id)
    };
    let by_core = sets(eligible.iter().map(|id| (first(id), id)));
    let kinds = kinds(topology, eligible, draft);
    let groups = dies(report, topology, eligible, draft);
    let nodes = sets(eligible.iter().map(|id| (topology.node_of(id), id)));
    let mut numbers: Vec<(Option<u32>, Option<usize>)> = vec![];
    let mut seen: Vec<Option<u32>> = vec![];
    let mut all = vec![];
    for (first, cpus) in by_core {
        let cpu = topology.cpu(first);
        let node = topology.node_of(first);
        let group = groups.iter().position(|(set, _)| set.contains(first));
        let key = (node, group);
        let die = numbers.iter().position(|known| *known == key).unwrap_or_else(|| {
            numbers.push(key);
            numbers.len() - 1
        });
        let kind = cpu.and_then(|c| c.kind.clone());
        all.push(Core {
            cpus,
            socket: cpu.and_then(|c| c.package),
            node,
            die,
            // A group that holds the whole node divides nothing.
            die_name: group
                .and_then(|at| groups.get(at))
                .filter(|(set, _)| nodes.get(&node).is_some_and(|all| !all.is_subset(set)))
                .map(|(_, name)| name.clone()),
            kind: kinds.iter().position(|k| *k == kind).unwrap_or(kinds.len()),
            first: !seen.contains(&node),
        });
        seen.push(node);
    }
    all
}

/// The kinds of cores, fastest first, by the highest frequency that is stated of each.
fn kinds(topology: &Topology, eligible: &CpuSet, draft: &mut Draft) -> Vec<Option<String>> {
    let mut kinds: BTreeMap<Option<String>, f64> = BTreeMap::new();
    for cpu in topology.cpus.iter().filter(|c| eligible.contains(c.id)) {
        let fastest = kinds.entry(cpu.kind.clone()).or_insert(0.0);
        *fastest = fastest.max(cpu.max_hz.unwrap_or(0.0));
    }
    let mut order: Vec<(Option<String>, f64)> = kinds.into_iter().collect();
    // The word settles what frequencies do not.
    let slow = |kind: &Option<String>| kind.as_deref() == Some("efficiency");
    order.order_by(|a, b| b.1.total_cmp(&a.1).then(slow(&a.0).cmp(&slow(&b.0))));
    if let [(Some(fast), _), rest @ ..] = &order[..]
        && !rest.is_empty()
    {
        let others: Vec<&str> = rest.iter().filter_map(|(k, _)| k.as_deref()).collect();
        draft.choose(say::ABOUT_KINDS, say::place_kinds(fast, others.join(" and ")), Basis::Stated);
    }
    order.into_iter().map(|(kind, _)| kind).collect()
}

/// Groups of CPUs that are near each other, with a name each.
fn dies(
    report: &Report<'_>,
    topology: &Topology,
    eligible: &CpuSet,
    draft: &mut Draft,
) -> Vec<(CpuSet, Text)> {
    const ABOUT: Message = say::ABOUT_DIES;
    let stated = stated(topology, eligible);
    if let Some(cluster) = measured(report, topology, eligible) {
        let (within, between) = (time(cluster.within), time(cluster.between));
        let text = match &cluster.stated {
            Some(relation) => say::place_dies_as_stated(within, between, relation),
            None => say::place_dies_unstated(within, between),
        };
        draft.choose(ABOUT, text, Basis::Measured);
        let named = |g: CpuSet| {
            let name = say::place_near_measured(g.to_string());
            (g, name)
        };
        return cluster.groups.into_iter().map(named).collect();
    }
    let divides = |(set, _): &(CpuSet, Text)| {
        let node = set.first().and_then(|id| topology.node_of(id));
        eligible.iter().any(|id| !set.contains(id) && topology.node_of(id) == node)
    };
    if stated.iter().any(divides) {
        draft.choose(ABOUT, say::place_dies_stated(stated.len()), Basis::Stated);
    }
    stated
}

/// Last-level caches beyond the second level that some CPUs share and others do not; else dies.
fn stated(topology: &Topology, eligible: &CpuSet) -> Vec<(CpuSet, Text)> {
    let mut groups: Vec<(CpuSet, Text)> = vec![];
    let mut dies: BTreeMap<(Option<u32>, Option<u32>), CpuSet> = BTreeMap::new();
    for id in eligible.iter() {
        if let Some(last) = topology.data_caches(id).last().filter(|c| c.level > 2) {
            let here = last.cpus.intersection(eligible);
            if !groups.iter().any(|(set, _)| *set == here) {
                let name = say::cache_of_cpus(last.level, here.to_string());
                groups.push((here, name));
            }
        } else if let Some(cpu) = topology.cpu(id).filter(|c| c.die.is_some()) {
            dies.entry((cpu.package, cpu.die)).or_default().insert(id);
        }
    }
    if groups.is_empty() && dies.len() > 1 {
        let name = |(_, die): &(Option<u32>, Option<u32>), set: &CpuSet| {
            say::die_of_cpus(die.unwrap_or(0), set.to_string())
        };
        groups = dies.into_iter().map(|(key, set)| (set.clone(), name(&key, &set))).collect();
    }
    groups
}

/// The tightest groups of more than a core that were measured, with the siblings of their CPUs, if they are disjoint and
/// hold every CPU.
fn measured(report: &Report<'_>, topology: &Topology, eligible: &CpuSet) -> Option<Cluster> {
    let clusters = report.get::<Vec<Matrix>>().iter().find_map(|m| m.clusters.as_ref().ok())?;
    let whole = |group: &CpuSet| -> CpuSet {
        let siblings = |id: u32| {
            let own = topology.cpu(id).map(|c| c.siblings.clone()).unwrap_or_default();
            own.iter().chain([id]).collect::<Vec<_>>()
        };
        group.iter().flat_map(siblings).filter(|id| eligible.contains(*id)).collect()
    };
    clusters.iter().find_map(|cluster| {
        let groups: Vec<CpuSet> = cluster.groups.iter().map(whole).collect();
        let members: usize = groups.iter().map(CpuSet::len).sum();
        let all: CpuSet = groups.iter().flat_map(CpuSet::iter).collect();
        let one_core = |g: &CpuSet| {
            g.first().and_then(|id| topology.cpu(id)).is_some_and(|c| g.is_subset(&c.siblings))
        };
        let fits = groups.len() > 1 && members == all.len() && all == *eligible;
        (fits && !groups.iter().all(one_core) && groups.iter().all(|g| !g.is_empty()))
            .then(|| Cluster { groups, ..cluster.clone() })
    })
}
