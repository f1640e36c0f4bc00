//! Latency and bandwidth from each NUMA node to each, from matrices that other tools printed and from published figures of
//! lmbench: `lat_mem_rd` and `stream` on one CPU with the memory of one node.
use super::{Basis, Graded};
use estimates::analyses::numa::{ByCpu, ByPair, Numa};
use estimates::estimate::Estimate;
use estimates::report::Report;
use record::{
    Metric, ProbeId, Topology, Unit,
    param::{self, Parameter},
};

record::named! {
    /// The kind of a time of the matrix.
    pub enum Access {
        /// A load that waits for the one before.
        Load = "A load from memory",
        /// An element of lmbench's STREAM loops, of which several are in flight.
        Element = "An element of lmbench's stream",
    }
}

/// The kind of a bandwidth of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rate {
    /// One core copies, as lmbench's stream does.
    #[default]
    CoreCopies,
    /// All CPUs of a node read, as in MLC's matrix.
    NodeReads,
}

/// A matrix that others measured.
#[derive(Debug, Clone)]
pub struct Between {
    /// The matrix. Where only the memory of one node was measured, from the CPUs of all, the way there counts as the way back.
    pub numa: Numa,
    /// The kind of its times.
    pub access: Access,
    /// The kind of its bandwidths.
    pub rate: Rate,
    /// NUMA nodes or sockets with memory that it stands for.
    pub nodes: usize,
}

/// Times and bandwidths by the CPUs' node and the memory's.
#[derive(Default)]
struct Found {
    seconds: ByPair<ByCpu>,
    bandwidth: ByPair<f64>,
    basis: Option<Basis>,
    rate: Rate,
}

impl Found {
    fn add(&mut self, report: &Report<'_>, e: &Estimate, pair: (u32, u32), cpu: Option<u32>) {
        let basis = Basis::of(report.record, &report.record.runs[e.run]);
        self.basis = Some(self.basis.map_or(basis, |known| known.weakest(basis)));
        if e.unit == Unit::BytesPerSecond {
            self.bandwidth.insert(pair, e.median);
            if e.probe == ProbeId::NumaMatrix {
                self.rate = Rate::NodeReads;
            }
        } else {
            let latency = (e.median, basis.ends(e.median));
            self.seconds.entry(pair).or_default().insert(cpu, latency);
        }
    }
    /// With `from` and `to` exchanged.
    fn turned(self) -> Found {
        fn turn<T>(all: ByPair<T>) -> ByPair<T> {
            all.into_iter().map(|((from, to), x)| ((to, from), x)).collect()
        }
        Found { seconds: turn(self.seconds), bandwidth: turn(self.bandwidth), ..self }
    }
}

/// The matrix of a record, from other tools' figures; nothing where there is none.
pub fn between_nodes(report: &Report<'_>) -> Option<Graded<Between>> {
    let topology = &report.record.machine.topology;
    let mut found = Found::default();
    let mut access = Access::Load;
    for e in report.of_others().iter().filter(|e| e.median > 0.0) {
        if let Some((pair, cpu)) = pair(report, topology, e) {
            found.add(report, e, pair, cpu);
        }
    }
    let mut nodes = topology.with_memory().count();
    if found.seconds.is_empty() && found.bandwidth.is_empty() {
        (found, nodes) = by_socket(report)?;
        access = Access::Element;
    }
    let basis = found.basis?;
    // From all CPUs to one node's memory: turned round it is one node's row.
    let pairs: Vec<(u32, u32)> = match found.seconds.is_empty() {
        true => found.bandwidth.keys().copied().collect(),
        false => found.seconds.keys().copied().collect(),
    };
    let between = pairs.iter().filter(|(from, to)| from != to).count();
    if between > 0 && pairs.iter().filter(|(_, to)| *to == 0).count() == between + 1 {
        found = found.turned();
    }
    let numa = Numa::of(topology, &found.seconds, &found.bandwidth);
    nodes = nodes.max(numa.to.len());
    Some(Graded { value: Between { numa, access, rate: found.rate, nodes }, basis })
}

/// The nodes of the CPU and of the memory, and the CPU where several of a node were measured.
fn pair(
    report: &Report<'_>,
    topology: &Topology,
    e: &Estimate,
) -> Option<((u32, u32), Option<u32>)> {
    let case = &report.record.runs[e.run].case;
    let number = |of: Parameter<u32>| -> Option<u32> {
        let value = of.value(&e.at).or_else(|| of.value(&case.params))?;
        value.integer().map_or_else(|| value.text()?.parse().ok(), |n| u32::try_from(n).ok())
    };
    match (e.probe, e.metric) {
        (ProbeId::NumaMatrix, Metric::IdleLatency | Metric::Bandwidth) => {
            let word = |of: Parameter<str>| of.of(&e.at).or_else(|| case.get(of));
            // MLC loads in sequence where it has switched the prefetchers off.
            let plain = word(param::ORDER).is_none_or(|o| matches!(o, "random" | "sequential"))
                && word(param::TRAFFIC).is_none_or(|t| matches!(t, "Read-only" | "reads"));
            plain.then_some(((number(param::FROM)?, number(param::TO)?), None))
        }
        (ProbeId::LatMemRd, Metric::LoadToUse) => {
            let cpu = number(param::CPU);
            let from = number(param::FROM).or_else(|| topology.node_of(cpu?))?;
            Some(((from, number(param::MEMORY_NODE)?), number(param::CPU)))
        }
        (ProbeId::LmbenchStream, Metric::Bandwidth) if param::KERNEL.of(&e.at) == Some("copy") => {
            let from = topology.node_of(number(param::CPU)?)?;
            Some(((from, number(param::MEMORY_NODE)?), None))
        }
        _ => None,
    }
}

/// A time on the own socket and one on another, stated of a machine with several.
fn by_socket(report: &Report<'_>) -> Option<(Found, usize)> {
    let sockets = super::plateaus::sockets(report)?;
    let mut found = Found::default();
    for e in report.of_others() {
        let times = e.probe == ProbeId::ReferenceResult && e.metric == "latency";
        if !times || param::REPEAT_MENTION.is_in(&e.at) {
            continue;
        }
        match param::PLACEMENT.of(&e.at) {
            Some("local socket") => found.add(report, e, (0, 0), None),
            Some("cross socket") => {
                (1..sockets).for_each(|to| found.add(report, e, (0, to), None));
            }
            _ => {}
        }
    }
    (found.seconds.len() == sockets as usize).then_some((found, sockets as usize))
}
