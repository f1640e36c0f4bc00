//! Memory is interleaved over the dies of a socket, so no core has near memory.
//!
//! A socket of several dies with memory controllers each can be configured as one NUMA node ("die interleaving", NPS1 on
//! such parts). Every load then takes the mean of near and far memory, 1.5 times as long as from the own die, and binding
//! does not help. The rule fires where all nodes of a socket have the same latency, or where every cache of a node reaches
//! its memory in the same time on a processor known to have controllers on each die. Where all dies share one controller
//! the time is equal too, so elsewhere the answer is "cannot tell". Source: lat_mem_rd on a Hygon 7280, 153 ns interleaved,
//! 107 and 164 ns not.
use crate::facts::{CPU_MODEL, MICROARCHITECTURE};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::say;
use crate::words::time;
use record::{Node, Sort, Text};

/// Latencies nearer to each other than this are of one kind: dies apart differ by half.
const ALIKE: f64 = 1.15;
/// Processors whose dies have memory controllers of their own.
const SCATTERED: [&str; 3] = ["Dhyana", "Zen 1", "TaiShan v110"];

/// Nanoseconds of a load with dies interleaved, and from the own die without; see the header's source.
const INTERLEAVED: f64 = 153.0;
const NEAR: f64 = 107.0;

pub(crate) static RULE: Rule =
    Rule::new(say::DIES, &[Demand::Latency, Demand::Sharing], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let all = evidence.nodes()?;
    let nodes: Vec<&Node> =
        all.iter().filter(|n| !n.cpus.is_empty() && n.bytes != Some(0)).collect();
    let sockets = evidence.sockets()?;
    let claim =
        if nodes.len() > sockets { between(evidence, &nodes)? } else { within(evidence, &nodes)? };
    let Some(claim) = claim else { return Ok(None) };
    evidence.is_real(|name| say::dies_stated(name), "cpulens run --only numa_matrix --per-cpu")?;
    Ok(Some(Finding::new(claim, say::DIES_ADVICE, say::DIES_CONFIRM)))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Reason> {
    Cost::up_to(1.0 - NEAR / INTERLEAVED, Confidence::Stated, say::DIES_COST)
}

/// Dies of a socket where the processor's name tells them: Zen 1 and its Hygon version have 8 cores a die. Source: WikiChip,
/// "Zeppelin"; lscpu of a Hygon 7280 with 8 nodes of 8 cores.
fn known_dies(evidence: &Evidence<'_>) -> Option<usize> {
    let model = evidence.text(CPU_MODEL).ok()?;
    let cores = evidence.number("cpu.cores_per_socket").ok()?;
    model.starts_with("Hygon C86").then_some((cores / 8.0) as usize)
}

/// Several nodes a socket: the own one ought to be nearer than the others there.
fn between(evidence: &Evidence<'_>, nodes: &[&Node]) -> Result<Option<Text>, Reason> {
    let numa = evidence.numa()?;
    let mut seen = 0;
    let each = nodes.len() / evidence.sockets()?.max(1);
    for node in nodes {
        let socket = evidence.socket_of(node.id);
        let of = |to: u32| {
            numa.cells.iter().find(|c| (c.from, c.to) == (node.id, to)).and_then(|c| c.latency)
        };
        let others = nodes.iter().filter(|n| n.id != node.id);
        let others = others.filter(|n| socket.is_none() || evidence.socket_of(n.id) == socket);
        let mut beside: Vec<(u32, f64)> = others.filter_map(|n| Some((n.id, of(n.id)?))).collect();
        // Those of its socket are the nearest, where nobody says which they are.
        if socket.is_none() {
            beside.order_by(|a, b| a.1.total_cmp(&b.1));
            beside.truncate(each.saturating_sub(1));
        }
        let Some(own) = of(node.id).filter(|_| !beside.is_empty()) else { continue };
        seen += 1;
        if beside.iter().any(|(_, seconds)| *seconds > own * ALIKE) {
            continue;
        }
        if socket.is_none() {
            return Err(Reason::mended_by(say::WHY_NODES_SOCKET, say::DO_IMPORT_TOPOLOGY));
        }
        let (other, seconds) = beside[0];
        return Ok(Some(say::dies_own(node.id, time(own), other, time(seconds))));
    }
    if seen > 0 {
        return Ok(None);
    }
    Err(Reason::mended_by(say::DIES_NO_TWO, say::DIES_ALL_NODES))
}

/// One node a socket: seen from all of its caches.
fn within(evidence: &Evidence<'_>, nodes: &[&Node]) -> Result<Option<Text>, Reason> {
    let node = nodes.first().or_why(say::DIES_NO_NODE, "mount /sys")?;
    let mut dies = 0;
    for node in nodes {
        dies = dies.max(evidence.dies(node).or_else(|why| known_dies(evidence).ok_or(why))?);
    }
    if dies < 2 {
        return Ok(None);
    }
    let numa = evidence.numa()?;
    let own = numa.cells.iter().find(|c| c.from == node.id && c.to == node.id);
    let sweep: Vec<f64> = own.iter().flat_map(|c| &c.sweep).map(|(_, seconds)| *seconds).collect();
    if sweep.len() < 2 {
        return Err(Reason::mended_by(
            say::dies_apart(dies),
            "cpulens run --only numa_matrix --per-cpu",
        ));
    }
    let (low, high) = stats::ends(sweep.iter().copied()).unwrap_or_default();
    if high > low * ALIKE {
        return Ok(None);
    }
    let scattered = known_dies(evidence).is_some()
        || evidence
            .text(MICROARCHITECTURE)
            .map(|part| SCATTERED.iter().any(|known| part.contains(known)))?;
    if !scattered {
        return Err(Reason::mended_by(
            say::dies_same_time(sweep.len(), node.id, time(low), time(high)),
            say::DIES_SETUP,
        ));
    }
    Ok(Some(match evidence.own_numa() {
        true => say::dies_claim_caches(sweep.len(), node.id, time(low), time(high)),
        false => say::dies_claim_cpus(sweep.len(), node.id, time(low), time(high)),
    }))
}
