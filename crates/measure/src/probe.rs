//! A probe: cases to plan, and a way to run one. Every benchmark is one, from a load loop to a database.
use crate::{bench::Bench, scalable_work::ScalableWork, values::parameter};
use record::{Case, CpuSet, Machine, Placement, ProbeId, Reason, Series, Value, param};
use std::{
    any::{Any, TypeId},
    collections::BTreeMap,
    sync::Arc,
};

/// What to run of a probe on this machine, or why it cannot run here; nothing below thorough depth for what is only planned when it
/// is asked for. Pure.
pub type Cases = fn(&Setting<'_>) -> Result<Vec<Case>, Reason>;
/// Measures a case. Every sample is timed by the bench.
pub type Measure = fn(&Case, &mut Bench<'_>) -> Result<Vec<Series>, Reason>;

/// A measurement. Its id is its file's name; what it measures, how, and its limits are the file's header.
#[derive(Debug, Clone, Copy)]
pub struct Probe {
    /// Its place in the plan: the lowest comes first, the same by name. What is measured first matters most when time runs out:
    /// the machine's state and the instrument, which everything rests on, then the core, then memory.
    pub order: u16,
    /// Version of the definition: raised whenever the meaning or the method of its numbers changes.
    pub version: u32,
    /// Its result, in a few words.
    pub title: &'static str,
    /// How often a case is measured in a run, each time with fresh memory and at another moment: what differs between
    /// pages and minutes is then inside its interval.
    pub visits: usize,
    /// Whether each visit but the first is made by a process of its own: what differs between processes, such as the layout of
    /// addresses and page tables, is then inside the interval.
    pub own_process: bool,
    /// Whether other processes or threads do what is timed, for seconds on end, while this thread waits: progress is then drawn
    /// meanwhile.
    pub waits: bool,
    /// Whether it measures switches between threads and processes, which are slower while events are counted: nothing counts
    /// beside it.
    pub switches: bool,
    /// The share of the other cases' time that its cases get, unless it is named.
    pub share_of_plan: Option<f64>,
    /// Whether a run fails if it has cases of this probe and none has a result.
    pub needs_result: bool,
    /// Whether it comes along with all other probes: every number rests on it.
    pub always: bool,
    /// Whether its visits are the first and the last of a run: it looks at the environment.
    pub first_and_last: bool,
    /// Its cases.
    pub cases: Cases,
    /// Its way to measure one.
    pub run: Measure,
    /// The reason why one of these cases cannot run on this machine, where that is known before it is tried. Pure.
    pub refuses: fn(&Case, &Machine) -> Option<Reason>,
    /// What a case needs that is not here, such as a program of others, where only the machine itself can say and not what
    /// is known of it: asked when it is the case's turn, which is then skipped.
    pub lacks: fn(&Case) -> Option<Reason>,
    /// Its work as many threads can do it at once, each for itself, where a scaling run of it says something.
    pub scalable_work: fn() -> Option<&'static ScalableWork>,
    /// Whether an option of the run adds it to the probes that were named.
    pub comes_along: fn(&Setting<'_>) -> bool,
    /// Removes what its cases left for later ones. The run has ended.
    pub clean_up: fn(),
}

impl Probe {
    /// A probe that is visited once.
    pub const fn new(
        order: u16,
        version: u32,
        title: &'static str,
        cases: Cases,
        run: Measure,
    ) -> Probe {
        Probe {
            order,
            version,
            title,
            visits: 1,
            own_process: false,
            waits: false,
            switches: false,
            share_of_plan: None,
            needs_result: false,
            always: false,
            first_and_last: false,
            cases,
            run,
            refuses: |_, _| None,
            lacks: |_| None,
            scalable_work: || None,
            comes_along: |_| false,
            clean_up: || (),
        }
    }
}

record::named! {
    /// The depth of a run.
    #[derive(clap::ValueEnum)]
    pub enum Depth {
        /// Under 90 s on two CPUs; medians within 2 %
        Quick = "quick",
        /// A few minutes; medians within 1 %
        Standard = "standard",
        /// No limit: every pair of CPUs, fine curves
        Thorough = "thorough",
    }
}

impl Depth {
    /// Picks one of three by depth.
    pub fn pick<T>(self, quick: T, standard: T, thorough: T) -> T {
        match self {
            Depth::Quick => quick,
            Depth::Standard => standard,
            Depth::Thorough => thorough,
        }
    }
}

/// Options that all probes share.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Options {
    /// Only on the CPUs of these NUMA nodes, as in 0,2
    // Whether they exist or not.
    #[arg(long, value_name = "LIST")]
    pub nodes: Option<CpuSet>,
    /// Only cases with these parameters, of all variants (see `--dry-run`)
    // Several values of one name are alternatives. If there are any, probes also plan the variants that the depth leaves out.
    #[arg(long = "where", value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = parameter)]
    pub only_with: Vec<(String, String)>,
    /// Measure core-to-core latency between all pairs of CPUs
    #[arg(long)]
    pub all_pairs: bool,
    /// Measure the NUMA matrix and lmbench's stream from one CPU of every last-level cache, instead of every NUMA node
    #[arg(long)]
    pub per_cpu: bool,
    /// Probes of `--only`. The planner fills them in; some probes plan cases only when they are named.
    #[arg(skip)]
    pub named: Vec<ProbeId>,
}

/// Options of single probes: at most one value of each type. A probe defines its type and reads it in `cases`.
#[derive(Debug, Clone, Default)]
pub struct ProbeOptions(BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl ProbeOptions {
    /// Options with this value only.
    pub fn with<T: Any + Send + Sync>(options: T) -> ProbeOptions {
        let mut all = ProbeOptions::default();
        all.set(options);
        all
    }
    /// Sets the options of this type.
    pub fn set<T: Any + Send + Sync>(&mut self, options: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(options));
    }
    /// The options of this type, if they were set.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

/// The machine and options that a plan is made for.
#[derive(Debug, Clone)]
pub struct Setting<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The CPUs to measure on: usable ones, narrowed by `--cpus` and `--nodes`. Never empty.
    pub cpus: CpuSet,
    /// The depth of the run.
    pub depth: Depth,
    /// Options that all probes share.
    pub options: Options,
    /// Options of single probes.
    pub probe_options: ProbeOptions,
}

impl<'a> Setting<'a> {
    /// A setting without options.
    pub fn new(machine: &'a Machine, cpus: CpuSet, depth: Depth) -> Self {
        let (options, probe_options) = (Options::default(), ProbeOptions::default());
        Setting { machine, cpus, depth, options, probe_options }
    }
    /// Whether `--only` names this probe.
    pub fn is_named(&self, probe: ProbeId) -> bool {
        self.options.named.contains(&probe)
    }
    /// Whether every variant shall be planned: at thorough depth, or where cases are chosen by their parameters.
    pub fn every_variant(&self) -> bool {
        self.depth == Depth::Thorough || !self.options.only_with.is_empty()
    }
    /// The NUMA nodes to measure: those that were named, or all with memory.
    pub fn memory_nodes(&self) -> CpuSet {
        let nodes = &self.machine.topology.nodes;
        let with_memory = || nodes.iter().filter(|n| n.bytes != Some(0)).map(|n| n.id).collect();
        self.options.nodes.clone().unwrap_or_else(with_memory)
    }
    /// The CPU that single-threaded cases run on: the second core's first thread where there is one, since
    /// the first CPU serves more interrupts and housekeeping than the others.
    pub fn main_cpu(&self) -> u32 {
        let cores = self.machine.topology.one_per_core().intersection(&self.cpus);
        let cores = if cores.is_empty() { &self.cpus } else { &cores };
        let Some(first) = cores.first() else { return 0 };
        let node = |cpu| self.machine.topology.node_of(cpu);
        cores.iter().find(|id| *id != first && node(*id) == node(first)).unwrap_or(first)
    }
    /// A CPU of every kind of core there is: the main one, and on hybrid machines one of each other kind, with
    /// the kind's name. `None` where all cores are alike.
    pub fn kinds(&self) -> Vec<(Option<String>, u32)> {
        let kind = |cpu: u32| self.machine.topology.cpu(cpu).and_then(|c| c.kind.clone());
        let main = self.main_cpu();
        let mut kinds = vec![(kind(main), main)];
        for cpu in self.cpus.iter() {
            if !kinds.iter().any(|(known, _)| *known == kind(cpu)) {
                kinds.push((kind(cpu), cpu));
            }
        }
        if let [only] = &mut kinds[..] {
            only.0 = None;
        }
        kinds
    }
    /// One single-threaded case for every kind of core, with the parameter `kind`.
    pub fn per_kind(&self, estimate: f64) -> Vec<Case> {
        let case = |(kind, cpu): (Option<String>, u32)| {
            let cpus = [cpu].into_iter().collect();
            let params: Vec<_> = kind.map(|kind| param::KIND.set(kind)).into_iter().collect();
            self.case(cpus, &params, estimate)
        };
        self.kinds().into_iter().map(case).collect()
    }
    /// A case on these CPUs. The planner fills in the probe's id and version.
    pub fn case(&self, cpus: CpuSet, params: &[(&str, Value)], estimate: f64) -> Case {
        Case {
            probe: "".into(),
            version: 0,
            params: params.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect(),
            place: Placement { cpus, ..Placement::default() },
            estimate,
        }
    }
    /// A case on the main CPU alone.
    pub fn single(&self, params: &[(&str, Value)], estimate: f64) -> Case {
        self.case([self.main_cpu()].into_iter().collect(), params, estimate)
    }
}
