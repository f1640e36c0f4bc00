//! NUMA nodes: their CPUs, memory, huge pages and firmware distances; memory-only nodes included.
use crate::{
    evidence::Evidence,
    memory::kilobytes,
    reading::{Files, Unavailable},
};
use record::{CpuSet, HugePool, Machine, Node, Reason, Sort, Topology};
use std::collections::BTreeMap;

const BASE: &str = "/sys/devices/system/node";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let topology = &mut machine.topology;
    let ids = files.numbered(BASE, "node").unwrap_or_default();
    if ids.is_empty() {
        one_node(files, topology);
        return;
    }
    topology.read("nodes", BASE);
    let known: CpuSet = topology.cpus.iter().map(|cpu| cpu.id).collect();
    topology.nodes = ids.iter().map(|id| node(files, *id, &known, &mut topology.missing)).collect();
    // Distances are listed for online nodes in order; more directories than distances leaves the columns nameless.
    let count = topology.nodes.len();
    let mut missing = None;
    for node in &mut topology.nodes {
        let path = format!("{BASE}/node{}/distance", node.id);
        match distances(files, &path, count) {
            Ok(distances) => node.distances = distances,
            Err(why) => drop(missing.get_or_insert_with(|| why.reason(&path))),
        }
    }
    if let Some(reason) = missing {
        topology.lack("nodes.distances", reason);
    }
    let mut of: BTreeMap<u32, u32> = BTreeMap::new();
    let mut twice = None;
    for node in &topology.nodes {
        for cpu in node.cpus.iter() {
            if let Some(first) = of.insert(cpu, node.id).filter(|first| *first != node.id) {
                of.insert(cpu, first);
                twice.get_or_insert((cpu, first, node.id));
            }
        }
    }
    if let Some((cpu, a, b)) = twice {
        // Seen on boards whose firmware tables contradict each other.
        let why =
            format!("nodes {a} and {b} both claim CPU {cpu}, so which memory is near is not known");
        topology.lack("nodes.cpus", why);
    }
    for cpu in &mut topology.cpus {
        cpu.node = of.get(&cpu.id).copied();
    }
}

fn node(files: Files<'_>, id: u32, known: &CpuSet, missing: &mut Vec<(String, Reason)>) -> Node {
    let dir = format!("{BASE}/node{id}");
    let (list, map) = (format!("{dir}/cpulist"), format!("{dir}/cpumap"));
    let cpus = match (files.set(&list), files.mask(&map)) {
        (Ok(cpus), _) | (_, Ok(cpus)) => cpus,
        (Err(in_list), Err(in_map)) => {
            let (why, file) = match in_list {
                Unavailable::Missing if in_map != in_list => (in_map, map),
                why => (why, list),
            };
            missing.push((format!("nodes.{id}.cpus"), why.reason(&file)));
            CpuSet::default()
        }
    };
    let meminfo = files.text(&format!("{dir}/meminfo"));
    if let Err(why) = &meminfo {
        missing.push((format!("nodes.{id}.memory"), why.reason(&format!("{dir}/meminfo"))));
    }
    let meminfo = meminfo.unwrap_or_default();
    let (bytes, free) = (kilobytes(&meminfo, "MemTotal"), kilobytes(&meminfo, "MemFree"));
    Node {
        id,
        // CPU numbers that no CPU has would make every plan name them.
        cpus: if known.is_empty() { cpus } else { cpus.intersection(known) },
        bytes,
        free: free.filter(|free| bytes.is_none_or(|bytes| *free <= bytes)),
        distances: vec![],
        huge: pools(files, &format!("{dir}/hugepages")),
    }
}

/// The reserved huge pages under a `hugepages` directory, smallest page first.
pub(crate) fn pools(files: Files<'_>, dir: &str) -> Vec<HugePool> {
    let mut pools: Vec<HugePool> = files
        .0
        .list(dir)
        .unwrap_or_default()
        .iter()
        .take(64)
        .filter_map(|name| {
            let page = name.strip_prefix("hugepages-")?.strip_suffix("kB")?.parse::<u64>().ok()?;
            Some(HugePool {
                page: page.checked_mul(1024)?,
                total: files.number(&format!("{dir}/{name}/nr_hugepages")).ok()?,
                free: files.number(&format!("{dir}/{name}/free_hugepages")).ok()?,
            })
        })
        .filter(|pool: &HugePool| pool.page > 0 && pool.free <= pool.total)
        .collect();
    pools.order_by_key(|pool| pool.page);
    pools
}

/// One byte each in ACPI's SLIT (6.2.17): 10 is local, below is reserved, 255 is "no path".
fn distances(files: Files<'_>, path: &str, count: usize) -> Result<Vec<u32>, Unavailable> {
    let text = files.text(path)?;
    let numbers: Option<Vec<u32>> =
        text.split_whitespace().take(count + 1).map(|word| word.parse().ok()).collect();
    let numbers = numbers.ok_or_else(|| Unavailable::Unreadable("does not hold numbers".into()))?;
    if numbers.len() != count {
        return Err(Unavailable::Unreadable(format!(
            "does not hold one distance for each of {count} nodes"
        )));
    }
    match numbers.iter().find(|n| !(10..=255).contains(*n)) {
        Some(odd) => {
            Err(Unavailable::Unreadable(format!("says {odd}; firmware distances are 10 to 255")))
        }
        None => Ok(numbers),
    }
}

/// A kernel without NUMA, or no sysfs: all CPUs and all memory are one node's.
fn one_node(files: Files<'_>, topology: &mut Topology) {
    let meminfo = files.text("/proc/meminfo").unwrap_or_default();
    let (bytes, free) = (kilobytes(&meminfo, "MemTotal"), kilobytes(&meminfo, "MemFree"));
    let bytes = bytes.filter(|bytes| *bytes > 0);
    topology.nodes = vec![Node {
        id: 0,
        cpus: topology.online(),
        bytes,
        free: free.filter(|free| bytes.is_none_or(|bytes| *free <= bytes)),
        distances: vec![10],
        huge: pools(files, "/sys/kernel/mm/hugepages"),
    }];
    for cpu in topology.cpus.iter_mut().filter(|cpu| cpu.online) {
        cpu.node = Some(0);
    }
    topology.read("nodes", "made up: one node of all online CPUs and /proc/meminfo");
    let why = format!(
        "{BASE} does not list nodes: this kernel has no NUMA support, or /sys is not mounted"
    );
    topology.lack("nodes", why);
}
