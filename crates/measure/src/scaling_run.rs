//! The steps of a scaling run: one core, its threads, 2, 4, 8 ... cores of a node, the socket, all cores, all threads; and the
//! order of the points, up and down in turn, so that a machine that slows down meanwhile does so for all of
//! them. Pure.
use crate::place;
use crate::rate::Rate;
use crate::server::Server;
use crate::values::{MOST_CORES, one_of, some_seconds, whole};
use clap::Args;
use record::{CpuSet, Machine, Sort};
use std::cmp::Reverse;

/// One placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its name: `1 core`, `SMT pair`, `4 cores of node 0`, `socket 0`, `all cores`, `all threads`.
    pub name: String,
    /// Its CPUs. Those of a step without sibling threads are among those of all later ones.
    pub cpus: CpuSet,
    /// Physical cores among them.
    pub cores: usize,
    /// NUMA nodes of these CPUs.
    pub nodes: CpuSet,
}

record::named! {
    /// The placement of copies on a step's CPUs.
    pub enum Policy {
        /// Each copy on a CPU of its own.
        OneToOne = "one-to-one",
        /// Every copy on all CPUs of the step, as the scheduler likes.
        Range = "range",
        /// As many copies, each on all CPUs that were chosen.
        Unpinned = "unpinned",
    }
}

/// The memory placement of copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Memory {
    /// On the node of the CPU that touches it first.
    Local,
    /// Page by page on the nodes of all chosen CPUs.
    Interleave,
    /// On this node, wherever they run.
    Bind(u32),
}

impl Memory {
    /// The word on the command line and in the record.
    pub fn name(self) -> String {
        match self {
            Memory::Local => "local".into(),
            Memory::Interleave => "interleave".into(),
            Memory::Bind(node) => format!("bind={node}"),
        }
    }
    /// The policy of that name.
    pub fn named(name: &str) -> Option<Memory> {
        match name.strip_prefix("bind=") {
            Some(node) => node.parse().ok().map(Memory::Bind),
            None => [Memory::Local, Memory::Interleave].into_iter().find(|m| m.name() == name),
        }
    }
}

fn memory(text: &str) -> Result<Memory, String> {
    Memory::named(text).ok_or_else(|| "memory is local, interleave or bind=NODE".into())
}

/// The workload and steps of a scaling run.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct ScalingRun {
    /// The workload of every copy.
    #[arg(skip = Workload::Command(vec![]))]
    pub workload: Workload,
    /// How copies are placed: each pinned to one CPU, all pinned to the point's CPUs, or not pinned
    #[arg(id = "policy", long = "policy", value_name = "POLICY,...", value_delimiter = ',', default_value = "one-to-one,unpinned", value_parser = one_of(Policy::ALL.map(|p| (p.name(), p))))]
    pub policies: Vec<Policy>,
    /// Memory placement: local, interleaved over the NUMA nodes of the chosen CPUs (interleave), or on one node (bind=0)
    #[arg(long, value_name = "MEMORY,...", value_delimiter = ',', default_values = ["local"], value_parser = memory)]
    pub memory: Vec<Memory>,
    /// Repeats of every point, interleaved; at least 3, and 4 for 95 % intervals
    #[arg(long, default_value_t = 6, value_parser = whole(FEWEST_REPEATS..=1000))]
    pub repeats: usize,
    /// Seconds of each point of a probe; for a command, the expected time of one run
    #[arg(id = "per_step", long = "per-step", value_name = "SECONDS", default_value = "0.5", value_parser = some_seconds)]
    pub seconds: f64,
    /// Copies at every point, instead of one for each CPU
    #[arg(long, value_name = "N", value_parser = whole(1..=MOST_CORES))]
    pub copies: Option<usize>,
    /// Kill a command that takes longer, or a server that is not ready by then; its point has failed
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = some_seconds)]
    pub timeout: Option<f64>,
    /// The unit in which a command's work is counted.
    #[arg(skip = Rate::Runs)]
    pub rate: Rate,
    /// The server that a command loads, whose cores are scaled instead of the command's.
    #[arg(skip)]
    pub server: Option<Server>,
    /// End processes that copies of a command leave running; by default they live on
    #[arg(long, requires = "command")]
    pub end_children: bool,
}

/// The workload of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Workload {
    /// The work of the probe with this id, over and over.
    Probe(String),
    /// A run of this command line.
    Command(Vec<String>),
}

/// Fewest repeats: with two there is no middle.
pub const FEWEST_REPEATS: usize = 3;

/// The position of a core in the order of joining: whole kinds of cores before others, then sockets, then nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    kind: Option<String>,
    socket: Option<u32>,
    node: Option<u32>,
}

fn group(machine: &Machine, cpu: u32) -> Group {
    let known = machine.topology.cpu(cpu);
    Group {
        kind: known.and_then(|c| c.kind.clone()),
        socket: known.and_then(|c| c.package),
        node: machine.topology.node_of(cpu),
    }
}

/// One thread of every core, in the order in which cores join. The kind, socket and node with most of them come first, of
/// equals that with the lowest CPU; in a node they are spread over its last-level caches, and its first core, which serves
/// more of the system's own work than others, comes last.
fn order(machine: &Machine, cpus: &CpuSet) -> Vec<(u32, Group)> {
    let firsts = place::one_per_core(machine, cpus);
    let all: Vec<(u32, Group)> = firsts.iter().map(|cpu| (cpu, group(machine, cpu))).collect();
    let count =
        |like: &dyn Fn(&Group) -> bool| Reverse(all.iter().filter(|(_, g)| like(g)).count());
    let first = |like: &dyn Fn(&Group) -> bool| {
        all.iter().find(|(_, g)| like(g)).map_or(u32::MAX, |(cpu, _)| *cpu)
    };
    let mut groups = record::distinct(all.iter().map(|(_, g)| g.clone()));
    groups.sort_by_cached_key(|g| {
        let kind = |other: &Group| other.kind == g.kind;
        let socket = |other: &Group| kind(other) && other.socket == g.socket;
        let node = |other: &Group| other == g;
        [&kind as &dyn Fn(&Group) -> bool, &socket, &node].map(|like| (count(like), first(like)))
    });
    let mut order = vec![];
    for g in groups {
        let here: CpuSet = all.iter().filter(|(_, of)| *of == g).map(|(cpu, _)| *cpu).collect();
        let mut ranked = place::ranked(machine, &here);
        ranked.order_by_key(|cpu| Some(*cpu) == here.first());
        order.extend(ranked.into_iter().map(|cpu| (cpu, g.clone())));
    }
    order
}

/// The steps on these CPUs, lowest first: at most three more than the number of cores has binary digits, and one for each
/// level of the machine that ends between two powers of two.
pub fn steps(machine: &Machine, cpus: &CpuSet) -> Vec<Step> {
    steps_and(machine, cpus, &[])
}

/// The same, and one for each of these numbers of cores that there are.
pub fn steps_and(machine: &Machine, cpus: &CpuSet, more: &[usize]) -> Vec<Step> {
    let order = order(machine, cpus);
    let siblings = |set: &CpuSet| -> CpuSet {
        let shares = |cpu: &u32| {
            let known = machine.topology.cpu(*cpu);
            set.contains(*cpu) || known.is_some_and(|c| !c.siblings.intersection(set).is_empty())
        };
        cpus.iter().filter(shares).collect()
    };
    let step = |name: String, cpus: CpuSet, cores: usize| {
        let nodes = cpus.iter().filter_map(|cpu| machine.topology.node_of(cpu)).collect();
        Step { name, cpus, cores, nodes }
    };
    let mut steps = vec![];
    for n in counts(&order, more) {
        let set: CpuSet = order[..n].iter().map(|(cpu, _)| *cpu).collect();
        let with_siblings = (n == 1).then(|| siblings(&set)).filter(|all| all.len() > 1);
        steps.push(step(name(&order, n), set, n));
        if let Some(threads) = with_siblings {
            let name = match threads.len() {
                2 => "SMT pair".to_owned(),
                n => format!("{n} threads of 1 core"),
            };
            steps.push(step(name, threads, 1));
        }
    }
    if cpus.len() > order.len() && order.len() > 1 {
        steps.push(step("all threads".into(), cpus.clone(), order.len()));
    }
    steps
}

/// Numbers of cores: powers of two, and where a node, a socket or a kind of cores ends for the first time, and all; and those
/// that were asked for.
fn counts(order: &[(u32, Group)], more: &[usize]) -> Vec<usize> {
    let Some((_, first)) = order.first() else { return vec![] };
    let end = |like: &dyn Fn(&Group) -> bool| order.iter().take_while(|(_, g)| like(g)).count();
    let ends = [
        end(&|g| g == first),
        end(&|g| g.kind == first.kind && g.socket == first.socket),
        end(&|g| g.kind == first.kind),
        order.len(),
    ];
    let wanted = |n: &usize| n.is_power_of_two() || ends.contains(n) || more.contains(n);
    (1..=order.len()).filter(wanted).collect()
}

/// The name of a step with the first `cores` cores.
fn name(order: &[(u32, Group)], cores: usize) -> String {
    let (within, rest) = order.split_at(cores);
    let distinct = |of: &dyn Fn(&Group) -> Option<String>| -> Vec<Option<String>> {
        let mut all: Vec<_> = within.iter().map(|(_, g)| of(g)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let (kinds, sockets, nodes) = (
        distinct(&|g| g.kind.clone()),
        distinct(&|g| g.socket.map(|s| s.to_string())),
        distinct(&|g| g.node.map(|n| n.to_string())),
    );
    let more = |like: &dyn Fn(&Group) -> bool| rest.iter().any(|(_, g)| like(g));
    let first = &order[0].1;
    if cores == 1 {
        return "1 core".into();
    }
    if rest.is_empty() {
        return "all cores".into();
    }
    if let ([Some(kind)], true) = (&kinds[..], more(&|g| g.kind != kinds[0])) {
        return format!("{cores} {kind} cores");
    }
    match (&sockets[..], &nodes[..]) {
        (sockets @ [_, _, ..], _) => format!("{cores} cores of {} sockets", sockets.len()),
        ([Some(socket)], _) if !more(&|g| g.socket == first.socket) => format!("socket {socket}"),
        (_, [Some(node)]) => format!("{cores} cores of node {node}"),
        ([Some(socket)], _) => format!("{cores} cores of socket {socket}"),
        (_, nodes @ [_, _, ..]) => format!("{cores} cores of {} nodes", nodes.len()),
        _ => format!("{cores} cores"),
    }
}

/// Every item once a round, up in the first, down in the next: what drifts evenly does so for all items alike (ABBA).
pub fn rounds<T: Clone>(items: &[T], repeats: usize) -> Vec<(usize, T)> {
    (0..repeats)
        .flat_map(|round| {
            let up: Vec<T> = items.to_vec();
            let turn = if round % 2 == 0 { up } else { up.into_iter().rev().collect() };
            turn.into_iter().map(move |item| (round + 1, item))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_go_up_and_down_so_that_an_even_drift_cancels() {
        let all = rounds(&['a', 'b', 'c'], 4);
        let text: String = all.iter().map(|(_, item)| *item).collect();
        assert_eq!(text, "abccbaabccba");
        // Mean position of each item over the rounds: the same for all.
        let mean = |item: char| {
            let at = all.iter().enumerate().filter(|(_, (_, i))| *i == item).map(|(at, _)| at);
            at.sum::<usize>()
        };
        assert!(mean('a') == mean('b') && mean('b') == mean('c'));
        assert_eq!(all.iter().map(|(round, _)| *round).max(), Some(4));
    }

    #[test]
    fn words_are_read_back() {
        assert!(Policy::ALL.iter().all(|p| Policy::named(p.name()) == Some(*p)));
        let all = [Memory::Local, Memory::Interleave, Memory::Bind(0), Memory::Bind(17)];
        assert!(all.iter().all(|m| Memory::named(&m.name()) == Some(*m)));
        assert_eq!((Policy::named("pinned"), Memory::named("")), (None, None));
        for none in ["bind", "bind=", "bind=-1", "bind=0,1", "bind=4294967296", "local=1"] {
            assert_eq!(Memory::named(none), None, "{none}");
        }
    }
}
