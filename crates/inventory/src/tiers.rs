//! Memory that is not a socket's own: CXL, GPU and persistent memory shown as nodes without CPUs, caches in front of memory,
//! and the kernel's tiers. Source: Linux, Documentation/admin-guide/mm/numaperf.rst, Documentation/ABI/testing/sysfs-bus-cxl;
//! NVIDIA's driver, `numa_status`, as hwloc reads it.
use crate::{evidence::Evidence, reading::Files};
use record::{CpuSet, Machine, Unit};
use std::collections::BTreeMap;

const CXL: &str = "/sys/bus/cxl/devices";
const DAX: &str = "/sys/bus/dax/devices";
const TIERS: &str = "/sys/devices/virtual/memory_tiering";
/// More devices than any machine has.
const MOST: usize = 64;

/// The speed of a node's memory by firmware (ACPI HMAT), seen from the nodes that are nearest to it
/// (Documentation/admin-guide/mm/numaperf.rst): access1 counts CPUs only, access0 other initiators, too.
fn performance(files: Files<'_>, machine: &mut Machine, node: u32) {
    let class = |class: u32| {
        let dir = format!("/sys/devices/system/node/node{node}/access{class}/initiators");
        let near: CpuSet = files.numbered(&dir, "node").ok()?.into_iter().collect();
        // A capture has what is read: the links to the nodes are there only if something behind them is.
        let seen =
            near.iter().filter(|id| files.exists(&format!("{dir}/node{id}/cpulist"))).count();
        (seen > 0).then_some((dir, near))
    };
    let Some((dir, near)) = class(1).or_else(|| class(0)) else { return };
    machine.set(&format!("memory.node.{node}.near"), near.to_string(), dir.as_str());
    // Nanoseconds, and MiB in a second; 0 is "not stated".
    for (name, unit, scale) in [
        ("read_latency", Unit::Seconds, 1e-9),
        ("write_latency", Unit::Seconds, 1e-9),
        ("read_bandwidth", Unit::BytesPerSecond, 1_048_576.0),
        ("write_bandwidth", Unit::BytesPerSecond, 1_048_576.0),
    ] {
        let path = format!("{dir}/{name}");
        if let Ok(number @ 1..1_000_000_000) = files.number(&path) {
            let name = format!("memory.node.{node}.{name}");
            machine.set_in(&name, number as f64 * scale, unit, path);
        }
    }
}

/// Memory of one kind that caches that of another: high-bandwidth memory in cache mode, DRAM before persistent memory.
fn side_cache(files: Files<'_>, machine: &mut Machine, node: u32) {
    let dir = format!("/sys/devices/system/node/node{node}/memory_side_cache");
    let levels = files.some(&dir, "index", 8);
    // The last level is the one next to memory.
    let found = levels.iter().rev().find_map(|level| {
        let size = files.number(&format!("{dir}/index{level}/size")).ok()?;
        let indexing = match files.number(&format!("{dir}/index{level}/indexing")) {
            Ok(0) => "direct",
            Ok(1) => "indexed",
            _ => "unknown",
        };
        (size > 0).then_some((size, indexing))
    });
    if let Some((size, indexing)) = found {
        let name = format!("memory.node.{node}.side_cache");
        machine.set_in(&name, size, Unit::Bytes, dir.as_str());
        machine.set(&format!("{name}.indexing"), indexing, dir.as_str());
    }
}

/// The kind of nodes without CPUs, where a driver names its node, or firmware states twice the bandwidth of the CPUs' own.
fn kinds(files: Files<'_>, machine: &mut Machine, apart: &CpuSet) {
    let mut kinds: BTreeMap<u32, (&str, String)> = BTreeMap::new();
    let mut keep = |node: Option<u32>, kind: &'static str, path: String| {
        if let Some(node) = node.filter(|node| apart.contains(*node)) {
            kinds.entry(node).or_insert((kind, path));
        }
    };
    for region in files.some(CXL, "region", MOST) {
        for part in 0..4 {
            let path =
                format!("{CXL}/region{region}/dax_region{region}/dax{region}.{part}/target_node");
            keep(files.small(&path).ok(), "CXL", path);
        }
    }
    const PERSISTENT: &str = "/sys/bus/nd/devices";
    for region in files.some(PERSISTENT, "region", MOST) {
        let path = format!("{PERSISTENT}/region{region}/target_node");
        keep(files.small(&path).ok(), "persistent", path);
    }
    const GPUS: &str = "/proc/driver/nvidia/gpus";
    let mut gpus = files.0.list(GPUS).unwrap_or_default();
    gpus.sort_unstable();
    for gpu in gpus.into_iter().take(MOST) {
        let path = format!("{GPUS}/{gpu}/numa_status");
        let text = files.text(&path).unwrap_or_default();
        let node = text.lines().take(64).find_map(|line| line.trim().strip_prefix("Node:"));
        keep(node.and_then(|n| n.trim().parse().ok()), "GPU", path);
    }
    let bandwidth = |node: u32| machine.number(&format!("memory.node.{node}.read_bandwidth"));
    let nodes = machine.topology.nodes.iter().filter(|n| !n.cpus.is_empty());
    if let Some(own) = nodes.filter_map(|n| bandwidth(n.id)).reduce(f64::max) {
        for node in apart.iter() {
            let source = format!("memory.node.{node}.read_bandwidth");
            let high = bandwidth(node).filter(|there| *there >= 2.0 * own);
            keep(high.map(|_| node), "high bandwidth", source);
        }
    }
    for (node, (kind, path)) in kinds {
        machine.set(&format!("memory.node.{node}.kind"), kind, path);
    }
}

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let apart: CpuSet = machine
        .topology
        .nodes
        .iter()
        .filter(|node| node.cpus.is_empty() && node.bytes.is_some_and(|bytes| bytes > 0))
        .map(|node| node.id)
        .collect();
    let source = "/sys/devices/system/node";
    if !apart.is_empty() {
        machine.set("memory.nodes.without_cpus", apart.to_string(), source);
    }
    let bare = |node: &&record::Node| !node.cpus.is_empty() && node.bytes == Some(0);
    let bare: CpuSet = machine.topology.nodes.iter().filter(bare).map(|node| node.id).collect();
    if !bare.is_empty() {
        machine.set("memory.nodes.without_memory", bare.to_string(), source);
    }
    let ids: Vec<u32> = machine.topology.nodes.iter().map(|node| node.id).collect();
    for id in ids.into_iter().take(MOST) {
        performance(files, machine, id);
        side_cache(files, machine, id);
    }
    kinds(files, machine, &apart);
    // Expanders: capacity in hexadecimal bytes.
    let (mut devices, mut bytes, mut persistent) = (0u64, 0u64, 0u64);
    for id in files.some(CXL, "mem", MOST) {
        let size = |kind: &str| {
            let text = files.line(&format!("{CXL}/mem{id}/{kind}/size")).ok()?;
            u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
        };
        let (ram, pmem) = (size("ram"), size("pmem"));
        devices += u64::from(ram.is_some() || pmem.is_some());
        bytes = bytes.saturating_add(ram.unwrap_or(0));
        persistent = persistent.saturating_add(pmem.unwrap_or(0));
    }
    if devices > 0 {
        machine.set_in("memory.cxl.devices", devices, Unit::Count, CXL);
        machine.set_in("memory.cxl.bytes", bytes, Unit::Bytes, CXL);
    }
    if persistent > 0 {
        machine.set_in("memory.cxl.persistent", persistent, Unit::Bytes, CXL);
    }
    // Memory that arrives as a DAX device is a node once the kmem driver has it; the device names the node.
    let mut nodes = CpuSet::default();
    for region in 0..MOST {
        for part in 0..4 {
            let path = format!("{DAX}/dax{region}.{part}/target_node");
            match files.small(&path) {
                Ok(node) if apart.contains(node) => nodes.insert(node),
                Ok(_) => {}
                Err(_) => break,
            }
        }
    }
    if !nodes.is_empty() {
        machine.set("memory.nodes.dax", nodes.to_string(), DAX);
    }
    let tier = |id: u32| {
        let nodes = files.set(&format!("{TIERS}/memory_tier{id}/nodelist")).ok()?;
        Some(format!("{id}: nodes {nodes}"))
    };
    let ids = files.some(TIERS, "memory_tier", MOST);
    let tiers: Vec<String> = ids.into_iter().filter_map(tier).collect();
    if !tiers.is_empty() {
        machine.set("memory.tiers", tiers.join("; "), TIERS);
    }
}
