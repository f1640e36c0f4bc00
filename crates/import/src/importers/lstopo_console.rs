//! The text that lstopo prints where it has no display, of hwloc 1 to 3, also with `-v` and `-p`: packages, dies, cores, CPUs,
//! caches and NUMA nodes.
//!
//! Limits: without `-v` packages and cores are numbered in their order and sizes from 10 MiB on are rounded, so the nodes' are
//! left out. Distances are in the XML alone.
//! Source: hwloc, utils/lstopo/lstopo-text.c; hwloc's own tests.
use super::lstopo::{INFO, Object, Seen};
use crate::prelude::*;
use record::{CacheKind, CpuSet};

pub(crate) static IMPORTER: Importer = Importer::new("lstopo text", recognises, read);

/// More objects than any machine has.
const MOST_OBJECTS: usize = 200_000;

/// The value behind `name=`, of which only a model's name is in quotes.
fn value<'a>(words: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = words.split_once(&format!("{name}="))?;
    match after.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => after.split([' ', ')']).next(),
    }
}

/// `L2 L#0 (1024KB)`, `PU L#0 (P#8)`, `Core P#3`. What `-v` prints of the machine and its processors is kept but for the
/// host's name.
fn parse<'a>(
    line: u32,
    text: &'a str,
    parent: Option<usize>,
    found: &mut Found,
) -> Option<Object<'a>> {
    let (head, words) = text.split_once(" (").unwrap_or((text, ""));
    let (kind, numbered) = head.split_once(' ').unwrap_or((head, ""));
    let of = |text: &str| {
        let digits = text.split_once("P#").or_else(|| text.split_once("L#"))?.1;
        digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let behind = words.starts_with("P#").then(|| of(words)).flatten();
    let number = behind.or_else(|| of(numbered)).filter(|n| *n <= CpuSet::MAX);
    if number.is_none() && !["Machine", "System"].contains(&kind) {
        return None;
    }
    if ["Machine", "System", "Package", "Socket"].contains(&kind) {
        let field = |name: &str| Some(Field { line, name: "", value: value(words, name)? });
        facts(INFO, field, found);
    }
    let level = kind.strip_prefix('L').and_then(|k| k.chars().next()?.to_digit(10));
    let holds = match kind.chars().nth(2) {
        Some('d') => CacheKind::Data,
        Some('i') => CacheKind::Instruction,
        _ => CacheKind::Unified,
    };
    let size = match kind.starts_with("NUMANode") {
        true => value(words, "local").unwrap_or(""),
        false => value(words, "size").unwrap_or(words.trim_end_matches(')')),
    };
    let positive = |name: &str| value(words, name)?.parse().ok().filter(|n: &u32| *n > 0);
    Some(Object {
        at: line as usize,
        kind,
        number,
        parent,
        cpus: CpuSet::default(),
        allowed: !words.contains("disallowed"),
        cache: level.filter(|level| *level > 0).map(|level| (level, holds)),
        bytes: bytes(size.split(' ').next_back().unwrap_or(size)).filter(|b| *b > 0),
        line: positive("linesize"),
        ways: positive("ways"),
    })
}

fn recognises(text: &Text) -> bool {
    let begins = |l: &str| l.starts_with("Machine") || l.starts_with("System");
    let cpu = |l: &str| l.contains("PU L#") || l.contains("PU P#");
    text.any(begins) && text.any(cpu)
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut all = objects(text, found);
    Problem::when(all.len() > MOST_OBJECTS, "it has more objects than any machine")?;
    let mut seen = Seen::default();
    for at in 0..all.len() {
        if let ("PU", Some(id)) = (all[at].kind, all[at].number) {
            let mut up = Some(at);
            while let Some(of) = up {
                all[of].cpus.insert(id);
                seen.spend(1).map_err(Problem::whole)?;
                up = all[of].parent;
            }
        }
    }
    for at in 0..all.len() {
        // Of hwloc 1 the CPUs are in the node, later the node is beside them.
        let beside = all[at].parent.filter(|_| all[at].cpus.is_empty());
        if let Some(parent) = beside.filter(|_| all[at].kind.starts_with("NUMANode")) {
            all[at].cpus = all[parent].cpus.clone();
        }
    }
    seen.put(&all).map_err(|(_, why)| Problem::whole(why))?;
    Problem::when(seen.cpus.is_empty(), "no CPU is in it")?;
    seen.order();
    seen.keep(found);
    Ok(())
}

/// The objects of the tree: a deeper line is in the last object of the line above it.
fn objects<'a>(text: &'a Text, found: &mut Found) -> Vec<Object<'a>> {
    let mut all: Vec<Object<'_>> = vec![];
    let mut above: Vec<(usize, usize)> = vec![];
    for line in text.lines() {
        let row = line.text.trim_start();
        let depth = line.text.len() - row.len();
        while above.last().is_some_and(|(other, _)| *other >= depth) {
            above.pop();
        }
        // Distances and sums by depth stand below the tree.
        if depth == 0 && !all.is_empty() {
            break;
        }
        let mut parent = above.last().map(|(_, at)| *at);
        for part in row.split(" + ") {
            let Some(object) = parse(line.number, part, parent, found) else { break };
            all.push(object);
            parent = Some(all.len() - 1);
            if all.len() > MOST_OBJECTS {
                return all;
            }
        }
        above.extend(parent.map(|at| (depth, at)));
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;
    use record::Machine;

    fn machine(text: &str) -> Machine {
        imported("lstopo", text).machine
    }

    /// Made up after the formats of hwloc 1.11 (nodes around their CPUs), 2.9, 2.9 with `-p`, and 2.9 with `-v`.
    #[test]
    fn every_form_says_the_same() {
        let old = "Machine (64GB total)\n  NUMANode L#0 (P#0 32GB) + Socket L#0 + L3 L#0 (8192KB)\n    L2 L#0 (512KB) + L1d L#0 (32KB) + L1i L#0 (32KB) + Core L#0\n      PU L#0 (P#0)\n      PU L#1 (P#2)\n  NUMANode L#1 (P#1 32GB) + Socket L#1 + L3 L#1 (8192KB) + L2 L#1 (512KB) + L1d L#1 (32KB) + L1i L#1 (32KB) + Core L#1\n    PU L#2 (P#1)\n    PU L#3 (P#3)\n  HostBridge\n    PCI 00:02.0 (Storage)\n";
        let new = "Machine (64GB total)\n  Package L#0\n    NUMANode L#0 (P#0 32GB)\n    L3 L#0 (8192KB) + L2 L#0 (512KB) + L1d L#0 (32KB) + L1i L#0 (32KB) + Core L#0\n      PU L#0 (P#0)\n      PU L#1 (P#2)\n  Package L#1\n    NUMANode L#1 (P#1 32GB)\n    L3 L#1 (8192KB) + L2 L#1 (512KB) + L1d L#1 (32KB) + L1i L#1 (32KB) + Core L#1\n      PU L#2 (P#1)\n      PU L#3 (P#3)\n";
        let physical = new
            .replace("PU L#0 (P#0)", "PU P#0")
            .replace("PU L#1 (P#2)", "PU P#2")
            .replace("PU L#2 (P#1)", "PU P#1")
            .replace("PU L#3 (P#3)", "PU P#3")
            .replace("L#0 (P#0 32GB)", "P#0 (32GB)")
            .replace("L#1 (P#1 32GB)", "P#1 (32GB)")
            .replace("L#", "P#");
        for text in [old, new, &physical] {
            let of = machine(text).topology;
            assert_eq!(of, Machine { topology: of.clone(), ..machine(new) }.topology);
            assert_eq!((of.sockets(), of.nodes.len(), of.cpus.len()), (2, 2, 4), "{text}");
            assert_eq!(of.nodes[1].cpus.to_string(), "1,3", "{text}");
            assert_eq!(of.cpus[3].siblings.to_string(), "1,3", "{text}");
            let l3: Vec<_> = of.caches.iter().filter(|c| c.level == 3).collect();
            assert_eq!((l3.len(), l3[0].bytes), (2, Some(8 << 20)), "{text}");
            assert_eq!(of.caches.len(), 8, "{text}");
        }
    }

    #[test]
    fn a_verbose_text_names_the_processor_and_no_host() {
        let text = "Machine (P#0 total=64GB OSRelease=6.8.0 HostName=secret Architecture=x86_64)\n  Package L#0 (P#1 total=64GB CPUVendor=GenuineIntel CPUFamilyNumber=6 CPUModelNumber=85 CPUModel=\"Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz\" CPUStepping=7)\n    NUMANode L#0 (P#0 local=65536MB total=65536MB)\n    L3Cache L#0 (P#0 size=28160KB linesize=64 ways=11)\n      Core L#0 (P#4)\n        PU L#0 (P#7) (disallowed)\ndepth 0: 1 Machine (type #0)\n";
        let of = machine(text);
        assert_eq!(of.text("cpu.microarchitecture"), Some("Cascade Lake"));
        assert!(of.facts.values().all(|f| !format!("{f:?}").contains("secret")));
        let (cpu, l3) = (&of.topology.cpus[0], &of.topology.caches[0]);
        assert_eq!((cpu.id, cpu.package, cpu.core, cpu.allowed), (7, Some(1), Some(4), false));
        assert_eq!((l3.bytes, l3.ways, l3.line), (Some(28160 << 10), Some(11), Some(64)));
        assert_eq!(of.topology.nodes[0].bytes, Some(64 << 30));
    }
}
