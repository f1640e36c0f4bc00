//! Samples of the probes of memory have no page fault and no system call. The marks of every
//! sample show faults. `cargo xtask test` runs this under strace to see system calls: the clock that the
//! probes are handed here asks for the parent process whenever it is read, so that the trace shows where samples begin and
//! end.
#![allow(clippy::unwrap_used, reason = "tests may")]
use host::clock::{Clock, Monotonic};
use kernels::Features;
use measure::{
    bench::Bench,
    probe::{Depth, Probe, Setting},
};
use probes::probes;
use record::{Cache, CacheKind, Case, Cpu, Machine, Node, Series};
use std::{
    collections::BTreeSet, hint::black_box, os::unix::process::parent_id, sync::atomic::AtomicBool,
};

/// The probes whose samples must be nothing but loads and stores. Those of memory management time system calls and faults,
/// and are not here.
const PROBES: &[&str] = &[
    "load_latency",
    "tlb_reach",
    "lat_mem_rd",
    "bandwidth",
    "bandwidth_scaling",
    "cache_bandwidth",
    "data_content",
    "stream",
    "lmbench_stream",
    "loaded_latency",
    "numa_matrix",
    "core_to_core",
    "false_sharing",
    "memory_bound",
];

/// A clock whose every reading is a system call that nothing else makes.
struct Traced(Monotonic);

impl Clock for Traced {
    fn now(&self) -> f64 {
        black_box(parent_id());
        self.0.now()
    }
    fn resolution(&self) -> f64 {
        self.0.resolution()
    }
}

/// The CPUs that this process may use, on one node, and small caches, so that buffers are no larger than they must be.
fn machine() -> Machine {
    let mut machine = Machine::default();
    let cpus = host::cpus::affinity().unwrap();
    for id in cpus.iter() {
        let siblings = [id].into_iter().collect();
        let (online, allowed) = (true, true);
        machine.topology.cpus.push(Cpu { id, online, allowed, siblings, ..Cpu::default() });
    }
    let cache = |level, bytes| Cache {
        level,
        kind: CacheKind::Unified,
        bytes: Some(bytes),
        line: Some(64),
        ways: None,
        cpus: cpus.clone(),
    };
    machine.topology.caches = vec![cache(1, 32 << 10), cache(2, 256 << 10), cache(3, 1 << 20)];
    machine.topology.nodes = vec![Node { cpus, ..Node::default() }];
    machine.set("memory.thp.enabled", "never", "test");
    machine
}

/// One case for each number of threads.
fn some(probe: &Probe, setting: &Setting<'_>) -> Vec<Case> {
    let mut seen = BTreeSet::new();
    let Ok(mut cases) = (probe.cases)(setting) else { return vec![] };
    cases.retain(|c| {
        (probe.refuses)(c, setting.machine).is_none() && seen.insert(c.place.cpus.len())
    });
    cases
}

/// The number of timed samples: what was derived from the same samples, or at least stands at the same coordinates, counts
/// once.
fn timed(series: &[Series]) -> usize {
    let mut seen = vec![];
    let first = |s: &&Series| {
        !seen.contains(&s.at) && {
            seen.push(s.at.clone());
            true
        }
    };
    series.iter().filter(first).map(|s| s.samples.len()).sum()
}

#[test]
#[ignore = "takes seconds and much memory; `cargo xtask test` runs it under strace"]
fn samples_of_memory_probes_neither_fault_nor_call_the_system() {
    let (clock, machine, cancel) = (Traced(Monotonic::new()), machine(), AtomicBool::new(false));
    let mut setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    // Plans what quick depth leaves out, too: the first case of each number of threads is taken.
    setting.options.only_with = vec![("lineage".into(), "intel".into())];
    // Or one node would be no matrix.
    setting.options.per_cpu = true;
    let mut probed = 0;
    for name in PROBES {
        let (_, probe) = probes::ALL.iter().find(|(id, _)| id == name).unwrap();
        let mut samples = 0;
        for case in some(probe, &setting) {
            let mut tick = |_| ();
            // Three samples a series are enough to look at.
            let mut bench = Bench {
                time_scale: 0.0,
                ..Bench::new(&clock, &machine, Features::detect(), &cancel, &mut tick)
            };
            let series = (probe.run)(&case, &mut bench).unwrap();
            let faulted: usize = series
                .iter()
                .map(|s| s.disturbed.iter().filter(|m| m.why == "page fault").count())
                .sum();
            assert_eq!(faulted, 0, "{name} faulted inside samples");
            samples += timed(&series);
        }
        // The trace is cut where a line was printed: what comes before it is this probe's.
        if samples > 0 {
            println!("samples: {name} {samples}");
            probed += 1;
        }
    }
    let alone = machine.topology.cpus.len() < 2;
    assert!(probed == PROBES.len() || alone, "only {probed} of {} probes", PROBES.len());
}
