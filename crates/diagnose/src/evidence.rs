//! What a rule may look at, from any source: own samples, else other tools' and published figures. Every read is noted with
//! its grade, so that a finding shows what it rests on.
mod caches;
mod machine;
mod modules;
mod readings;
mod workloads;

pub(crate) use caches::RoundTrips;

use crate::bandwidth_scalings::{BandwidthScaling, Saturated};
use crate::curves::Curve;
use crate::estimate::Estimate;
use crate::judgement::FREQUENCY_BELOW;
use crate::matrices::Matrix;
use crate::numa::Numa;
use crate::report::Report;
use crate::say;
use crate::scaling_runs::{ScalingRun, ScalingRuns};
use crate::theoretical::{self, Theoretical};
use crate::tlb::{Backing, Tlb};
use crate::unixbench::UnixBench;
use crate::{facts, interrupts, words};
use benchmarks::quantities::latency::{self, Access, Between, Rate};
use benchmarks::quantities::plateaus::{self, Plateau};
use benchmarks::quantities::{Basis, Graded, throughput};
use record::{
    CpuSet, Metric, Node, OrWhy, Pages, ProbeId, Reason, Record, Topology,
    param::{self, Parameter},
};
use record::{Message, Text};
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

/// The remedy where other tools' outputs do not say enough.
const MEASURE: Message = say::MEASURE_THAT_MACHINE;

/// Whether nothing of a record was measured here: it holds other tools' outputs, or what was published.
pub fn is_foreign(record: &Record) -> bool {
    let own = record.runs.iter().any(|run| run.origin.is_none());
    !record.provenance.sources.is_empty() && !own
}

/// The reason for a cost that follows from no figure of the record.
pub(crate) fn no_figure() -> Reason {
    Reason::new(say::WHY_NO_FIGURE)
}

/// A record as a rule sees it. A getter gives the thing and notes it, or makes the verdict "cannot tell" by `?`.
#[derive(Debug)]
pub struct Evidence<'a> {
    seen: &'a Report<'a>,
    read: RefCell<Vec<Text>>,
    basis: Cell<Basis>,
    between: OnceCell<Option<Graded<Between>>>,
    scaling_runs: OnceCell<Vec<Graded<ScalingRun>>>,
    unixbench: OnceCell<Option<Graded<UnixBench>>>,
}

impl<'a> Evidence<'a> {
    /// Starts with a record and its estimates, before anything was looked at.
    pub fn over(seen: &'a Report<'a>) -> Evidence<'a> {
        Evidence {
            seen,
            read: RefCell::default(),
            basis: Cell::new(Basis::MEASURED),
            between: OnceCell::new(),
            scaling_runs: OnceCell::new(),
            unixbench: OnceCell::new(),
        }
    }
    /// What was read since the last call, in order, and the weakest that it rests on. Where that was not measured here, it is
    /// the first of what was read.
    pub(crate) fn take_read(&self) -> (Vec<Text>, Basis) {
        let (mut read, basis) = (self.read.take(), self.basis.replace(Basis::MEASURED));
        if !basis.is_measured() {
            read.insert(0, basis.words());
        }
        (read, basis)
    }
    /// Takes a quantity with what it rests on.
    fn graded<'q, T>(&self, quantity: &'q Graded<T>) -> &'q T {
        self.rests_on(quantity.basis);
        &quantity.value
    }
    fn rests_on(&self, basis: Basis) {
        self.basis.set(self.basis.get().weakest(basis));
    }
    /// The first estimate of a probe's metric.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn estimate(&self, probe: ProbeId, metric: Metric) -> Result<&'a Estimate, Reason> {
        let e = self.seen.one(probe, metric, [])?;
        let samples = words::count(e.count, "sample");
        let value = words::worded(e.median, e.unit);
        self.note(say::evidence_median(metric.as_str(), value, &e.case, samples));
        Ok(e)
    }
    /// The theoretical bandwidth of the memory modules.
    ///
    /// # Errors
    /// Why it is not known.
    pub(crate) fn theoretical(&self) -> Result<Theoretical, Reason> {
        self.dimms()?;
        let known = theoretical::stated(&self.seen.record.machine)?;
        let at = words::transfers(known.transfers);
        self.note(say::channels_at(words::count(known.channels, "channel"), at));
        Ok(known)
    }
    /// Bytes per second that all CPUs of all nodes read together.
    ///
    /// # Errors
    /// It was not measured, or on a part of the machine only.
    pub(crate) fn whole_read(&self) -> Result<&'a Estimate, Reason> {
        let Some(e) = self.seen.reads("all").last() else {
            return Err(self.seen.why_not(ProbeId::Bandwidth));
        };
        if !theoretical::whole(self.seen, e) {
            return Err(Reason::mended_by(say::WHY_SOME_NODES, say::DO_ALL_NODES));
        }
        self.note(format!("bandwidth = {} ({})", words::rate(e.median), e.case));
        Ok(e)
    }
    /// The number of threads that saturate memory with a kernel: that of one node, where there are several.
    ///
    /// # Errors
    /// It was not measured, or it may be the cores that are used up.
    pub(crate) fn saturated(&self, kernel: &str) -> Result<Saturated, Reason> {
        let all = self.seen.get::<Vec<BandwidthScaling>>();
        let found = all.iter().find(|s| s.kernel == kernel);
        let found = found.ok_or_else(|| self.seen.why_not(ProbeId::BandwidthScaling))?;
        let known = found.node.as_ref().unwrap_or(&found.all).clone()?;
        let limit = words::rate(known.limit);
        self.note(say::limit_from(limit, words::count(known.threads, "thread")));
        Ok(known)
    }
    /// Latency and bandwidth between nodes.
    ///
    /// # Errors
    /// Why they were not measured.
    pub fn numa(&self) -> Result<&Numa, Reason> {
        let found = self.between().ok_or_else(|| self.no_numa())?;
        let (basis, found) = (found.basis, self.graded(found));
        let latencies = || found.numa.cells.iter().filter_map(|c| c.latency);
        if let Some((low, high)) = stats::ends(latencies()) {
            let pairs = words::count(latencies().count(), "pair");
            let (low, high) = (words::time(low), words::time(high));
            self.note(match (basis.is_measured(), found.access) {
                (true, _) => say::idle_latency_of_nodes(low, high, pairs),
                (false, Access::Load) => say::latency_of_nodes(low, high, pairs),
                (false, Access::Element) => say::element_time_of_nodes(low, high, pairs),
            });
        }
        Ok(&found.numa)
    }
    /// The kind of the times between nodes, as the begin of a sentence.
    pub fn access(&self) -> &'static str {
        self.between().map_or(Access::Load, |found| found.value.access).name()
    }
    /// The kind of its bandwidths, as the begin of a sentence.
    pub(crate) fn rate(&self) -> Message {
        match self.between().map_or(Rate::default(), |found| found.value.rate) {
            Rate::CoreCopies => say::A_CORE_COPIES,
            Rate::NodeReads => say::CORES_OF_A_NODE_READ,
        }
    }
    /// Whether they were measured here.
    pub fn own_numa(&self) -> bool {
        self.between().is_some_and(|found| found.basis.is_measured())
    }
    /// Own samples, else others'.
    fn between(&self) -> Option<&Graded<Between>> {
        let own = || {
            let numa = self.seen.get::<Option<Numa>>().as_ref()?.clone();
            let value =
                Between { nodes: numa.to.len(), access: Access::Load, rate: Rate::NodeReads, numa };
            Some(Graded { value, basis: Basis::MEASURED })
        };
        self.between.get_or_init(|| own().or_else(|| latency::between_nodes(self.seen))).as_ref()
    }
    /// Workloads of which a publication states that some of the CPUs do as much as all.
    pub(crate) fn plateaus(&self) -> Vec<Plateau> {
        let all = plateaus::plateaus(self.seen);
        all.iter().map(|p| self.graded(p).clone()).collect()
    }
    /// The scaling of workloads.
    ///
    /// # Errors
    /// No scaling run was done.
    pub(crate) fn scaling_runs(&self) -> Result<Vec<&ScalingRun>, Reason> {
        let found = self.all_scaling_runs();
        if found.is_empty() {
            return Err(Reason::mended_by(say::WHY_NO_SCALING, "cpulens scale -- COMMAND"));
        }
        Ok(found)
    }
    /// The same, none where none was done.
    fn all_scaling_runs(&self) -> Vec<&ScalingRun> {
        let own = &self.seen.get::<ScalingRuns>().0;
        if !own.is_empty() {
            return own.iter().collect();
        }
        let others = self.scaling_runs.get_or_init(|| throughput::scaling_runs(self.seen));
        others.iter().map(|run| self.graded(run)).collect()
    }
    /// Latency over working set.
    fn curves(&self) -> &'a [Curve] {
        self.seen.get::<Vec<Curve>>()
    }
    /// The number of parts of memory: NUMA nodes, or the sockets where these are more (NUMA is off).
    pub(crate) fn memory_parts(&self) -> Option<usize> {
        let nodes = self.memory_nodes().ok();
        let hidden = nodes.is_none_or(|n| n == 1) && self.hypervisor().is_none();
        nodes.max(plateaus::sockets(self.seen).filter(|_| hidden).map(|n| n as usize))
    }
    /// The last-level caches that the CPUs of a node reach, or its dies if they are more.
    ///
    /// # Errors
    /// Why they are not known.
    pub(crate) fn dies(&self, node: &Node) -> Result<usize, Reason> {
        let topology = self.topology();
        let mut caches: Vec<&CpuSet> = vec![];
        let mut dies = BTreeSet::new();
        for cpu in node.cpus.iter() {
            if let Some(last) = topology.data_caches(cpu).last().filter(|c| c.level > 2)
                && !caches.contains(&&last.cpus)
            {
                caches.push(&last.cpus);
            }
            dies.extend(topology.cpu(cpu).and_then(|c| Some((c.package, c.die?))));
        }
        match caches.len().max(dies.len()) {
            0 => Err(self.absent("caches", say::WHY_CACHES, "mount /sys")),
            n => {
                self.note_part(
                    "caches",
                    say::node_has(node.id, words::count(n, "die or last-level cache")),
                );
                Ok(n)
            }
        }
    }
    /// The socket of a node's CPUs, where it is known and one.
    pub(crate) fn socket_of(&self, node: u32) -> Option<u32> {
        let topology = self.topology();
        let cpus = &topology.node(node)?.cpus;
        let sockets: BTreeSet<u32> =
            cpus.iter().filter_map(|id| topology.cpu(id)?.package).collect();
        sockets.first().copied().filter(|_| sockets.len() == 1)
    }
    /// Every estimate of a probe's metric whose coordinates or parameters have these values.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn all<const N: usize>(
        &self,
        probe: ProbeId,
        metric: Metric,
        at: [(Parameter<str>, &'a str); N],
    ) -> Result<Vec<&'a Estimate>, Reason> {
        let all: Vec<&Estimate> = self.seen.all(probe, metric, at).collect();
        if all.is_empty() {
            return Err(self.seen.why_not(probe));
        }
        Ok(all)
    }
    /// The case behind an estimate.
    pub(crate) fn case(&self, of: &Estimate) -> Option<&'a record::Case> {
        self.seen.record.runs.get(of.run).map(|r| &r.case)
    }
    /// Round trips between CPUs by compare-and-swap.
    ///
    /// # Errors
    /// Why there are none.
    pub(crate) fn pairs(&self) -> Result<&'a Matrix, Reason> {
        let of_cas = |m: &Matrix| {
            self.seen.record.runs.get(m.run).and_then(|r| r.case.get(param::METHOD))
                != Some("store")
        };
        let matrix = self.seen.get::<Vec<Matrix>>().iter().find(|m| of_cas(m));
        let matrix = matrix.ok_or_else(|| self.seen.why_not(ProbeId::CoreToCore))?;
        for class in &matrix.classes {
            let pairs = words::count(class.pairs, "pair");
            let median = words::worded(class.median, matrix.unit);
            self.note(say::round_trip_median(median, &class.relation, pairs));
        }
        Ok(matrix)
    }
    /// Seconds of a load from that level of the memory, on base pages in random order; nothing where it was not found.
    pub(crate) fn level(&self, name: &str) -> Option<f64> {
        let curve = Curve::of(self.seen, "random", Pages::Base)?;
        let seconds = curve.level(name)?.ok()?.seconds;
        self.note(format!("load_to_use of {name} = {}", words::time(seconds)));
        Some(seconds)
    }
    /// Interrupts of devices a second of each CPU since boot.
    ///
    /// # Errors
    /// Nobody counted them.
    pub(crate) fn interrupt_rates(&self) -> Result<BTreeMap<u32, f64>, Reason> {
        interrupts::rates(&self.seen.record.machine).ok_or_else(|| {
            self.elsewhere(Reason::mended_by(say::IRQ_UNEVEN_UNKNOWN, say::IRQ_UNEVEN_PROC))
        })
    }
    /// The time that translation adds to a random load from memory on base pages, as a share of it.
    pub(crate) fn translation(&self) -> Result<f64, Reason> {
        let mut costs = self.seen.get::<Option<Tlb>>().iter().flat_map(|tlb| &tlb.memory);
        let base = costs.find(|cost| cost.pages == Pages::Base);
        let share = base.map(|base| 1.0 - base.grouped / base.random).filter(|share| *share > 0.0);
        share.or_why(say::WHY_TRANSLATION, "cpulens run --only load_latency")
    }
    /// Whether small pages inside of huge ones miss the TLB as base pages do.
    ///
    /// # Errors
    /// Why it is not known.
    pub(crate) fn huge_pages_split(&self) -> Result<bool, Reason> {
        let tlb = self.seen.get::<Option<Tlb>>().as_ref();
        let (split, note) = match &tlb.ok_or_else(|| self.seen.why_not(ProbeId::TlbReach))?.backing
        {
            Backing::Huge => (false, say::HUGE_PAGES_REAL),
            Backing::Small => (true, say::HUGE_PAGES_SPLIT),
            Backing::Unknown(why) => return Err(why.clone()),
        };
        self.note(note);
        Ok(split)
    }
    /// The core frequency that was measured, and the stated one that it surely stays below; nothing where it is as fast.
    ///
    /// # Errors
    /// Why one of them is not known.
    pub(crate) fn below_rated(&self) -> Result<Option<(&'a Estimate, facts::Advertised)>, Reason> {
        let measured = self.estimate(ProbeId::CoreFrequency, Metric::Frequency)?;
        let slow = facts::below(measured.ends().1, &self.rated_frequencies()?, FREQUENCY_BELOW);
        Ok(slow.map(|slow| (measured, slow)))
    }
    /// The frequencies that the machine states for the CPU whose frequency was measured, base first.
    fn rated_frequencies(&self) -> Result<Vec<facts::Advertised>, Reason> {
        let runs = &self.seen.record.runs;
        let cpu = runs.iter().find(|r| r.case.probe == ProbeId::CoreFrequency);
        let cpu = cpu.and_then(|r| r.case.place.cpus.first());
        let frequencies = facts::rated_frequencies(&self.seen.record.machine, cpu)?;
        for frequency in &frequencies {
            let stated = words::frequency(frequency.hertz);
            self.note(match frequency.name {
                "base" => say::stated_base(stated),
                _ => say::stated_maximum(stated),
            });
        }
        Ok(frequencies)
    }

    /// The reason why nothing is known of the latency between nodes.
    fn no_numa(&self) -> Reason {
        let any = self.seen.all(ProbeId::NumaMatrix, Metric::IdleLatency, []).next().is_some();
        if any {
            return Reason::mended_by(say::WHY_NUMA_BUFFERS, say::DO_NUMA_BUFFERS);
        }
        self.seen.why_not(ProbeId::NumaMatrix)
    }
    pub(crate) fn note(&self, what: impl Into<Text>) {
        let (mut read, what) = (self.read.borrow_mut(), what.into());
        if !read.contains(&what) {
            read.push(what);
        }
    }
    fn topology(&self) -> &'a Topology {
        &self.seen.record.machine.topology
    }
    fn note_part(&self, part: &str, what: impl Into<Text>) {
        match self.topology().sources.iter().find(|(name, _)| name == part) {
            Some((_, source)) => self.note(say::what_by_source(what, source)),
            None => self.note(what),
        }
    }
    /// The inventory's own reason where it gave one. What other tools' outputs leave out is no fault of a mount.
    fn absent(&self, part: &str, why: Message, remedy: impl Into<Text>) -> Reason {
        let stated = self.topology().missing.iter().find(|(name, _)| name == part);
        let remedy = match part {
            _ if !self.foreign() => remedy.into(),
            "dimms" => say::DO_IMPORT_MODULES.into(),
            "nodes" | "cpus" | "caches" => say::DO_IMPORT_TOPOLOGY.into(),
            _ => MEASURE.into(),
        };
        stated.map_or_else(|| Reason::mended_by(why, remedy), |(_, reason)| reason.after(why))
    }
    fn foreign(&self) -> bool {
        is_foreign(self.seen.record)
    }
    /// A reason with the remedy that there is for another's machine.
    fn elsewhere(&self, why: Reason) -> Reason {
        if self.foreign() { Reason::mended_by(why.why, MEASURE) } else { why }
    }
}
