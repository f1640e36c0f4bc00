//! `numactl -H` (`--hardware`): NUMA nodes with their CPUs, memory and distances, or the matrix of distances alone.
//!
//! Limits: `MB` are MiB, whole ones. Distances are the firmware's words, no measurement.
//! Source: numactl, numactl.c, hardware().
use crate::{number::distance, prelude::*};
use record::{Cpu, CpuSet, Node, Reason};

pub(crate) static IMPORTER: Importer = Importer::new("numactl -H", recognises, read);

fn recognises(text: &Text) -> bool {
    let nodes = |l: &str| l.starts_with("available: ") && l.contains(" nodes (");
    text.any(nodes) || text.any(|l| l.trim() == "node distances:")
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut nodes: Vec<Node> = vec![];
    let (mut stated, mut heads): (Option<(u64, u32)>, Vec<u32>) = (None, vec![]);
    let (mut rows, mut first) = (0, 0);
    for line in text.lines() {
        let n = line.number;
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words[..] {
            ["available:", count, "nodes", ..] => stated = whole(count).map(|c| (c, n)),
            ["node", id, "cpus:", ref cpus @ ..] => {
                let bad = |w: &str| Problem::at(n, format!("'{}' is no CPU", tidy(w)));
                let of = node(&mut nodes, id, n)?;
                let id = |w: &&str| {
                    w.parse::<u32>().ok().filter(|c| *c <= CpuSet::MAX).ok_or_else(|| bad(w))
                };
                of.cpus = cpus.iter().map(id).collect::<Result<_, _>>()?;
                first = if first == 0 { n } else { first };
            }
            ["node", id, "size:", size, unit] => {
                node(&mut nodes, id, n)?.bytes = Some(mib(size, unit, n)?);
            }
            ["node", id, "free:", size, unit] => {
                node(&mut nodes, id, n)?.free = Some(mib(size, unit, n)?);
            }
            ["node", "distances:"] | [] => {}
            ["node", ref ids @ ..]
                if !ids.is_empty() && ids.iter().all(|w| w.parse::<u32>().is_ok()) =>
            {
                heads = ids.iter().filter_map(|w| w.parse().ok()).collect();
                first = if first == 0 { n } else { first };
            }
            [id, ref cells @ ..] if !heads.is_empty() && id.ends_with(':') && !cells.is_empty() => {
                let Some(id) = id.strip_suffix(':').filter(|i| i.parse::<u32>().is_ok()) else {
                    continue;
                };
                let row: Option<Vec<u32>> = cells.iter().map(|cell| distance(cell)).collect();
                let row = row.ok_or_else(|| line.problem("a distance is no number up to 255"))?;
                let (has, all) = (row.len(), heads.len());
                if has != all {
                    let what = format!("node {id} has {has} distances, and there are {all} nodes");
                    return Err(line.problem(what));
                }
                node(&mut nodes, id, n)?.distances = row;
                rows += 1;
            }
            _ => {}
        }
    }
    Problem::when(nodes.is_empty(), "no NUMA node is in it")?;
    nodes.sort_unstable_by_key(|n| n.id);
    if let Some((count, line)) = stated
        && count != nodes.len() as u64
    {
        let listed = nodes.len();
        let what = format!("{count} nodes are stated, and {listed} are listed: it is cut short");
        found.warn(line, what);
    }
    if rows < heads.len() {
        let all = heads.len();
        found.warn(0, format!("{rows} of {all} rows of the distances are there: it is cut short"));
    }
    if nodes.iter().all(|n| n.cpus.is_empty() && n.bytes.is_none()) {
        let what = "only the distances are there: CPUs and memory of the nodes were cut off";
        found.warn(first, what);
        let why = Reason::mended_by(
            "only the distances of numactl -H were given",
            "import the whole output, or lscpu beside it",
        );
        found.machine.topology.missing.push(("nodes.cpus".into(), why));
    }
    check(&nodes, first, found);
    found.fact_in(first.max(1), "memory.nodes", nodes.len() as u64, Unit::Count);
    let t = &mut found.machine.topology;
    let cpu = |id: u32, node: Option<u32>| Cpu {
        id,
        online: true,
        allowed: true,
        node,
        ..Cpu::default()
    };
    t.cpus = nodes.iter().flat_map(|n| n.cpus.iter().map(|c| cpu(c, Some(n.id)))).collect();
    t.cpus.sort_unstable_by_key(|c| c.id);
    t.cpus.dedup_by_key(|c| c.id);
    if !t.cpus.is_empty() {
        found.siblings_missing("numactl");
        found.topology_read(&["cpus"], first.max(1));
    }
    found.topology_read(&["nodes"], first.max(1));
    found.machine.topology.nodes = nodes;
    Ok(())
}

fn node<'a>(nodes: &'a mut Vec<Node>, id: &str, line: u32) -> Result<&'a mut Node, Problem> {
    let number = id.parse().ok().filter(|n: &u32| *n < 4096);
    let number =
        number.ok_or_else(|| Problem::at(line, format!("'{}' is no node's number", tidy(id))))?;
    let at = nodes.iter().position(|n| n.id == number).unwrap_or_else(|| {
        nodes.push(Node { id: number, ..Node::default() });
        nodes.len() - 1
    });
    Ok(&mut nodes[at])
}

fn mib(size: &str, unit: &str, line: u32) -> Result<u64, Problem> {
    bytes(&format!("{size} {unit}"))
        .ok_or_else(|| Problem::at(line, format!("'{}' is no size", tidy(size))))
}

/// Refuses impossible values: more free than there is, a CPU on two nodes, distances that no firmware may state.
fn check(nodes: &[Node], line: u32, found: &mut Found) {
    for (i, node) in nodes.iter().enumerate() {
        if node.free > node.bytes && node.bytes.is_some() {
            found.warn(line, format!("node {} has more free memory than memory", node.id));
        }
        let b = node.id;
        for (j, other) in nodes[..i].iter().enumerate() {
            let a = other.id;
            let both = node.cpus.intersection(&other.cpus);
            if !both.is_empty() {
                found.warn(line, format!("nodes {a} and {b} both claim the CPUs {both}"));
            }
            let (to, back) = (other.distances.get(i), node.distances.get(j));
            if to.is_some() && back.is_some() && to != back {
                let what = format!("the distances between nodes {a} and {b} differ by direction");
                found.warn(line, what);
            }
        }
        if node.distances.get(i).is_some_and(|d| *d != 10) || node.distances.iter().any(|d| *d < 10)
        {
            let what = format!(
                "the distances of node {b} break ACPI's rule: 10 is local, and nothing is less"
            );
            found.warn(line, what);
        }
    }
}
