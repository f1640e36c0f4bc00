//! Where to run: instances of a program on disjoint cores, each in the tightest domain that holds it, with its memory near by;
//! and why. Pure: from a record's topology, and from what was measured wherever it was. Source: numactl(8), hwloc's tree
//! of sockets, nodes and caches; Linux, Documentation/admin-guide/cgroup-v2.rst (cpuset).
mod allot;
mod cores;
mod devices;
mod eligible;
mod smt;
mod sockets;

pub use devices::node_near;
pub use eligible::Avoided;

use crate::facts;
use crate::numa::Numa;
use crate::report::Report;
use crate::say;
use crate::words::{number, percent, plain, time};
use crate::{Verdict, Verdicts};
use cores::Core;
use diagnose::evidence::Evidence;
use record::{Between, CpuSet, Message, Node, Reason, Text, Topology};
use smt::{siblings, smt};
use std::collections::BTreeSet;

/// The request; every `None` is chosen by what is known of the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Request {
    /// The number of instances.
    pub instances: Option<usize>,
    /// Physical cores of each.
    pub cores: Option<usize>,
    /// Whether to use the second thread of each core.
    pub smt: Option<bool>,
    /// One instance for each part of this kind, all of its cores.
    pub per: Option<Per>,
    /// On this NUMA node only.
    pub node: Option<u32>,
}

/// A part of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Per {
    /// A physical package.
    Socket,
    /// A NUMA node.
    Node,
    /// Cores that share a last-level cache, or that are near as measured.
    Die,
    /// A physical core.
    Core,
}

/// Instances and where they run.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// In the order of their numbers.
    pub instances: Vec<Instance>,
    /// CPUs that could be used and belong to no instance: for the system, for interrupts, or for nothing.
    pub left: CpuSet,
    /// CPUs that were not to choose from, and why.
    pub avoided: Vec<Avoided>,
    /// The reasons, one for each decision.
    pub choices: Vec<Choice>,
    /// Reasons to doubt it, with remedies.
    pub doubts: Vec<Reason>,
}

/// One copy of the program.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Its CPUs.
    pub cpus: CpuSet,
    /// Physical cores among them.
    pub cores: usize,
    /// Nodes that its memory should be on; none where there is no choice of nodes, or they are not known.
    pub nodes: CpuSet,
    /// The smallest domain that holds all of it, in words: `node 0`, `L3 of CPUs 0-7`.
    pub within: Text,
    /// Bytes of memory that are its share; nothing where that is not known.
    pub bytes: Option<u64>,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its subject, in a word.
    pub about: Message,
    /// The decision and its reason, as a full sentence.
    pub text: Text,
    /// Its basis.
    pub basis: Basis,
}

record::named! {
    /// The basis of a decision.
    pub enum Basis {
        /// Measurements of this record.
        Measured = "measured",
        /// Figures of other tools or publications.
        Published = "from other tools' or published figures",
        /// Firmware and kernel state it; nothing was measured.
        Stated = "stated, not measured",
        /// The user asked for it.
        Asked = "asked for",
        /// Neither: what holds for most programs.
        Assumed = "assumed",
    }
}

impl Basis {
    /// In words.
    pub fn words(self) -> Message {
        match self {
            Basis::Measured => say::BASIS_MEASURED,
            Basis::Published => say::BASIS_PUBLISHED,
            Basis::Stated => say::BASIS_STATED,
            Basis::Asked => say::BASIS_ASKED,
            Basis::Assumed => say::BASIS_ASSUMED,
        }
    }
}

impl Choice {
    /// The decision after its subject and basis.
    pub fn said(&self) -> Text {
        say::choice(self.about, self.basis.words(), &self.text)
    }
}

/// Nodes whose mean latency is within 5 % of the own one are alike, as for the rule `remote_memory`.
const SAME: f64 = 1.05;

/// Places instances on a machine.
///
/// # Errors
/// No CPU can be used, or what was asked for does not fit; with what would.
pub fn place(report: &Report<'_>, ask: &Request) -> Result<Placement, Reason> {
    report.record.provenance.of_one_machine()?;
    let machine = &report.record.machine;
    let mut draft = Draft::default();
    let (eligible, mut avoided) = eligible::eligible(report.record, &mut draft)?;
    let smt = smt(report, ask, &mut draft)?;
    let mut stated = cores::cores(report, &eligible, &mut draft);
    if let Some(found) = sockets::by_nodes(report) {
        sockets::give(&mut stated, &found);
        if ask.per == Some(Per::Socket) {
            sockets::explain(&found, &mut draft);
        }
    }
    if let Some(node) = ask.node {
        stated.retain(|core| core.node == Some(node));
        if stated.is_empty() {
            return Err(Reason::new(say::place_no_cpu_of_node(node)));
        }
        draft.choose(devices::ABOUT, say::place_on_node(node), Basis::Asked);
    }
    let (kept, irq_heavy) = eligible::without_irq_heavy(report, &stated, &mut draft);
    let sockets = machine.sockets();
    let found = allot::allot(&kept, ask, (alike(report), sockets), &mut draft);
    let (groups, irq_heavy) = match found {
        Ok(groups) => (groups, irq_heavy),
        // Interrupts are a reason to choose others, not to refuse.
        Err(why) if irq_heavy.is_empty() => return Err(why),
        Err(_) => {
            draft.choices.retain(|c| c.about != eligible::INTERRUPTS);
            draft.choose(eligible::INTERRUPTS, say::PLACE_IRQ_HEAVY_USED, Basis::Asked);
            (allot::allot(&stated, ask, (alike(report), sockets), &mut draft)?, vec![])
        }
    };
    let threads = |core: &Core| -> CpuSet {
        if smt { core.cpus.clone() } else { core.cpus.first().into_iter().collect() }
    };
    let topology = &machine.topology;
    let total: Vec<&Core> = groups.iter().flatten().collect();
    let instances: Vec<Instance> = groups
        .iter()
        .map(|cores| Instance {
            cpus: cores.iter().flat_map(|c| threads(c).iter().collect::<Vec<_>>()).collect(),
            cores: cores.len(),
            nodes: memory(report, cores),
            within: within(cores),
            bytes: share(report, cores, &total, groups.len()),
        })
        .collect();
    explain(report, &instances, &mut draft);
    devices::explain(machine, &instances, &mut draft);
    let taken: CpuSet = instances.iter().flat_map(|i| i.cpus.iter()).collect();
    avoided.extend(irq_heavy);
    let gone: CpuSet = avoided.iter().flat_map(|a| a.cpus.iter()).collect();
    let left =
        topology.usable().iter().filter(|c| !taken.contains(*c) && !gone.contains(*c)).collect();
    doubts(report, &instances, &mut draft);
    Ok(Placement { instances, left, avoided, choices: draft.choices, doubts: draft.doubts })
}

/// Decisions and doubts collected so far.
#[derive(Debug, Default)]
struct Draft {
    choices: Vec<Choice>,
    doubts: Vec<Reason>,
}

impl Draft {
    fn choose(&mut self, about: Message, text: impl Into<Text>, basis: Basis) {
        self.choices.push(Choice { about, text: text.into(), basis });
    }
}

/// Whether memory was measured to take the same time from everywhere.
fn alike(report: &Report<'_>) -> bool {
    report
        .get::<Option<Numa>>()
        .as_ref()
        .and_then(|n| n.unbound())
        .is_some_and(|(mean, own)| mean <= own * SAME)
}

/// The nodes that some cores should have their memory on: their own, or the nearest that has any.
fn memory(report: &Report<'_>, cores: &[Core]) -> CpuSet {
    if report.record.machine.topology.with_memory().count() < 2 {
        return CpuSet::default();
    }
    let own: BTreeSet<u32> = cores.iter().filter_map(|c| c.node).collect();
    own.into_iter().filter_map(|node| nearest(report, node)).collect()
}

/// A node itself if it has memory that may be used here, else the nearest that has.
fn nearest(report: &Report<'_>, node: u32) -> Option<u32> {
    let topology = &report.record.machine.topology;
    let allowed = allowed_nodes(report);
    let is_allowed = |n: &&Node| allowed.as_ref().is_none_or(|nodes| nodes.contains(n.id));
    let usable = || topology.with_memory().filter(is_allowed);
    if usable().any(|n| n.id == node) {
        return Some(node);
    }
    let far = |to: &Node| -> f64 {
        let cells = report.get::<Option<Numa>>().iter().flat_map(|n| &n.cells);
        let measured = cells.clone().find(|c| (c.from, c.to) == (node, to.id));
        let stated = topology.distance(node, to.id);
        // Seconds are below one and distances above it: what was measured goes first.
        measured.and_then(|c| c.latency).unwrap_or(stated.map_or(f64::MAX, f64::from))
    };
    usable().min_by(|a, b| far(a).total_cmp(&far(b))).map(|n| n.id)
}

/// The nodes whose memory a cpuset allows; nothing where it sets no limit, or none is known.
fn allowed_nodes(report: &Report<'_>) -> Option<CpuSet> {
    let machine = &report.record.machine;
    machine.text("limits.nodes").and_then(|t| t.parse().ok()).filter(|set: &CpuSet| !set.is_empty())
}

/// The share of some cores in the memory of their nodes, by the number of all instances' cores there; never more than
/// a limit of the cgroup leaves.
fn share(report: &Report<'_>, cores: &[Core], total: &[&Core], instances: usize) -> Option<u64> {
    let machine = &report.record.machine;
    let nodes: BTreeSet<Option<u32>> = cores.iter().map(|c| c.node).collect();
    let mut bytes = 0u64;
    for node in nodes {
        let home = nearest(report, node?)?;
        let here = |c: &&Core| c.node.and_then(|n| nearest(report, n)) == Some(home);
        let mine = cores.iter().filter(|c| c.node == node).count() as u64;
        let all = total.iter().filter(|c| here(c)).count().max(1) as u64;
        bytes = bytes.saturating_add(machine.topology.node(home)?.bytes? / all * mine);
    }
    let limit = machine.integer("limits.memory").map(|b| b / instances.max(1) as u64);
    Some(limit.map_or(bytes, |limit| bytes.min(limit)))
}

/// The smallest part that holds all of some cores.
fn within(cores: &[Core]) -> Text {
    let distinct =
        |of: &dyn Fn(&Core) -> Option<u32>| -> Option<CpuSet> { cores.iter().map(of).collect() };
    let nodes = distinct(&|c| c.node);
    let sockets = distinct(&|c| c.socket);
    let die = cores.first().filter(|first| cores.iter().all(|c| c.die == first.die));
    let die = die.and_then(|c| c.die_name.as_ref());
    match (nodes, sockets) {
        (Some(nodes), _) if nodes.len() == 1 => match die {
            Some(part) => say::within_part_of_node(nodes.to_string(), part),
            None => say::within_node(nodes.to_string()),
        },
        (_, Some(sockets)) if sockets.len() == 1 => say::within_socket(sockets.to_string()),
        (Some(nodes), _) => say::within_nodes(nodes.to_string()),
        (_, Some(sockets)) => say::within_sockets(sockets.to_string()),
        (None, None) => say::WITHIN_MACHINE.into(),
    }
}

/// The reason for the placement of memory.
fn explain(report: &Report<'_>, instances: &[Instance], draft: &mut Draft) {
    const ABOUT: Message = say::ABOUT_MEMORY;
    let topology = &report.record.machine.topology;
    let with_memory: Vec<&Node> = topology.with_memory().collect();
    let spread = instances.iter().any(|i| i.nodes.len() > 1);
    // As for the rule `remote_memory`: measured here, else by others.
    let evidence = Evidence::over(report);
    if let Some((mean, own)) = evidence.numa().ok().and_then(|n| n.unbound()) {
        let (what, basis) = match (evidence.own_numa(), evidence.access()) {
            (true, _) => (say::A_LOAD, Basis::Measured),
            (_, "A load from memory") => (say::A_LOAD_FROM_MEMORY, Basis::Published),
            _ => (say::AN_ELEMENT, Basis::Published),
        };
        let said = match spread {
            true => say::place_memory_spread_measured,
            false => say::place_memory_own_measured,
        };
        draft.choose(ABOUT, said(what, time(own), time(mean), number(mean / own)), basis);
    } else {
        let text = match with_memory.len() {
            0 => say::PLACE_MEMORY_UNKNOWN.into(),
            1 => say::PLACE_MEMORY_ONE.into(),
            n => {
                let share = percent(1.0 - 1.0 / n as f64);
                let place = if spread { say::MEMORY_INTERLEAVED } else { say::MEMORY_ON_OWN_NODE };
                match with_memory.iter().flat_map(|n| &n.distances).max() {
                    Some(far) => say::place_memory_far_unmeasured(place, share, far),
                    None => say::place_memory_unmeasured(place, share),
                }
            }
        };
        draft.choose(ABOUT, text, Basis::Stated);
    }
    let cpuless: CpuSet = with_memory
        .iter()
        .filter(|n| n.cpus.is_empty() && topology.nodes.len() > 1)
        .map(|n| n.id)
        .collect();
    if !cpuless.is_empty() {
        draft.choose(ABOUT, say::place_cpuless(cpuless.to_string()), Basis::Stated);
    }
    let borrowed = Text::list(borrowed(topology, report), Between::Semicolon);
    if !borrowed.is_empty() {
        draft.choose(ABOUT, say::sentence(borrowed), Basis::Stated);
    }
}

/// Nodes that must have their memory elsewhere.
fn borrowed(topology: &Topology, report: &Report<'_>) -> Vec<Text> {
    topology
        .with_cpus()
        .filter_map(|n| {
            let near = nearest(report, n.id).filter(|near| *near != n.id)?;
            Some(say::place_borrowed(n.id, near))
        })
        .collect()
}

/// Reasons to doubt the placement.
fn doubts(report: &Report<'_>, instances: &[Instance], draft: &mut Draft) {
    let machine = &report.record.machine;
    let cpus: usize = instances.iter().map(|i| i.cpus.len()).sum();
    if let Some(name) = facts::hypervisor(machine) {
        draft.doubts.push(Reason::mended_by(say::place_virtual(name), say::PLACE_VIRTUAL_DO));
    }
    if let Ok(Some(quota)) = facts::cpu_quota(machine)
        && quota < cpus as f64
    {
        draft
            .doubts
            .push(Reason::mended_by(say::place_quota(plain(quota), cpus), say::PLACE_QUOTA_DO));
    }
    for (id, verdict) in report.get::<Verdicts>().iter() {
        if let (Verdict::Fires { finding, .. }, true) = (
            verdict,
            matches!(id, "smt_untrue" | "shared_cache_untrue" | "slit_untrue" | "numa_hidden"),
        ) {
            draft.doubts.push(Reason::mended_by(
                Text::list([Text::from(id), finding.claim.clone().unended()], Between::Colon),
                finding.advice.clone().unended(),
            ));
        }
    }
}

#[cfg(test)]
mod tests;
