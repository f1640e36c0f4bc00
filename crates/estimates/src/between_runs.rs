//! How medians vary from run to run: what visits of one run say, and what is taken where they say nothing. Source of the
//! priors: medians of ten quick runs, and of interleaved pairs, on a Zen 3 guest of two vCPUs (docs/validation/README.md).
use crate::analyses::curves::MEMORY_BEYOND;
use crate::resources::{self, Resource};
use record::{Metric, ProbeId, Record, Run, Series, Unit, param};
use stats::{
    Sample,
    repeat::{self, Known, Visits},
};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Quantities that vary alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The frequency: it is the core's.
    Core,
    /// The first cache: it runs with the core, and a thread on the same core takes a part of it.
    FirstCache,
    /// Dependent operations: they run with the core, and some wait where a thread on the same core uses their port.
    Dependent,
    /// Independent operations, loads from the first cache among them, and branches: a thread on the same core takes a part of what
    /// they use.
    Ports,
    /// The core and its ports on several CPUs at once: in a guest it depends on where they are.
    Parallel,
    /// A private cache beyond the first.
    Cache,
    /// Address translation by page tables that the first cache does not hold, and one line of memory: where they lie is another
    /// matter in every process.
    Translation,
    /// The last cache, which other cores and other machines share.
    SharedCache,
    /// Latency of memory.
    Memory,
    /// Bandwidth of memory, of one CPU.
    Bandwidth,
    /// Bandwidth of memory, of several CPUs: in a guest it depends on where they are.
    SharedBandwidth,
    /// Latency and bandwidth of memory while others load it.
    Loaded,
    /// Quantities of the kernel, and whole programs.
    System,
    /// Quantities of several CPUs: they depend on where these are.
    Cores,
    /// CPUs that compete for a line or a lock: who wins how often is settled anew in every run.
    Contention,
}

/// Sizes that a first and a private second cache hold on any processor of today.
const FIRST: u64 = 32 << 10;
const LINE: u64 = 64;
const PRIVATE: u64 = 512 << 10;

impl Kind {
    /// The kind of a series; `None` for what is counted or stated and has no variation of this sort.
    pub fn of(run: &Run, series: &Series) -> Option<Kind> {
        // lmbench gives the time of a step besides.
        let bandwidth =
            series.unit == Unit::BytesPerSecond || run.case.probe == ProbeId::LmbenchStream;
        let fairness = run.case.probe == ProbeId::LockCost && series.unit == Unit::Ratio;
        let varies = matches!(series.unit, Unit::Seconds | Unit::PerSecond | Unit::Hertz);
        if !(bandwidth || varies || fairness) {
            return None;
        }
        let several = run.case.place.cpus.len() > 1;
        let is_independent = || param::OP.of(&series.at).is_some_and(|op| !op.ends_with("_chain"));
        Some(match run.case.probe {
            ProbeId::Preflight | ProbeId::NoiseDetours | ProbeId::NoiseFwq => return None,
            // The counter's rate is the machine's.
            ProbeId::Instrument if series.unit != Unit::Seconds => return None,
            ProbeId::LoadedFrequency | ProbeId::Prime if several => Kind::Parallel,
            ProbeId::CoreRate if is_independent() => Kind::Ports,
            ProbeId::CoreRate => Kind::Dependent,
            ProbeId::Prime | ProbeId::BranchMiss | ProbeId::PauseLatency => Kind::Ports,
            // To read a clock takes instructions.
            ProbeId::Instrument => Kind::Ports,
            ProbeId::CoreFrequency | ProbeId::LoadedFrequency => Kind::Core,
            ProbeId::CoreToCore | ProbeId::SmtPair | ProbeId::TlbShootdown => Kind::Cores,
            ProbeId::FalseSharing | ProbeId::LockCost => Kind::Contention,
            ProbeId::LoadedLatency => Kind::Loaded,
            ProbeId::MemoryBound => Kind::Translation,
            _ if several && bandwidth => Kind::SharedBandwidth,
            probe => Kind::of_memory(probe, series, bandwidth),
        })
    }
    /// The kind of a quantity that works on memory, by its working set as far as there is one.
    fn of_memory(probe: ProbeId, series: &Series, bandwidth: bool) -> Kind {
        let ratio = series.buffer.as_ref().and_then(|b| b.llc_ratio);
        // So many lines, each in a page of its own: where the first cache holds them, what translates them is near.
        let lines = param::PAGES_TOUCHED.of(&series.at).map(|n| n * LINE).filter(|n| *n <= FIRST);
        let working_set = series.at.get("working_set").and_then(record::Value::integer);
        match working_set.or(lines.filter(|_| probe == ProbeId::TlbReach)) {
            Some(bytes) if bytes <= FIRST && bandwidth => Kind::Ports,
            Some(bytes) if bytes <= FIRST => Kind::FirstCache,
            Some(bytes) if bytes <= PRIVATE => Kind::Cache,
            Some(_) if ratio.is_some_and(|r| r < MEMORY_BEYOND) => Kind::SharedCache,
            Some(_) if bandwidth => Kind::Bandwidth,
            Some(_) => Kind::Memory,
            None if probe == ProbeId::TlbReach => Kind::Translation,
            None if series.metric == Metric::LoadToUse => Kind::Memory,
            None if bandwidth => Kind::Bandwidth,
            None => Kind::System,
        }
    }
    /// Standard deviation of the logarithm of a median for each share of the case's CPU time that others take, after disturbed
    /// samples are left out. Source: docs/validation/README.md, "Load of others".
    pub fn per_taken(self) -> f64 {
        match self {
            Kind::Core | Kind::Dependent | Kind::FirstCache | Kind::Ports | Kind::Parallel => 0.05,
            Kind::Cache => 0.08,
            Kind::Translation => 0.2,
            Kind::Memory => 0.6,
            Kind::Bandwidth | Kind::Cores | Kind::Contention => 0.7,
            Kind::System => 0.8,
            Kind::SharedBandwidth | Kind::Loaded => 1.0,
            Kind::SharedCache => 2.5,
        }
    }
    /// Standard deviation of a median from run to run, as a share.
    pub fn prior(self) -> f64 {
        match self {
            Kind::Core | Kind::Dependent | Kind::FirstCache => 0.003,
            // Between calm minutes of a Zen 3 guest; 1.2 % between ten quick runs of a Zen 4 guest.
            Kind::Ports => 0.006,
            // 1.4 % in the latter.
            Kind::Parallel => 0.014,
            Kind::Cache => 0.01,
            Kind::SharedCache => 0.08,
            Kind::Memory => 0.03,
            Kind::Bandwidth | Kind::SharedBandwidth => 0.04,
            Kind::System | Kind::Cores | Kind::Translation | Kind::Loaded => 0.05,
            // 12 to 14 % between twenty quick runs of a Zen 4 guest.
            Kind::Contention => 0.13,
        }
    }
    /// Variance that all visits of one run have in common, as a multiple of that between them, where it is known: neighbours take
    /// memory bandwidth for minutes. 1.6 in six quick runs of a Zen 5 guest (docs/validation/README.md, "Repeatability").
    fn common(self) -> Option<f64> {
        matches!(self, Kind::Bandwidth | Kind::SharedBandwidth | Kind::Loaded).then_some(1.6)
    }
    /// [`Kind::prior`] for a quantity with such visits: more where its samples, or the reference samples, say that a thread on the
    /// core comes and goes.
    fn prior_of(self, visits: &Visits, ports: f64) -> f64 {
        let of_samples = matches!(self, Kind::Dependent | Kind::Ports);
        let scatter = visits.within().filter(|_| of_samples);
        self.prior_beside(ports).max(OF_SCATTER * scatter.unwrap_or_default())
    }
    /// [`Kind::prior`] in a run whose reference samples of operations per cycle have this standard deviation.
    pub(crate) fn prior_beside(self, ports: f64) -> f64 {
        self.prior().max(self.of_ports() * ports)
    }
    /// The part of that deviation by which quantities of one core vary from run to run, operations apart, of which their own samples tell
    /// more. Between six quick runs of an Emerald Rapids guest whose cores others shared half of the time
    /// (docs/validation/README.md, "Repeatability").
    fn of_ports(self) -> f64 {
        match self {
            Kind::FirstCache => 0.15,
            Kind::Cache => 0.2,
            Kind::Translation => 0.5,
            _ => 0.0,
        }
    }
    /// Most degrees of freedom of the visits of one run, where few cases have most series of the kind: series of one case share
    /// its visits. Checked by ten runs (docs/validation/README.md, "Repeatability").
    fn degrees(self) -> f64 {
        match self {
            Kind::Parallel => 2.0,
            Kind::Ports | Kind::Contention => 3.0,
            _ => f64::INFINITY,
        }
    }
}

/// Operations vary from run to run by this part of what their samples vary by: a thread on the core comes and goes.
/// Between ten quick runs of an Ice Lake guest whose cores others shared it was 0.7 to 1.
const OF_SCATTER: f64 = 0.7;
/// The variance of a series is taken from others of its kind in proportion to what samples vary by inside visits, within this factor:
/// in the same ten runs the fifth of the series whose samples scatter most varied 3 to 14 times as much as that with least.
const MOST_SCATTER: f64 = 2.0;

/// Standard deviation of the logarithms of operations per cycle in a run's reference samples; 0 where there are none.
pub(crate) fn ports_vary(record: &Record) -> f64 {
    let watched = resources::watched(record);
    let logs = watched.iter().filter_map(|of| Some(of.value(Resource::Ports)?.ln()));
    let logs: Vec<f64> = logs.filter(|log| log.is_finite()).collect();
    Sample::new(&logs).and_then(|logs| logs.stddev()).unwrap_or(0.0)
}

/// The variation of each kind of quantity between the visits of one run.
#[derive(Debug, Clone, Default)]
pub struct Pools {
    kinds: BTreeMap<Kind, Pool>,
    /// Visits of every run and series; empty for runs that are not wanted.
    visits: Vec<Vec<Visits>>,
    /// Standard deviation of the logarithms of operations per cycle in the reference samples.
    ports: f64,
}

impl Pools {
    /// Takes the series of the wanted runs.
    pub fn of(record: &Record, wanted: impl Fn(&Run) -> bool) -> Pools {
        let mut each: BTreeMap<Kind, Vec<Visits>> = BTreeMap::new();
        let mut visits = vec![];
        for run in &record.runs {
            let series = if wanted(run) { run.series() } else { &[] };
            let own: Vec<Visits> = series.iter().map(|s| Visits::of(&s.by_visit())).collect();
            for (series, own) in series.iter().zip(&own).filter(|_| run.visits.len() > 1) {
                if let Some(kind) = Kind::of(run, series).filter(|_| own.between().is_some()) {
                    each.entry(kind).or_default().push(*own);
                }
            }
            visits.push(own);
        }
        let kinds = each.iter().filter_map(|(kind, of)| Some((*kind, Pool::of(of)?)));
        Pools { kinds: kinds.collect(), visits, ports: ports_vary(record) }
    }
    /// The known variation of a quantity of this kind with such visits.
    pub fn known(&self, kind: Option<Kind>, visits: &Visits) -> Known {
        Known {
            prior: kind.map(|kind| kind.prior_of(visits, self.ports)),
            pooled: kind.and_then(|kind| {
                let pool = self.kinds.get(&kind)?;
                Some((pool.variance(visits), pool.degrees.min(kind.degrees())))
            }),
            common: kind.and_then(Kind::common),
        }
    }
    /// The visits of a series, by the places of run and series in the record.
    pub fn visits(&self, run: usize, series: usize) -> Visits {
        self.visits.get(run).and_then(|of| of.get(series)).copied().unwrap_or_default()
    }
}

/// The variation of the quantities of one kind between visits, together.
#[derive(Debug, Clone, Copy)]
struct Pool {
    /// Variance between visits of a quantity of typical scatter inside visits.
    variance: f64,
    degrees: f64,
    scatter: Option<f64>,
}

impl Pool {
    /// Takes the visits of each quantity.
    fn of(all: &[Visits]) -> Option<Pool> {
        let scatter = stats::median_of(all.iter().filter_map(Visits::within)).filter(|s| *s > 0.0);
        let typical = Pool { variance: 1.0, degrees: 0.0, scatter };
        let each = all.iter().filter_map(|visits| {
            let (variance, degrees) = visits.between()?;
            Some((variance / typical.variance(visits), degrees))
        });
        let (variance, degrees) = repeat::pooled(&each.collect::<Vec<_>>())?;
        Some(Pool { variance, degrees, scatter })
    }
    /// The variance between visits of a quantity with such visits.
    fn variance(&self, visits: &Visits) -> f64 {
        let times = visits.within().zip(self.scatter).map_or(1.0, |(of, typical)| of / typical);
        self.variance * times.clamp(1.0 / MOST_SCATTER, MOST_SCATTER)
    }
}

/// The variation of a median, as shares of it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Variation {
    /// Times at which it was measured in the run, each with fresh memory.
    pub visits: usize,
    /// Standard deviation of the samples inside a visit, a share.
    pub within: Option<f64>,
    /// Standard deviation of the medians of the visits, a share; nothing for one visit, where `prior` stands in for it.
    pub between: Option<f64>,
    /// The variation of such quantities in other runs, a share.
    pub prior: f64,
    /// The quantities that vary alike, whose visits count together.
    pub kind: Kind,
}

impl Variation {
    /// The variation that an interval rests on, by the samples of each visit.
    pub fn of(samples: &[Cow<'_, [f64]>], visits: &Visits, kind: Kind, known: Known) -> Variation {
        Variation {
            visits: visits.count(),
            within: repeat::within(samples),
            between: visits.between().map(|(variance, _)| variance.sqrt()),
            prior: known.prior.unwrap_or_else(|| kind.prior()),
            kind,
        }
    }
}

#[cfg(test)]
mod tests;
