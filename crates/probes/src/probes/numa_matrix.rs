//! NUMA matrix: idle latency and read bandwidth from every node's CPUs to every node's memory.
//!
//! Method: one buffer per NUMA node, bound, verified and filled once. A ring through it (every fourth line, random
//! order inside groups of 256 KiB) is walked from one CPU of each node in turn. Then all cores of each node in turn
//! read it, each its own part, in eighths so that no cache sees a line again soon. Groups and huge pages avoid page
//! walks, whose tables lie on the node that filled the buffer. The caches are evicted by reading other memory. With
//! `--per-cpu` one CPU of every last-level cache walks the ring.
//! Limits: reads only, one pair of nodes at a time, so shared links are not loaded. Each core counts once, without SMT
//! siblings.
//! Source: lat_mem_rd under numactl, and the matrices of Intel's MLC, whose order of pairs this is.
use crate::{
    cache_eviction::{EvictionBuffer, evict_caches},
    prelude::*,
};
use host::pages::free_on_node;
use kernels::{Order, Ring};
use measure::{
    bench::buffer,
    memory_kernels::parts::Parts,
    threads::{
        Member,
        elapsed::{Elapsed, Span},
    },
};
use record::{Buffer, Value};
use std::{collections::BTreeMap, sync::Mutex};

/// Latency and bandwidth between nodes.
pub static PROBE: Probe = Probe {
    visits: 3,
    refuses,
    ..Probe::new(130, 2, "NUMA: latency and bandwidth between nodes", cases, run)
};

/// Stride and group as multichase has them: past the adjacent-line prefetchers, and inside the reach of the first TLB.
const GROUPED: Order = Order::Grouped { stride: 256, group: 256 << 10 };
/// Parts of the buffer that are read one after the other.
const WINDOWS: usize = 8;
/// Bytes per second of filling and linking, for the plan: a third of what was seen on the slowest node so far.
const FILL: f64 = 0.9e9;
/// Less than this share of a buffer where it was asked for, and the case is about another node.
const ARRIVED: f64 = 0.99;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let machine = setting.machine;
    let groups = by_node(machine, &setting.cpus);
    let to = setting.memory_nodes();
    if groups.is_empty() || to.is_empty() {
        return Err(Reason::mended_by(
            "it is not known which CPUs and memory belong to which node",
            "mount /sys",
        ));
    }
    let per_cpu = setting.options.per_cpu || setting.depth == Depth::Thorough;
    if groups.len() * to.len() == 1 && setting.depth == Depth::Quick && !per_cpu {
        return Err(Reason::by_plan(
            "there is only one node: nothing is near or far, and load_latency and bandwidth measure it",
            "--depth standard measures the one pair all the same",
        ));
    }
    // A node with CPUs and no memory is no target, and says so.
    let bare = groups.keys().copied().filter(|node| {
        let known = machine.topology.node(*node);
        setting.options.nodes.is_none() && known.is_some_and(|n| n.bytes == Some(0))
    });
    let to: CpuSet = to.iter().chain(bare).collect();
    let walkers: usize = groups.values().map(|cpus| walkers(machine, cpus, per_cpu).len()).sum();
    let readers: CpuSet = groups.values().flat_map(|cpus| cpus.iter()).collect();
    let (latency, bandwidth) = setting.depth.pick((0.04, 0.05), (0.11, 0.13), (0.3, 0.4));
    let case = |node: u32| {
        let free = machine.topology.node(node).and_then(|n| n.free.or(n.bytes));
        let bytes = bytes(machine, &groups, free, setting.depth);
        let seconds =
            0.2 + bytes as f64 / FILL + walkers as f64 * latency + groups.len() as f64 * bandwidth;
        let mut params: Vec<(&str, Value)> = vec![param::TO.set(node)];
        if per_cpu {
            params.push(param::FROM_EACH.set("every cache"));
        }
        let mut case = setting.case(readers.clone(), &params, seconds);
        case.place.node = Some(node);
        case.place.pages = memory_kernels::pages(machine);
        case
    };
    Ok(to.iter().map(case).collect())
}

pub(super) fn refuses(case: &Case, machine: &Machine) -> Option<Reason> {
    let to = case.place.node?;
    let nodes: CpuSet = machine.topology.nodes.iter().map(|n| n.id).collect();
    match machine.topology.node(to) {
        None => Some(Reason::mended_by(
            format!("there is no node {to}; this machine has {nodes}"),
            "name nodes that exist with --nodes",
        )),
        Some(node) if node.bytes == Some(0) => Some(Reason::mended_by(
            format!("node {to} has no memory"),
            "fill its memory slots, or bring its memory online (lsmem)",
        )),
        Some(_) => None,
    }
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let to = case.place.node.ok_or("the case names no NUMA node")?;
    let machine = bench.machine;
    let groups = by_node(machine, &case.place.cpus);
    let bytes = bytes(machine, &groups, free_on_node(Some(to)), bench.depth);
    // The CPU that fills it keeps its last lines in a cache; the nearest CPU does it, if there is one.
    let near = groups.get(&to).or_else(|| groups.values().next());
    let filler = near
        .and_then(|cpus| walkers(machine, cpus, false).first().copied())
        .ok_or("no CPU to run on")?;
    let pinned = bench.pin(filler)?;
    let here: CpuSet = [filler].into_iter().collect();
    let (mut arena, buffer) =
        buffer(machine, bench.seed, bytes, case.place.pages, Some(to), &here)?;
    arrived(&buffer, to)?;
    drop(pinned);
    placement_check::checked(case, bench, |bench| {
        let mut all = latencies(case, bench, &groups, filler, arena.lines_mut(), &buffer)?;
        for (i, (from, cpus)) in groups.iter().enumerate() {
            if bench.cancelled() {
                break;
            }
            all.push(bandwidth((*from, to), cpus, bench, arena.lines_mut(), &buffer)?);
            bench.done(0.5 + 0.5 * (i + 1) as f64 / groups.len() as f64);
        }
        bench.threads.iter_mut().for_each(|t| t.node = Some(to));
        Ok(all)
    })
}

/// The chosen CPUs of each node, one of each core; CPUs whose node is not known are left out.
pub(super) fn by_node(machine: &Machine, cpus: &CpuSet) -> BTreeMap<u32, CpuSet> {
    let cores = place::one_per_core(machine, cpus);
    record::sets(cores.iter().filter_map(|cpu| Some((machine.topology.node_of(cpu)?, cpu))))
}

/// The CPUs of a node that walk the ring: its main one, or the first of every last-level cache and die.
pub(super) fn walkers(machine: &Machine, cpus: &CpuSet, per_cpu: bool) -> Vec<u32> {
    if !per_cpu {
        return vec![Setting::new(machine, cpus.clone(), Depth::Quick).main_cpu()];
    }
    let topology = &machine.topology;
    let place = |cpu: u32| {
        let last = topology.data_caches(cpu).into_iter().rfind(|c| c.level > 1);
        (topology.cpu(cpu).and_then(|c| c.die), last.map(|c| c.cpus.clone()))
    };
    let mut seen = vec![];
    let mut first = vec![];
    for cpu in cpus.iter() {
        if !seen.contains(&place(cpu)) {
            seen.push(place(cpu));
            first.push(cpu);
        }
    }
    first
}

/// Bytes of a node's buffer: 16 times the largest last-level cache, since one CPU walks it, and 12 times what the cores of
/// a node reach together; 512 MiB at least; bounded by depth, but at 4 times those caches; half of what is free.
fn bytes(
    machine: &Machine,
    groups: &BTreeMap<u32, CpuSet>,
    free: Option<u64>,
    depth: Depth,
) -> u64 {
    let each = groups.values().flat_map(|cpus| cpus.iter());
    let one = each.filter_map(|cpu| machine.topology.last_level_bytes(cpu)).max();
    let one = one.unwrap_or(place::UNKNOWN_LLC);
    let all = groups.values().filter_map(|cpus| place::last_levels(machine, cpus)).max();
    let all = all.unwrap_or(one);
    let wanted = (place::LLC_MULTIPLE_LATENCY * one).max(place::LLC_MULTIPLE_BANDWIDTH * all);
    let most = depth.pick(512 << 20, 1 << 30, 4 << 30).max(place::LLC_MULTIPLE * all);
    place::within(wanted.max(512 << 20).min(most), 1, free)
}

/// Whether the memory lies where it was asked for, as far as the kernel tells.
pub(super) fn arrived(buffer: &Buffer, to: u32) -> Result<(), Reason> {
    let share = buffer.nodes.get(&to).copied().unwrap_or(0.0);
    if buffer.nodes.is_empty() || share >= ARRIVED {
        return Ok(());
    }
    Err(Reason::mended_by(
        format!(
            "only {:.0} % of the buffer lies on node {to}, to which it was bound",
            share * 100.0
        ),
        "free memory on that node (numactl --hardware), and stop numad and zone_reclaim_mode meanwhile",
    ))
}

/// Walks the ring from one CPU after the other, on from where the last one stopped: every load finds a line that nobody
/// has touched for most of a turn.
fn latencies(
    case: &Case,
    bench: &mut Bench<'_>,
    groups: &BTreeMap<u32, CpuSet>,
    filler: u32,
    lines: &mut [Line],
    buffer: &Buffer,
) -> Result<Vec<Series>, Reason> {
    let per_cpu = param::FROM_EACH.is_in(&case.params);
    let limits = bench.limits(bench.depth.pick(0.03, 0.08, 0.25));
    let machine = bench.machine;
    let pinned = bench.pin(filler)?;
    let mut ring =
        Ring::build(lines, GROUPED, bench.seed).ok_or("the buffer is too small for a ring")?;
    // What linking left in the filler's cache goes, or a part of the loads would be served by it.
    let free = free_on_node(machine.topology.memory_of(filler));
    evict_caches(&mut ring, EvictionBuffer::bytes(machine, filler, free), case.place.pages)?;
    drop(pinned);
    bench.threads.clear();
    let all: Vec<(u32, u32)> = groups
        .iter()
        .flat_map(|(node, cpus)| walkers(machine, cpus, per_cpu).into_iter().map(|c| (*node, c)))
        .collect();
    let mut series = vec![];
    for (from, cpu) in &all {
        let _pinned = bench.pin(*cpu)?;
        let here: CpuSet = [*cpu].into_iter().collect();
        let mut s = Series::new(Metric::IdleLatency, Unit::Seconds, Better::Lower)
            .at(param::FROM, *from)
            .at(param::TO, case.place.node.unwrap_or_default());
        if per_cpu {
            s = s.at(param::CPU, *cpu);
        }
        let ratio = place::ratio(machine, &here, buffer.bytes);
        s.buffer = Some(Buffer { llc_ratio: ratio, ..buffer.clone() });
        series.push(bench.series(s, &limits, 1.0, |n| ring.walk(n))?);
        if !bench.done(0.5 * series.len() as f64 / all.len() as f64) {
            break;
        }
    }
    Ok(series)
}

/// Reads the buffer with one thread on each of these CPUs.
fn bandwidth(
    (from, to): (u32, u32),
    cpus: &CpuSet,
    bench: &mut Bench<'_>,
    lines: &mut [Line],
    buffer: &Buffer,
) -> Result<Series, Reason> {
    let ids: Vec<u32> = cpus.iter().collect();
    let limits = Limits {
        sample: bench.depth.pick(4e-3, 10e-3, 20e-3),
        ..bench.limits(bench.depth.pick(0.04, 0.1, 0.3))
    };
    let (_, kernel) = memory_kernels::find("read")?;
    let (variant, run) = memory_kernels::specialised(kernel, &bench.features);
    // Equal parts, each of whole windows.
    let window = lines.len() / ids.len() / WINDOWS;
    if window == 0 {
        return Err(Reason::new("the buffer is too small for so many threads"));
    }
    let mut parts: Vec<&mut [Line]> = lines.chunks_exact_mut(window * WINDOWS).collect();
    parts.truncate(ids.len());
    let parts: Vec<Mutex<&mut [Line]>> = parts.into_iter().map(Mutex::new).collect();
    let clock = bench.clock;
    let measure = |member: &Member<'_, Span>, ()| {
        let mut part = parts[member.index()].lock().unwrap_or_else(|e| e.into_inner());
        let mut windows = Parts::of(&part, window * Line::BYTES);
        Elapsed::new(member, clock).time(&limits, &mut |steps| windows.run(&mut part, run, steps))
    };
    let places = threads::pinned(ids.iter().copied());
    let (timed, _) = threads::run_alike(&places, bench, |_| Ok(()), measure)?;
    let bytes = kernel.work.bytes_per_pass(window * Line::BYTES) as f64 * ids.len() as f64;
    let series = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher)
        .at(param::FROM, from)
        .at(param::TO, to);
    let mut series = timed.map(|s| bytes / s.max(1e-12)).into_series(series);
    series.variant = Some(variant.into());
    let ratio = place::ratio(bench.machine, cpus, buffer.bytes);
    series.buffer = Some(Buffer { llc_ratio: ratio, ..buffer.clone() });
    Ok(series)
}
