//! The machine as hwloc's XML (version 2), with idle latency and read bandwidth between NUMA nodes as memory attributes, for
//! `lstopo -i FILE --memattrs` and programs that take HWLOC_XMLFILE. Devices are left out.
//! Source: hwloc 2.9, hwloc2.dtd, `HWLOC_MEMATTR_ID_LATENCY` (ns), `HWLOC_MEMATTR_ID_READ_BANDWIDTH` (MiB/s).
use crate::{
    renderer::{Renderer, Settings, Subject},
    renderers::{html::escaped as html_escaped, text},
};
use analyse::Numa;
use record::{Cache, CacheKind, CpuSet, Machine, Node, Sort, Topology, hostile};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// hwloc's XML.
pub(crate) static RENDERER: Renderer = Renderer::of_all(write);

pub(crate) fn write(of: Subject<'_>, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
    match of {
        Subject::Report(report) => {
            document(&report.record.machine, report.get::<Option<Numa>>().as_ref(), out)
        }
        Subject::Machine(machine) => document(machine, None, out),
        _ => text::write(of, settings, out),
    }
}

/// An object of hwloc's tree. Children are in the order of their first CPU.
struct Object<'a> {
    kind: String,
    cpus: CpuSet,
    /// More attributes, as ` name="value"`.
    more: String,
    /// Nodes whose memory is this object's.
    memory: Vec<&'a Node>,
    children: Vec<usize>,
}

/// Numbers of nodes in the document begin here, those of objects behind all nodes.
const FIRST: usize = 1;

fn document(machine: &Machine, numa: Option<&Numa>, out: &mut dyn Write) -> io::Result<()> {
    let topology = &machine.topology;
    let objects = objects(topology);
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<!DOCTYPE topology SYSTEM "hwloc2.dtd">"#)?;
    writeln!(out, r#"<topology version="2.0">"#)?;
    let nodes = topology.nodes.iter().map(|n| n.id).collect();
    branch(&objects, 0, 1, (machine, &nodes), out)?;
    distances(&topology.nodes, out)?;
    attributes(&topology.nodes, numa, out)?;
    writeln!(out, "</topology>")
}

/// The tree: each object below the smallest that holds all of its CPUs. What overlaps without being held has no place in it.
fn objects(topology: &Topology) -> Vec<Object<'_>> {
    let online = topology.online();
    let mut found: Vec<(usize, usize, String, CpuSet, String)> = vec![];
    let mut put = |rank: usize, kind: String, cpus: &CpuSet, index: Option<u32>, more: String| {
        let cpus = cpus.intersection(&online);
        let index = index.map_or(String::new(), |id| format!(r#" os_index="{id}""#));
        if !cpus.is_empty() {
            found.push((cpus.len(), rank, kind, cpus, index + &more));
        }
    };
    let mut packages: BTreeMap<u32, CpuSet> = BTreeMap::new();
    let mut cores: BTreeMap<CpuSetKey, Option<u32>> = BTreeMap::new();
    for cpu in topology.cpus.iter().filter(|c| c.online) {
        if let Some(package) = cpu.package {
            packages.entry(package).or_default().insert(cpu.id);
        }
        let siblings = cpu.siblings.intersection(&online);
        cores.entry(siblings.iter().collect()).or_insert(cpu.core);
        let own: CpuSet = [cpu.id].into_iter().collect();
        put(20, "PU".into(), &own, Some(cpu.id), String::new());
    }
    for (id, cpus) in &packages {
        put(0, "Package".into(), cpus, Some(*id), String::new());
    }
    for (cpus, id) in cores {
        put(19, "Core".into(), &cpus.into_iter().collect(), id, String::new());
    }
    for node in topology.nodes.iter().filter(|n| !n.cpus.is_empty()) {
        let cpus = node.cpus.intersection(&online);
        if cpus != online && !packages.values().any(|p| *p == cpus) {
            put(1, "Group".into(), &cpus, None, r#" kind="1001" subkind="0""#.into());
        }
    }
    for cache in &topology.caches {
        let first = cache.kind == CacheKind::Instruction;
        let rank = 18 - 2 * cache.level.min(8) as usize + usize::from(!first);
        put(rank, cache_kind(cache), &cache.cpus, None, cache_attributes(cache));
    }
    // The widest first; of equal ones the outer kind.
    found.order_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.3.first().cmp(&b.3.first())));
    let machine = |cpus| Object {
        kind: "Machine".into(),
        cpus,
        more: r#" os_index="0""#.into(),
        memory: vec![],
        children: vec![],
    };
    let mut all = vec![machine(online.clone())];
    // The deepest object that holds a CPU so far.
    let mut holder: BTreeMap<u32, usize> = online.iter().map(|id| (id, 0)).collect();
    for (_, _, kind, cpus, more) in found {
        let parents: BTreeSet<Option<usize>> =
            cpus.iter().map(|id| holder.get(&id).copied()).collect();
        let (1, Some(Some(parent))) = (parents.len(), parents.first().copied()) else { continue };
        let own = all.len();
        holder.extend(cpus.iter().map(|id| (id, own)));
        all[parent].children.push(own);
        all.push(Object { kind, cpus, more, memory: vec![], children: vec![] });
    }
    let firsts: Vec<Option<u32>> = all.iter().map(|o| o.cpus.first()).collect();
    all.iter_mut().for_each(|o| o.children.order_by_key(|child| firsts[*child]));
    for node in &topology.nodes {
        let cpus = node.cpus.intersection(&online);
        // Memory without CPUs is the machine's.
        let home = all.iter().position(|o| o.cpus == cpus).unwrap_or(0);
        all[home].memory.push(node);
    }
    all
}

type CpuSetKey = Vec<u32>;

fn cache_kind(cache: &Cache) -> String {
    let letter = if cache.kind == CacheKind::Instruction { "i" } else { "" };
    format!("L{}{letter}Cache", cache.level)
}

fn cache_attributes(cache: &Cache) -> String {
    let holds = match cache.kind {
        CacheKind::Unified => 0,
        CacheKind::Data => 1,
        CacheKind::Instruction => 2,
    };
    format!(
        r#" cache_size="{}" depth="{}" cache_linesize="{}" cache_associativity="{}" cache_type="{holds}""#,
        cache.bytes.unwrap_or(0),
        cache.level,
        cache.line.unwrap_or(0),
        cache.ways.unwrap_or(0)
    )
}

fn branch(
    all: &[Object<'_>],
    at: usize,
    depth: usize,
    about: (&Machine, &CpuSet),
    out: &mut dyn Write,
) -> io::Result<()> {
    let object = &all[at];
    let (machine, nodes) = about;
    let (margin, inner) = ("  ".repeat(depth), "  ".repeat(depth + 1));
    let here: CpuSet = match at {
        0 => nodes.clone(),
        _ => {
            let near = machine.topology.nodes.iter();
            let overlaps = |n: &&Node| !n.cpus.intersection(&object.cpus).is_empty();
            near.filter(overlaps).map(|n| n.id).collect()
        }
    };
    let sets = sets(&object.cpus, &here);
    let allowed = match at {
        0 => {
            let (cpus, nodes) = (mask(&object.cpus), mask(nodes));
            format!(r#" allowed_cpuset="{cpus}" allowed_nodeset="{nodes}""#)
        }
        _ => String::new(),
    };
    let number = FIRST + machine.topology.nodes.len() + at;
    write!(
        out,
        r#"{margin}<object type="{}"{}{sets}{allowed} gp_index="{number}""#,
        object.kind, object.more
    )?;
    if object.memory.is_empty() && object.children.is_empty() {
        return writeln!(out, "/>");
    }
    writeln!(out, ">")?;
    if at == 0 {
        let facts = [
            ("CPUModel", "cpu.model"),
            ("CPUVendor", "cpu.vendor"),
            ("Architecture", "kernel.arch"),
            ("OSRelease", "kernel.release"),
            ("DMISysVendor", "system.vendor"),
            ("DMIProductName", "system.product"),
        ];
        writeln!(out, r#"{inner}<info name="Backend" value="cpulens"/>"#)?;
        for (name, fact) in facts {
            if let Some(value) = machine.text(fact) {
                writeln!(out, r#"{inner}<info name="{name}" value="{}"/>"#, escaped(value))?;
            }
        }
    }
    for node in &object.memory {
        let position = machine.topology.nodes.iter().position(|n| n.id == node.id).unwrap_or(0);
        let own: CpuSet = [node.id].into_iter().collect();
        writeln!(
            out,
            r#"{inner}<object type="NUMANode" os_index="{}"{} gp_index="{}" local_memory="{}"/>"#,
            node.id,
            self::sets(&object.cpus, &own),
            FIRST + position,
            node.bytes.unwrap_or(0)
        )?;
    }
    for child in &object.children {
        branch(all, *child, depth + 1, about, out)?;
    }
    writeln!(out, "{margin}</object>")
}

fn sets(cpus: &CpuSet, nodes: &CpuSet) -> String {
    let (cpus, nodes) = (mask(cpus), mask(nodes));
    format!(
        r#" cpuset="{cpus}" complete_cpuset="{cpus}" nodeset="{nodes}" complete_nodeset="{nodes}""#
    )
}

/// Words of 32 bits, the highest first.
fn mask(set: &CpuSet) -> String {
    let last = set.iter().next_back().unwrap_or(0) as usize / 32;
    let mut words = vec![0u32; last + 1];
    for id in set.iter() {
        words[id as usize / 32] |= 1 << (id % 32);
    }
    words.iter().rev().map(|word| format!("0x{word:08x}")).collect::<Vec<_>>().join(",")
}

/// The firmware's distances.
fn distances(nodes: &[Node], out: &mut dyn Write) -> io::Result<()> {
    let n = nodes.len();
    if n < 2 || nodes.iter().any(|node| node.distances.len() != n) {
        return Ok(());
    }
    let words =
        |all: &mut dyn Iterator<Item = u32>| -> String { all.map(|x| format!("{x} ")).collect() };
    let indexes = words(&mut nodes.iter().map(|node| node.id));
    let values = words(&mut nodes.iter().flat_map(|node| node.distances.iter().copied()));
    writeln!(
        out,
        r#"  <distances2 type="NUMANode" nbobjs="{n}" kind="5" name="NUMALatency" indexing="os">"#
    )?;
    writeln!(out, r#"    <indexes length="{}">{indexes}</indexes>"#, indexes.len())?;
    writeln!(out, r#"    <u64values length="{}">{values}</u64values>"#, values.len())?;
    writeln!(out, "  </distances2>")
}

/// Measurements between nodes, if there are any.
fn attributes(nodes: &[Node], numa: Option<&Numa>, out: &mut dyn Write) -> io::Result<()> {
    let Some(numa) = numa else { return Ok(()) };
    type Value = fn(&analyse::NumaCell) -> Option<f64>;
    let all: [(&str, u32, Value); 2] = [
        ("Latency", 6, |cell| cell.latency.map(|seconds| seconds * 1e9)),
        ("ReadBandwidth", 5, |cell| cell.bandwidth.map(|rate| rate / (1u64 << 20) as f64)),
    ];
    for (name, flags, value) in all {
        let of = |cell: &analyse::NumaCell| {
            let from = nodes.iter().find(|n| n.id == cell.from && !n.cpus.is_empty())?;
            let to = nodes.iter().position(|n| n.id == cell.to)?;
            let value = value(cell).map(f64::round).filter(|v| (1.0..1e15).contains(v))?;
            Some((to, from, value as u64))
        };
        let values: Vec<(usize, &Node, u64)> = numa.cells.iter().filter_map(of).collect();
        if values.is_empty() {
            continue;
        }
        writeln!(out, r#"  <memattr name="{name}" flags="{flags}">"#)?;
        for (to, from, value) in values {
            writeln!(
                out,
                r#"    <memattr_value target_obj_type="NUMANode" target_obj_gp_index="{}" value="{value}" initiator_cpuset="{}"/>"#,
                FIRST + to,
                mask(&from.cpus)
            )?;
        }
        writeln!(out, "  </memattr>")?;
    }
    Ok(())
}

/// A text as an attribute's value. Characters that XML has no place for, and those that drive a terminal, are left out.
fn escaped(text: &str) -> String {
    let kept = text.chars().filter(|c| !hostile(*c) && !matches!(c, '\u{fffe}' | '\u{ffff}'));
    html_escaped(&kept.collect::<String>())
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_attribute_ends_early_or_turns_a_line() {
        assert_eq!(super::escaped("a\u{1b}\u{202e}\u{ffff}<b>\"&"), "a&lt;b&gt;&quot;&amp;");
    }
}
