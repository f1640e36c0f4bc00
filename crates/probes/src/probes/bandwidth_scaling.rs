//! Memory bandwidth over the number of threads: how many threads saturate memory.
//!
//! Method: reads (at thorough depth also non-temporal copies). Threads are added one per core: first on one NUMA node,
//! round-robin over its last-level caches, then on the other nodes (`across` = `nodes`), then SMT siblings (`smt`), at
//! 1, 2, 3, 4, 6, 8 ... threads. Each thread has a buffer on its own node, together twelve times the caches. The
//! fastest variant of one thread runs at all counts.
//! Limits: not every count is measured; full nodes, all cores and all threads always are.
//! Source: J. Treibig, G. Hager, G. Wellein, likwid (saturation of memory bandwidth over cores).
use crate::prelude::*;
use measure::memory_kernels::{Code, Job, Sequence, Takes};
use record::Sort;

/// Bytes per second by number of threads.
pub static PROBE: Probe = Probe {
    visits: 3,
    ..Probe::new(160, 1, "Memory bandwidth over number of threads", cases, run)
};

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    if setting.cpus.len() < 2 {
        return Err(Reason::mended_by(
            "there is one CPU to measure on, so no number of threads to compare",
            "allow more CPUs (--cpus, cpuset)",
        ));
    }
    let steps = steps(&order(setting.machine, &setting.cpus), most(setting.depth)).len();
    let kernels: &[&str] = if setting.every_variant() { &["read", "copy_nt"] } else { &["read"] };
    let common = 0.3 + steps as f64 * setting.depth.pick(0.4, 0.65, 2.5);
    let takes = Takes { common, per_byte: 0.65e-9 * steps as f64 };
    let case = |kernel: &&str| {
        memory_kernels::case(setting, &setting.cpus, &[param::KERNEL.set(*kernel)], takes)
    };
    Ok(kernels.iter().map(case).collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let kernel = case.get(param::KERNEL).unwrap_or_default();
    let order = order(bench.machine, &case.place.cpus);
    let steps = steps(&order, most(bench.depth));
    let limits = Limits {
        sample: bench.depth.pick(10e-3, 20e-3, 40e-3),
        ..bench.limits(bench.depth.pick(0.2, 0.4, 1.5))
    };
    placement_check::checked(case, bench, |bench| {
        let mut all: Vec<Series> = vec![];
        for (done, (threads, across)) in steps.iter().enumerate() {
            let mut part = case.clone();
            part.place.cpus = order[..*threads].iter().map(|(cpu, _)| *cpu).collect();
            let cpus = &part.place.cpus;
            let free = memory_kernels::free_for(bench, &part);
            let bytes = place::bandwidth_bytes(bench.machine, cpus, free);
            let mut job = Job::named(kernel)?;
            let first = all.first().and_then(|s| s.variant.as_deref());
            let known = first.and_then(|name| memory_kernels::variant(job.kernel, name));
            job.code = known.map_or(Code::Fastest, Code::Named);
            job.series = job.series.at(param::THREADS, *threads as u64);
            job.series = job.series.at(param::ACROSS, *across);
            // The largest team is the case's.
            bench.threads.clear();
            let turn = Sequence::OneByOne;
            all.extend(memory_kernels::measure_in(&part, bench, &[job], bytes, &limits, turn)?);
            if !bench.done((done + 1) as f64 / steps.len() as f64) {
                break;
            }
        }
        Ok(all)
    })
}

/// Numbers of threads at most.
fn most(depth: measure::probe::Depth) -> usize {
    depth.pick(9, 14, 24)
}

/// The CPUs in the order in which threads are added, and what the team spans from each on: cores of one `node` (that
/// of most of them, the first of equals), of all `nodes`, and `smt` siblings.
fn order(machine: &Machine, cpus: &CpuSet) -> Vec<(u32, &'static str)> {
    let topology = &machine.topology;
    let cores = topology.one_per_core().intersection(cpus);
    // Of a core whose first thread may not be used, another serves.
    let alone =
        |cpu: &u32| topology.cpu(*cpu).is_none_or(|c| c.siblings.intersection(&cores).is_empty());
    let mut firsts = cores.clone();
    for cpu in cpus.iter().filter(alone) {
        let siblings = topology.cpu(cpu).map(|c| c.siblings.clone()).unwrap_or_default();
        if siblings.intersection(&firsts).is_empty() {
            firsts = firsts.iter().chain([cpu]).collect();
        }
    }
    let mut nodes = record::distinct(firsts.iter().map(|cpu| topology.node_of(cpu)));
    let of = |set: &CpuSet, node: Option<u32>| -> CpuSet {
        set.iter().filter(|cpu| topology.node_of(*cpu) == node).collect()
    };
    nodes.order_by_key(|node| std::cmp::Reverse(of(&firsts, *node).len()));
    let rest: CpuSet = cpus.iter().filter(|cpu| !firsts.contains(*cpu)).collect();
    let mut order = vec![];
    for set in [&firsts, &rest] {
        for (at, node) in nodes.iter().enumerate() {
            let across = match (set == &firsts, at) {
                (true, 0) => "node",
                (true, _) => "nodes",
                (false, _) => "smt",
            };
            order.extend(place::ranked(machine, &of(set, *node)).into_iter().map(|c| (c, across)));
        }
    }
    // A sibling on a node without a first thread: nowhere above.
    let missing = cpus.iter().filter(|cpu| !order.iter().any(|(c, _)| c == cpu));
    let missing: Vec<u32> = missing.collect();
    order.extend(missing.into_iter().map(|cpu| (cpu, "smt")));
    order
}

/// The numbers of threads to measure, and what each spans: 1, 2, 3, 4, 6, 8, 12 ... and the last of every span. Where
/// these are more than `most`, those nearest to a neighbour go.
fn steps(order: &[(u32, &'static str)], most: usize) -> Vec<(usize, &'static str)> {
    let ends = |n: usize| order.get(n).is_none_or(|(_, next)| *next != order[n - 1].1);
    let regular =
        |n: usize| n.is_power_of_two() || n.is_multiple_of(3) && (n / 3).is_power_of_two();
    let mut counts: Vec<usize> = (1..=order.len()).filter(|n| regular(*n) || ends(*n)).collect();
    while counts.len() > most {
        let near = |at: usize| counts[at] as f64 / counts[at - 1] as f64;
        let loose = (1..counts.len()).filter(|at| !ends(counts[*at]));
        let Some(at) = loose.min_by(|a, b| near(*a).total_cmp(&near(*b)).then(b.cmp(a))) else {
            break;
        };
        counts.remove(at);
    }
    counts.into_iter().map(|n| (n, order[n - 1].1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cpu, Node};

    /// `nodes` nodes of `cores` cores of two threads: 0, 1, 2 ... and then the siblings, as Linux counts on x86.
    fn machine(nodes: u32, cores: u32) -> Machine {
        let mut machine = Machine::default();
        let all = nodes * cores;
        for id in 0..2 * all {
            machine.topology.cpus.push(Cpu {
                id,
                online: true,
                allowed: true,
                siblings: [id % all, id % all + all].into_iter().collect(),
                ..Cpu::default()
            });
        }
        for node in 0..nodes {
            let own = |id: &u32| id % all / cores == node;
            let cpus = (0..2 * all).filter(own).collect();
            machine.topology.nodes.push(Node { id: node, cpus, ..Node::default() });
        }
        machine
    }

    #[test]
    fn a_node_is_filled_first_then_the_others_then_siblings() {
        let machine = machine(2, 4);
        let order = order(&machine, &machine.topology.usable());
        let cpus: Vec<u32> = order.iter().map(|(cpu, _)| *cpu).collect();
        assert_eq!(cpus, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        let spans: Vec<&str> = order.iter().map(|(_, across)| *across).collect();
        assert_eq!(spans, [["node"; 4], ["nodes"; 4], ["smt"; 4], ["smt"; 4]].concat());
        let few: CpuSet = [3, 9, 11, 12].into_iter().collect();
        let some = super::order(&machine, &few);
        assert_eq!(some, [(3, "node"), (9, "node"), (12, "nodes"), (11, "smt")]);
    }

    #[test]
    fn every_cpu_comes_once_whatever_the_machine() {
        for (nodes, cores) in [(1, 1), (1, 2), (2, 1), (8, 16), (2, 128)] {
            let machine = machine(nodes, cores);
            let usable = machine.topology.usable();
            let order = order(&machine, &usable);
            assert_eq!(order.len(), usable.len());
            assert_eq!(order.iter().map(|(cpu, _)| *cpu).collect::<CpuSet>(), usable);
        }
    }

    #[test]
    fn steps_are_bounded_and_keep_the_ends_of_spans() {
        let machine = machine(8, 64);
        let order = order(&machine, &machine.topology.usable());
        assert_eq!(order.len(), 1024);
        for most in [9, 14, 24] {
            let steps = steps(&order, most);
            assert!(steps.len() <= most, "{steps:?}");
            for end in [(1, "node"), (64, "node"), (512, "nodes"), (1024, "smt")] {
                assert!(steps.contains(&end), "{end:?} in {steps:?}");
            }
            assert!(steps.windows(2).all(|w| w[0].0 < w[1].0));
        }
        let eight: Vec<(u32, &str)> = (0..8).map(|cpu| (cpu, "node")).collect();
        let counts: Vec<usize> = steps(&eight, 9).into_iter().map(|(n, _)| n).collect();
        assert_eq!(counts, [1, 2, 3, 4, 6, 8]);
    }
}
