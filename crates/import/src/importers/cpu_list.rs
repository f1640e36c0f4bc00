//! Which CPU is on which core, socket and node, a line each: `lscpu -p`, `lscpu -e`, and tables headed physical, core,
//! processor with ranges such as `0~15`.
//!
//! Limits: the list shows which CPUs share a cache, and not its size.
//! Source: util-linux, sys-utils/lscpu.c.
use crate::prelude::*;
use record::{Cache, CacheKind, Cpu, CpuSet, Node};
use std::collections::BTreeMap;

pub(crate) static IMPORTER: Importer = Importer::new("lscpu -p or -e", recognises, read);

/// CPUs named in all rows together.
const MOST: usize = 20_000;
/// More threads than any core has.
const MOST_THREADS: usize = 16;

/// The meaning of a column.
fn column(word: &str) -> &'static str {
    const NAMES: [&str; 10] =
        ["cpu", "core", "package", "node", "online", "l1d", "l1i", "l2", "l3", "maxmhz"];
    match word.to_ascii_lowercase().as_str() {
        "processor" => "cpu",
        "socket" | "physical" => "package",
        word => NAMES.into_iter().find(|name| *name == word).unwrap_or(""),
    }
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.trim().trim_start_matches('#').trim();
    match line.contains(',') {
        true => line.split([',', ':']).map(str::trim).collect(),
        false => line.split_whitespace().flat_map(|w| w.split(':')).collect(),
    }
}

/// The columns, if the line is the head of such a table.
fn head(line: &str) -> Option<Vec<&'static str>> {
    // DiskSpd rules its columns, and hwloc prints `Package L#0 (P#0 CPUModel="Dual Core ... Processor")`.
    if line.contains(['|', '(', '=']) {
        return None;
    }
    let columns: Vec<&str> = cells(line).into_iter().map(column).collect();
    let has = |name| columns.contains(&name);
    (has("cpu") && has("core") && (has("package") || has("node"))).then_some(columns)
}

/// `7`, or `0~15` and `0-15`.
fn range(text: &str) -> Option<Vec<u32>> {
    let (from, to) = text.split_once(['~', '-']).unwrap_or((text, text));
    let (from, to): (u32, u32) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (from <= to && to <= CpuSet::MAX).then(|| (from..=to).collect())
}

fn recognises(text: &Text) -> bool {
    text.any(|l| head(l).is_some())
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut columns: Vec<&str> = vec![];
    let (mut first, mut named) = (0, 0);
    let mut caches: BTreeMap<(&str, u32), CpuSet> = BTreeMap::new();
    let mut cpus: BTreeMap<u32, Cpu> = BTreeMap::new();
    for line in text.lines() {
        if let Some(head) = head(line.text) {
            (columns, first) = (head, line.number);
            continue;
        }
        let cells = cells(line.text);
        if columns.is_empty() || line.text.trim_start().starts_with('#') || cells.len() < 2 {
            continue;
        }
        if cells.len() + 3 < columns.len() {
            return Err(
                line.problem(format!("expected {} columns: it is cut short", columns.len()))
            );
        }
        let get = |name: &str| cells.get(columns.iter().position(|c| *c == name)?).copied();
        let cpu = get("cpu").unwrap_or("");
        let ids = range(cpu).ok_or_else(|| line.problem(format!("'{}' is no CPU", tidy(cpu))))?;
        let cores = get("core").and_then(range);
        named += ids.len();
        if named > MOST {
            return Err(line.problem(format!("it names more than {MOST} CPUs")));
        }
        let cores = cores.filter(|cores| cores.len() == ids.len());
        let most = get("maxmhz").and_then(number).filter(|mhz| *mhz > 0.0);
        for (i, id) in ids.iter().enumerate() {
            let one = |name| get(name).and_then(range).and_then(|r| (r.len() == 1).then(|| r[0]));
            let cpu = Cpu {
                id: *id,
                online: get("online").is_none_or(|o| o != "no" && o != "N"),
                allowed: true,
                package: one("package"),
                core: cores.as_ref().map(|cores| cores[i]),
                node: one("node"),
                max_hz: most.map(|mhz| mhz * 1e6),
                ..Cpu::default()
            };
            for level in ["l1d", "l1i", "l2", "l3"] {
                if let Some(instance) = one(level) {
                    caches.entry((level, instance)).or_default().insert(*id);
                }
            }
            if cpus.insert(*id, cpu).is_some() {
                found.warn(line.number, format!("CPU {id} is in two rows"));
            }
        }
    }
    if cpus.is_empty() {
        return Err(Problem::at(first, "no CPU follows this head"));
    }
    let with_core = cpus.values().filter_map(|cpu| Some(((cpu.package, cpu.core?), cpu.id)));
    let of_core = record::sets(with_core);
    if let Some(((_, core), all)) = of_core.iter().find(|(_, all)| all.len() > MOST_THREADS) {
        let what = format!("core {core} has {} CPUs: the column of sockets is missing", all.len());
        return Err(Problem::at(first, what));
    }
    for cpu in cpus.values_mut() {
        if let Some(siblings) = cpu.core.and_then(|c| of_core.get(&(cpu.package, c))) {
            cpu.siblings = siblings.clone();
        }
    }
    let nodes = record::sets(cpus.values().filter_map(|cpu| Some((cpu.node?, cpu.id))));
    let most = cpus.values().filter_map(|cpu| cpu.max_hz).reduce(f64::max);
    found.known_in(first, "cpu.frequency.max", most, Unit::Hertz);
    let t = &mut found.machine.topology;
    t.cpus = cpus.into_values().collect();
    t.nodes = nodes.into_iter().map(|(id, cpus)| Node { id, cpus, ..Node::default() }).collect();
    t.caches = caches
        .into_iter()
        .map(|((level, _), cpus)| Cache {
            level: u32::from(level.as_bytes()[1] - b'0'),
            kind: match level {
                "l1d" => CacheKind::Data,
                "l1i" => CacheKind::Instruction,
                _ => CacheKind::Unified,
            },
            bytes: None,
            line: None,
            ways: None,
            cpus,
        })
        .collect();
    found.topology_read(&["cpus"], first);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;

    /// Made up after the format.
    #[test]
    fn the_tables_of_other_tools_are_none() {
        assert!(super::head("Socket | Node | Group | Core | CPU |  Usage").is_none());
        assert!(super::head("Package L#0 (P#0 CPUModel=\"Dual Core Processor 865\")").is_none());
        assert!(super::head("# CPU,Core,Socket,Node,,L1d,L1i,L2,L3").is_some());
    }

    #[test]
    fn the_highest_frequency_is_a_fact() {
        let text = "CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE    MAXMHZ   MINMHZ\n  0    0      0    0 0:0:0:0          yes 4800.0000 800.0000\n  1    0      0    1 1:1:1:0          yes 3600.0000 800.0000\n";
        let machine = imported("lscpu.txt", text).machine;
        assert_eq!(machine.number("cpu.frequency.max"), Some(4.8e9));
        assert_eq!(machine.topology.cpu(1).and_then(|cpu| cpu.max_hz), Some(3.6e9));
    }
}
