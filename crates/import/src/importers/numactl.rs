//! `numactl -H` (`--hardware`): NUMA nodes with their CPUs, memory and distances, or the matrix of distances alone.
//!
//! Limits: `MB` are MiB, whole ones. Distances are the firmware's words, no measurement.
//! Source: numactl, numactl.c, hardware().
use crate::prelude::*;
use record::{Cpu, CpuSet, Node, Reason};

pub(crate) static IMPORTER: Importer = Importer::new("numactl -H", recognises, read);

fn recognises(text: &Text) -> bool {
    let nodes = |l: &str| l.starts_with("available: ") && l.contains(" nodes (");
    text.any(nodes) || text.any(|l| l.trim() == "node distances:")
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut nodes: Vec<Node> = vec![];
    let (mut stated, mut heads, mut rows): (Option<(u64, u32)>, Vec<u32>, usize) =
        (None, vec![], 0);
    let mut first = 0;
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
                let row: Option<Vec<u32>> =
                    cells.iter().map(|c| c.parse().ok().filter(|d| *d <= 255)).collect();
                let row = row.ok_or_else(|| Problem::at(n, "a distance is no number up to 255"))?;
                if row.len() != heads.len() {
                    let what = format!(
                        "node {id} has {} distances, and there are {} nodes",
                        row.len(),
                        heads.len()
                    );
                    return Err(Problem::at(n, what));
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
        found.warn(
            line,
            format!("{count} nodes are stated, and {} are listed: it is cut short", nodes.len()),
        );
    }
    if rows < heads.len() {
        found.warn(
            0,
            format!("{} of {} rows of the distances are there: it is cut short", rows, heads.len()),
        );
    }
    if nodes.iter().all(|n| n.cpus.is_empty() && n.bytes.is_none()) {
        found
            .warn(first, "only the distances are there: CPUs and memory of the nodes were cut off");
        let why = Reason::mended_by(
            "only the distances of numactl -H were given",
            "import the whole output, or lscpu beside it",
        );
        found.machine.topology.missing.push(("nodes.cpus".into(), why));
    }
    check(&nodes, first, found);
    found.fact_in(first.max(1), "memory.nodes", nodes.len() as u64, Unit::Count);
    let t = &mut found.machine.topology;
    let cpu = |id: u32, node: u32| Cpu {
        id,
        online: true,
        allowed: true,
        node: Some(node),
        ..Cpu::default()
    };
    t.cpus = nodes.iter().flat_map(|n| n.cpus.iter().map(|c| cpu(c, n.id))).collect();
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
    let number: u32 = id
        .parse()
        .ok()
        .filter(|n| *n < 4096)
        .ok_or_else(|| Problem::at(line, format!("'{}' is no node's number", tidy(id))))?;
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
        for other in &nodes[..i] {
            let both = node.cpus.intersection(&other.cpus);
            if !both.is_empty() {
                found.warn(
                    line,
                    format!("nodes {} and {} both claim the CPUs {both}", other.id, node.id),
                );
            }
            let (to, back) = (
                other.distances.get(i),
                nodes.iter().position(|n| n.id == other.id).and_then(|j| node.distances.get(j)),
            );
            if to.is_some() && back.is_some() && to != back {
                found.warn(
                    line,
                    format!(
                        "the distances between nodes {} and {} differ by direction",
                        other.id, node.id
                    ),
                );
            }
        }
        if node.distances.get(i).is_some_and(|d| *d != 10) || node.distances.iter().any(|d| *d < 10)
        {
            found.warn(
                line,
                format!(
                    "the distances of node {} break ACPI's rule: 10 is local, and nothing is less",
                    node.id
                ),
            );
        }
    }
}
