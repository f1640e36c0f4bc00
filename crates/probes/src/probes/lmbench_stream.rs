//! lmbench's `stream -W 5 -N 5 -M 64M`, which differs from STREAM.
//!
//! Method: scalar loops of 8-byte accesses over three arrays of 64 MiB together, which change places before each call,
//! on 4 KiB pages with lmbench's contents; five intervals of 40 ms. lmbench prints the minimum. `time_per_element` is
//! its "latency"; `bandwidth` counts 16, 16, 24 and 24 bytes. `add` is `c = a + b` (lmbench 3.0-a9). `add_sum` is
//! intel/lmbench's `add`: the sum of one array, counted as 24 bytes, which waits for additions and not for memory.
//! `lineage` = `intel` takes M for 2^20, `a9` (thorough depth, or named) for 10^6. `--per-cpu` adds one CPU of every
//! last-level cache and die (`cpu`) against every NUMA node (`memory`); `--where memory=0` keeps one node.
//! Limits: 64 MiB is at most two of the larger last-level caches.
//! Source: L. McVoy, C. Staelin, lmbench.
use crate::{prelude::*, probes::numa_matrix};
use host::disturb::Watcher;
use kernels::lmbench::{Arrays, LOOPS};
use measure::{
    bench::{Content, CoreFrequency},
    timing,
};

/// Seconds per element and bytes per second by kernel.
pub static PROBE: Probe = Probe {
    visits: 3,
    refuses: numa_matrix::refuses,
    ..Probe::new(190, 1, "lmbench stream: scalar loops over 64 MiB", cases, run)
};

/// `-N 5`, and its `ENOUGH` where it trusts the clock.
const INTERVALS: (f64, usize, u64) = (40e-3, 5, 1);
/// Elements of each array: 64M / (3 x 8), M being 2^20 or 10^6.
const INTEL: usize = (64 << 20) / 24;
const A9: usize = 64_000_000 / 24;
/// The estimated seconds of a case: five kernels, and the arrays.
const SECONDS: f64 = 1.6;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let mut lineages = vec!["intel"];
    if setting.every_variant() {
        lineages.push("a9");
    }
    let case = |lineage: &str| setting.single(&[param::LINEAGE.set(lineage)], SECONDS);
    let mut cases: Vec<Case> = lineages.into_iter().map(case).collect();
    cases.extend(sweep(setting));
    Ok(cases)
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (cpu, _pinned) = bench.pin_first(case)?;
    let a9 = case.get(param::LINEAGE) == Some("a9");
    let elements = if a9 { A9 } else { INTEL };
    let bytes = Arrays::bytes(elements) as u64;
    let node = case.place.node.or_else(|| bench.machine.topology.memory_of(cpu));
    bench.threads.iter_mut().for_each(|thread| thread.node = node);
    if host::pages::free_on_node(node).is_some_and(|free| free / 2 < bytes) {
        return Err(Reason::mended_by(
            format!("lmbench's arrays are {bytes} bytes, more than half of what is free"),
            "free some memory, or raise the cgroup's memory limit",
        ));
    }
    let (mut arena, mut buffer) = bench.buffer(bytes, Pages::Base, node, cpu)?;
    if let Some(node) = case.place.node {
        numa_matrix::arrived(&buffer, node)?;
    }
    buffer.content = Content::Constant.name().into();
    let core = CoreFrequency::new(bench.clock, &bench.features, "add_chain")?;
    let (clock, cancel) = (bench.clock, bench.cancel);
    let loops: Vec<_> = LOOPS.iter().filter(|l| !a9 || l.name != "add_sum").collect();
    bench.each(&loops, |_, this| {
        // Each kernel begins with fresh contents, as each has a process of its own there.
        let mut arrays =
            Arrays::new(arena.lines_mut(), elements).ok_or("the arrays do not fit their buffer")?;
        let mut hertz = vec![];
        let mut work = |calls: u64| {
            std::hint::black_box(arrays.run(this, calls));
        };
        let mut between = || {
            hertz.push(core.window(clock));
            !cancel.load(std::sync::atomic::Ordering::Relaxed)
        };
        let mut watch = Watcher::open();
        let timed = timing::intervals(clock, &mut watch, INTERVALS, &mut work, &mut between);
        bench::still_on(Some(cpu))?;
        let series = |metric, unit, better, of: &dyn Fn(f64) -> f64| {
            let series = Series::new(metric, unit, better).at(param::KERNEL, this.name);
            let mut series = timed.clone().map(of).into_series(series);
            series.variant = Some("scalar".into());
            series.buffer = Some(buffer.clone());
            series.frequency = stats::median(&hertz);
            series
        };
        let counted = (this.counted * elements as u64) as f64;
        let per_element = |s: f64| s / elements as f64;
        let per_second = |s: f64| counted / s.max(1e-12);
        Ok([
            series("time_per_element", Unit::Seconds, Better::Lower, &per_element),
            series("bandwidth", Unit::BytesPerSecond, Better::Higher, &per_second),
        ])
    })
}

/// One CPU of every last-level cache and die against each NUMA node, where that is wished and more than the one pair that
/// is measured anyway.
fn sweep(setting: &Setting<'_>) -> Vec<Case> {
    let groups = numa_matrix::by_node(setting.machine, &setting.cpus);
    let of = |cpus| numa_matrix::walkers(setting.machine, cpus, true);
    let cpus: Vec<u32> = groups.values().flat_map(of).collect();
    let nodes = setting.memory_nodes();
    if !setting.options.per_cpu || cpus.len() * nodes.len() < 2 {
        return vec![];
    }
    let case = |(cpu, node): (u32, u32)| {
        let params =
            [param::LINEAGE.set("intel"), param::CPU.set(cpu), param::MEMORY_NODE.set(node)];
        let mut case = setting.case([cpu].into_iter().collect(), &params, SECONDS);
        case.place.node = Some(node);
        case
    };
    nodes.iter().flat_map(|node| cpus.iter().map(move |cpu| (*cpu, node))).map(case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;
    use kernels::Features;
    use measure::probe::Depth;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_arrays_are_on_the_node_that_the_case_names() {
        let (clock, machine, cancel) =
            (Monotonic::new(), Machine::default(), AtomicBool::new(false));
        let cpus: CpuSet = host::cpus::affinity().unwrap().iter().take(1).collect();
        let mut case = Setting::new(&machine, cpus, Depth::Quick).single(&[], SECONDS);
        case.place.node = Some(4095);
        let mut tick = |_| ();
        let mut bench = Bench::new(&clock, &machine, Features::portable(), &cancel, &mut tick);
        let why = run(&case, &mut bench).unwrap_err().why;
        assert!(why.contains("node 4095"), "{why}");
        assert_eq!(bench.threads[0].node, Some(4095));
    }
}
