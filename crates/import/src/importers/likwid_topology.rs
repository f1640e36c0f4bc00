//! `likwid-topology` as text: the processor's name, CPUs with core, die and socket, caches with the CPUs that share them, and NUMA
//! nodes with memory and distances.
//!
//! Limits: it leaves out instruction caches. `MB` are MiB. Its CSV (`-O`) is not read, and what likwid calls the CPU's type is
//! left out: likwid often knows none.
//! Source: RRZE-HPC/likwid, src/applications/likwid-topology.lua, 4 to 5.
use crate::{number::distance, prelude::*};
use record::{Cache, CacheKind, Cpu, CpuSet, Node};
use std::collections::BTreeMap;

pub(crate) static IMPORTER: Importer = Importer::new("likwid-topology", recognises, read);

/// More nodes than any machine has.
const MOST_NODES: usize = 4096;
/// CPUs in the groups of all caches.
const MOST: usize = 200_000;

/// The head of the first table, alone in its line.
fn is_head(line: &str) -> bool {
    line.trim() == "Hardware Thread Topology"
}

fn recognises(text: &Text) -> bool {
    text.any(is_head)
}

/// A CPU's number.
fn cpu(word: &str) -> Option<u32> {
    word.parse().ok().filter(|id| *id <= CpuSet::MAX)
}

/// The groups of `( 0 1 ) ( 2 3 )`.
fn groups(text: &str) -> Option<Vec<CpuSet>> {
    let groups = text.split('(').skip(1).map(|group| {
        let inside = group.split_once(')')?.0;
        inside.split_whitespace().map(cpu).collect()
    });
    groups.collect()
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut columns: Vec<&str> = vec![];
    let mut cpus: BTreeMap<u32, Cpu> = BTreeMap::new();
    let mut caches: Vec<Cache> = vec![];
    let mut nodes: Vec<Node> = vec![];
    let (mut level, mut size, mut grouped, mut first) = (0, None, 0, 0);
    for line in text.lines() {
        let n = line.number;
        let bad = || Problem::at(n, format!("'{}' is no line of likwid-topology", tidy(line.text)));
        let words: Vec<&str> = line.text.split_whitespace().collect();
        if words.first() == Some(&"HWThread") {
            (columns, first) = (words, n);
            continue;
        }
        if !columns.is_empty() {
            // The mark of CPUs that may be used is missing for those that may not.
            let get = |name: &str| words.get(columns.iter().position(|c| *c == name)?).copied();
            let Some(id) = get("HWThread").and_then(cpu) else {
                columns.clear();
                continue;
            };
            let number = |name: &str| get(name).and_then(|word| word.parse::<u32>().ok());
            let (package, core) = (number("Socket"), number("Core"));
            if package.is_none() || core.is_none() {
                return Err(bad());
            }
            let (die, online, allowed) = (number("Die"), true, get("Available").is_some());
            let cpu = Cpu { id, online, allowed, package, die, core, ..Cpu::default() };
            if cpus.insert(id, cpu).is_some() {
                found.warn(n, format!("CPU {id} is in two rows"));
            }
            continue;
        }
        let Some(Field { name, value, .. }) = Field::parse(line, ":") else { continue };
        match name {
            "CPU name" if value != "nil" => found.fact(n, "cpu.model", tidy(value)),
            "CPU stepping" => found.known(n, "cpu.stepping", whole(value)),
            "Sockets" | "Cores per socket" | "Threads per core" => {
                let fact = format!("cpu.{}", name.to_ascii_lowercase().replace(' ', "_"));
                let count = whole(value).filter(|x| (1..1 << 20).contains(x)).ok_or_else(bad)?;
                found.fact_in(n, &fact, count, Unit::Count);
            }
            "Level" => {
                level = value.parse::<u32>().ok().filter(|l| *l < 10).ok_or_else(bad)?;
                size = None;
            }
            "Size" => size = bytes(value),
            "Cache groups" => {
                let all = groups(value).ok_or_else(bad)?;
                grouped += all.iter().map(CpuSet::len).sum::<usize>();
                if grouped > MOST {
                    return Err(Problem::at(n, format!("the caches name more than {MOST} CPUs")));
                }
                let kind = if level == 1 { CacheKind::Data } else { CacheKind::Unified };
                let cache = |cpus| Cache { level, kind, bytes: size, line: None, ways: None, cpus };
                caches.extend(all.into_iter().map(cache));
            }
            "Domain" if nodes.len() < MOST_NODES => {
                let id = value.parse().ok().filter(|id| *id < 4096).ok_or_else(bad)?;
                nodes.push(Node { id, ..Node::default() });
            }
            _ => {
                let Some(node) = nodes.last_mut() else { continue };
                match name {
                    "Processors" => {
                        let all = groups(value).ok_or_else(bad)?;
                        node.cpus = all.iter().flat_map(CpuSet::iter).collect();
                    }
                    "Distances" => {
                        let all = value.split_whitespace().map(distance).collect::<Option<_>>();
                        node.distances = all.ok_or_else(bad)?;
                    }
                    "Free memory" => node.free = bytes(value),
                    "Total memory" => node.bytes = bytes(value),
                    _ => {}
                }
            }
        }
    }
    Problem::when(cpus.is_empty(), "no CPU is in it: it is cut short")?;
    let of_core = record::sets(cpus.values().map(|cpu| ((cpu.package, cpu.core), cpu.id)));
    for cpu in cpus.values_mut() {
        cpu.siblings = of_core[&(cpu.package, cpu.core)].clone();
        cpu.node = nodes.iter().find(|node| node.cpus.contains(cpu.id)).map(|node| node.id);
    }
    if nodes.iter().any(|node| node.distances.len() != nodes.len()) {
        found.warn(0, "the nodes do not have a distance to each node: it is cut short");
        nodes.iter_mut().for_each(|node| node.distances.clear());
    }
    found.topology_read(&["cpus", "caches"], first);
    if !nodes.is_empty() {
        found.topology_read(&["nodes"], first);
        found.fact_in(first, "memory.nodes", nodes.len() as u64, Unit::Count);
    }
    let t = &mut found.machine.topology;
    (t.cpus, t.caches, t.nodes) = (cpus.into_values().collect(), caches, nodes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;

    /// Made up after the form of version 5: two sockets with two threads on each core, of which one may not be used.
    #[test]
    fn threads_caches_and_nodes_are_read() {
        let head = "CPU name:\tA CPU\nCPU type:\tnil\n****\nHardware Thread Topology\n****\nSockets:\t\t2\nCores per socket:\t1\nThreads per core:\t2\n----\nHWThread        Thread        Core        Die        Socket        Available\n";
        let rows = "0 0 0 0 0 *\n1 0 1 0 1 *\n2 1 0 0 0 *\n3 1 1 0 1\n----\nSocket 0:\t\t( 0 2 )\n";
        let caches = "Level:\t\t\t3\nSize:\t\t\t32 MB\nCache groups:\t\t( 0 2 ) ( 1 3 )\n";
        let node = |id: u8, cpus: &str, distances: &str| {
            format!(
                "Domain:\t\t\t{id}\nProcessors:\t\t( {cpus} )\nDistances:\t\t{distances}\nFree memory:\t\t10 MB\nTotal memory:\t\t20.5 MB\n"
            )
        };
        let text =
            format!("{head}{rows}{caches}{}{}", node(0, "0 2", "10 21"), node(1, "1 3", "21 10"));
        let machine = imported("t.txt", &text).machine;
        let t = &machine.topology;
        assert_eq!(machine.text("cpu.model"), Some("A CPU"));
        let of = |id| t.cpu(id).unwrap();
        assert_eq!((of(2).siblings.to_string(), of(3).node), ("0,2".to_owned(), Some(1)));
        assert!(of(2).allowed && !of(3).allowed);
        assert_eq!((t.caches.len(), t.caches[1].bytes), (2, Some(32 << 20)));
        assert_eq!((t.nodes[1].bytes, &t.nodes[1].distances), (Some(21_495_808), &vec![21, 10]));
        let cut = imported("t.txt", &text[..text.len() - 100]).machine.topology;
        assert!(cut.cpus.len() == 4 && cut.nodes.iter().all(|node| node.distances.is_empty()));
    }
}
