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
mod tests {
    use super::*;
    use crate::example;
    use record::Better;

    fn record(samples: &[f64], visits: &[u32]) -> Record {
        let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
        (s.samples, s.visits) = (samples.to_vec(), visits.to_vec());
        let mut record = example::empty();
        example::measured(&mut record, "bandwidth", &[], vec![s]);
        record.runs[0].visits = vec![Default::default(); visits.len()];
        record
    }

    #[test]
    fn an_interval_says_what_it_rests_on() {
        let of = |record: &Record| crate::estimate::estimates(record, |_| true).remove(0);
        let width =
            |e: &crate::estimate::Estimate| e.interval.unwrap().half_width_relative(e.median);
        let agreed = of(&record(&[1e9; 14], &[7, 7]));
        let mut samples = vec![1e9; 7];
        samples.extend([1.2e9; 7]);
        let apart = of(&record(&samples, &[7, 7]));
        let once = of(&record(&[1e9; 14], &[]));
        assert!(width(&apart) > 1.5 * width(&agreed));
        let seen = |e: &crate::estimate::Estimate| e.variation.map(|v| (v.visits, v.between));
        assert_eq!((seen(&agreed), seen(&once)), (Some((2, Some(0.0))), Some((1, None))));
        assert!(width(&once) > Kind::Bandwidth.prior());
    }

    /// Time that others took, and two modes, say that the next run may be elsewhere.
    #[test]
    fn load_of_others_and_modes_widen_the_interval() {
        let width = |samples: &[f64], busy: f64| {
            let mut all = record(samples, &[7, 7]);
            let busy = record::Reading::new("contention.busy", Unit::Ratio, busy);
            all.runs[0].readings.push(busy);
            let of = crate::estimate::estimates(&all, |_| true).remove(0);
            (of.interval.unwrap().high / of.median).ln()
        };
        let calm = width(&[1e9; 14], 0.05);
        assert_eq!(width(&[1e9; 14], 0.0), calm);
        let beside = 1.96 * 0.5 * Kind::Bandwidth.per_taken();
        assert!((width(&[1e9; 14], 0.55) - calm.hypot(beside)).abs() < 1e-9);
        let modes = [1e9, 1e9, 1e9, 1e9, 2e9, 2e9, 2e9].repeat(2);
        assert!(width(&modes, 0.0) > 1.9 * 2f64.ln() / 2.0);
    }

    /// A neighbour that was there in one visit of one quantity.
    #[test]
    fn one_disturbed_quantity_makes_no_other_uncertain() {
        let width = |halved: f64| {
            let mut all = record(&[[1e9; 7], [1.01e9; 7]].concat(), &[7, 7]);
            for place in 1..9 {
                let mut other = all.runs[0].clone();
                let record::Outcome::Measured(series) = &mut other.outcome else { panic!() };
                let second = if place == 8 { halved } else { 1.0 };
                series[0].samples[7..].iter_mut().for_each(|x| *x *= second);
                all.runs.push(other);
            }
            let of = crate::estimate::estimates(&all, |_| true).remove(0);
            of.interval.unwrap().half_width_relative(of.median)
        };
        assert!(width(0.5) < 3.0 * width(1.0), "{} {}", width(0.5), width(1.0));
    }

    /// vCPUs that share a core for a while halve what both divide: the frequency is as well known as before.
    #[test]
    fn several_cpus_widen_no_interval_of_one() {
        let width = |halved: f64| {
            let mut all = record(&[3e9; 14], &[7, 7]);
            all.runs[0].case.probe = ProbeId::CoreFrequency;
            let mut both = record(&[[1e4; 7], [1e4 * halved; 7]].concat(), &[7, 7]).runs.remove(0);
            both.case.probe = ProbeId::Prime;
            both.case.place.cpus = [0, 1].into_iter().collect();
            all.runs.push(both);
            let of = crate::estimate::estimates(&all, |_| true).remove(0);
            of.interval.unwrap().half_width_relative(of.median)
        };
        assert_eq!(width(0.5), width(1.0));
    }

    /// A thread on the core that comes and goes is in the first cache, too; the frequency is what it was.
    #[test]
    fn a_shared_core_widens_what_one_core_does() {
        let width = |probe: &'static str, metric: Metric, ports: f64| {
            let mut s = visits(metric, Unit::Seconds, [1e-9, 1.001e-9]);
            s.at.insert("working_set".into(), FIRST.into());
            let mut all = example::empty();
            example::measured(&mut all, probe, &[], vec![s]);
            all.runs[0].visits = vec![Default::default(); 2];
            all.reference_samples = (0..20)
                .map(|i| record::ReferenceSample {
                    frequency: vec![3e9; 3],
                    chase: vec![6e-9; 3],
                    ports: vec![if i % 2 == 0 { 12e9 } else { 12e9 * ports }; 3],
                    ..Default::default()
                })
                .collect();
            let of = crate::estimate::estimates(&all, |_| true).remove(0);
            (of.interval.unwrap().high / of.median).ln()
        };
        let times = |probe, metric| width(probe, metric, 0.6) / width(probe, metric, 0.995);
        assert!(times("load_latency", Metric::LoadToUse) > 2.0);
        assert_eq!(times("core_frequency", Metric::Frequency), 1.0);
    }

    /// Of one kind a series whose samples scatter is less well known than one whose samples do not.
    #[test]
    fn intervals_are_as_wide_as_samples_scatter() {
        let widths = |ends: [f64; 2]| {
            let mut all = example::empty();
            for scatter in ends.into_iter().chain([0.01; 11]) {
                let each = |level: f64| {
                    let sign = |i: i32| f64::from(i % 2 * 2 - 1);
                    (0..9).map(|i| level * (1.0 + scatter * sign(i))).collect::<Vec<f64>>()
                };
                let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
                (s.samples, s.visits) = ([each(1e9), each(1.02e9)].concat(), vec![9, 9]);
                example::measured(&mut all, "bandwidth", &[], vec![s]);
            }
            all.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
            let found = crate::estimate::estimates(&all, |_| true);
            [0, 1].map(|i| found[i].interval.unwrap().half_width_relative(found[i].median))
        };
        let (equal, unequal) = (widths([0.01; 2])[0], widths([0.002, 0.02]));
        assert!(unequal[0] < 0.9 * equal && unequal[1] > 1.3 * equal, "{equal} {unequal:?}");
    }

    /// What all visits of a run have in common is more where neighbours take bandwidth for minutes.
    #[test]
    fn equal_visits_say_less_of_bandwidth_than_of_page_faults() {
        let width = |probe: &'static str, unit| {
            let mut all = example::empty();
            for _ in 0..20 {
                let series = visits(Metric::Bandwidth, unit, [1.0, 1.02]);
                example::measured(&mut all, probe, &[], vec![series]);
            }
            all.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
            let of = crate::estimate::estimates(&all, |_| true).remove(0);
            (of.interval.unwrap().high / of.median).ln()
        };
        let kernel = width("page_fault", Unit::Seconds);
        for (probe, unit) in [
            ("stream", Unit::BytesPerSecond),
            ("lmbench_stream", Unit::Seconds),
            ("loaded_latency", Unit::Seconds),
        ] {
            assert!(width(probe, unit) > 1.3 * kernel, "{probe}: {} {kernel}", width(probe, unit));
        }
    }

    #[test]
    fn the_first_cache_is_known_by_latency_and_shared_by_bandwidth() {
        let kind = |probe: &'static str, series: Series| {
            let mut all = example::empty();
            example::measured(&mut all, probe, &[], vec![series]);
            Kind::of(&all.runs[0], &all.runs[0].series()[0]).unwrap()
        };
        let of = |unit, bytes: u64| {
            Series::new(Metric::Bandwidth, unit, Better::Higher).at(param::WORKING_SET, bytes)
        };
        assert_eq!(kind("load_latency", of(Unit::Seconds, FIRST)), Kind::FirstCache);
        assert_eq!(kind("cache_bandwidth", of(Unit::BytesPerSecond, FIRST)), Kind::Ports);
        let pages = |n: u64| {
            let s = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower);
            kind("tlb_reach", s.at(param::PAGES_TOUCHED, n))
        };
        assert_eq!((pages(512), pages(513)), (Kind::FirstCache, Kind::Translation));
    }

    /// Ten series of one case that agree are one agreement.
    #[test]
    fn series_that_share_visits_do_not_outweigh_experience() {
        let width = |cpus: &[u32]| {
            let mut all = record(&[3e9; 14], &[7, 7]);
            all.runs[0].case.probe = ProbeId::LoadedFrequency;
            all.runs[0].case.place.cpus = cpus.iter().copied().collect();
            let record::Outcome::Measured(series) = &mut all.runs[0].outcome else { panic!() };
            series[0].unit = Unit::Hertz;
            *series = vec![series[0].clone(); 10];
            let of = crate::estimate::estimates(&all, |_| true).remove(0);
            of.interval.unwrap().half_width_relative(of.median)
        };
        assert!(width(&[0, 1]) > 2.0 * Kind::Parallel.prior(), "{}", width(&[0, 1]));
        assert!(width(&[0]) < Kind::Core.prior(), "{}", width(&[0]));
    }

    /// Two visits at these levels.
    fn visits(metric: Metric, unit: Unit, levels: [f64; 2]) -> Series {
        let mut s = Series::new(metric, unit, Better::Lower);
        (s.samples, s.visits) = (levels.map(|x| vec![x; 7]).concat(), vec![7, 7]);
        s
    }

    /// Widths of the intervals of a steady frequency and of a probe's series beside it.
    fn beside_frequency(probe: &'static str, series: Series) -> [f64; 2] {
        let mut all = example::empty();
        let hertz = visits(Metric::Frequency, Unit::Hertz, [3e9, 3.001e9]);
        example::measured(&mut all, "core_frequency", &[], vec![hertz]);
        example::measured(&mut all, probe, &[], vec![series]);
        all.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
        let found = crate::estimate::estimates(&all, |_| true);
        [0, 1].map(|i| found[i].interval.unwrap().half_width_relative(found[i].median))
    }

    #[test]
    fn a_thread_on_the_core_makes_independent_operations_uncertain_and_no_frequency() {
        let of = |levels| {
            let add = visits(Metric::TimePerOp, Unit::Seconds, levels).at(param::OP, "add");
            beside_frequency("core_rate", add)
        };
        let (alone, shared) = (of([1e-10; 2]), of([1e-10, 2e-10]));
        assert_eq!(alone[0], shared[0]);
        assert!(shared[1] > 10.0 * alone[1], "{alone:?} {shared:?}");
    }

    /// Visits in which another thread of the core filled its first cache.
    #[test]
    fn a_shared_first_cache_makes_no_frequency_uncertain() {
        let of = |levels| {
            let loads = visits(Metric::LoadToUse, Unit::Seconds, levels);
            beside_frequency("load_latency", loads.at(param::WORKING_SET, FIRST))
        };
        let (alone, shared) = (of([1e-9; 2]), of([1e-9, 2e-9]));
        assert_eq!(alone[0], shared[0]);
        assert!(shared[1] > 10.0 * alone[1], "{alone:?} {shared:?}");
    }

    /// Which CPU gets a lock how often says nothing of the distance between them.
    #[test]
    fn competition_for_a_lock_makes_no_distance_uncertain() {
        let of = |levels: [f64; 2]| {
            let mut all = example::empty();
            let trip = visits(Metric::RoundTrip, Unit::Seconds, [5e-8; 2]);
            let turn = visits(Metric::TimePerTurn, Unit::Seconds, levels);
            example::measured(&mut all, "core_to_core", &[], vec![trip]);
            example::measured(&mut all, "lock_cost", &[], vec![turn]);
            all.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
            let found = crate::estimate::estimates(&all, |_| true);
            [0, 1].map(|i| found[i].interval.unwrap().half_width_relative(found[i].median))
        };
        let (alone, unfair) = (of([1e-8; 2]), of([1e-8, 1.4e-8]));
        assert_eq!(alone[0], unfair[0]);
        assert!(alone[1] > Kind::Contention.prior(), "visits that agree are one settlement");
    }

    #[test]
    fn a_count_has_no_such_variation() {
        let mut all = record(&[3.0; 8], &[]);
        let record::Outcome::Measured(series) = &mut all.runs[0].outcome else { panic!() };
        series[0].unit = Unit::Count;
        let found = crate::estimate::estimates(&all, |_| true).remove(0);
        assert!(found.variation.is_none() && found.interval.is_some());
    }
}
