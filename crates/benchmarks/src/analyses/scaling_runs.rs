//! How a workload scales: each step's throughput, what the next thread of a core and pinning are worth to it, the
//! scalability law, and what holds it back.
mod duration;
mod gains;
pub(crate) mod law;
mod limit;
mod says;

pub use duration::set_by_command;
pub use limit::Limit;
pub(crate) use limit::{SCALES, TAKEN};
pub use says::{MISFIT, WORTH, best, by_ipc, harms, helps, times, worst};

use crate::say;
use estimates::analysis::{Analysis, Entry};
use estimates::between_runs::Kind;
use estimates::facts;
use estimates::groups::by_key;
use estimates::report::{Report, failures, taken, taken_doubt};
use record::{
    Case, CpuSet, Metric, ProbeId, Reason, Record, Run, Series, Text, Unit, Value,
    param::{self, Parameter},
};
use stats::repeat::{self, Repeat};
use stats::{Interval, Sample, compare, usl};

/// One workload's scaling run.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScalingRun {
    /// The workload: a probe with its kind of work, or a command line.
    pub workload: String,
    /// Unit of the throughput; a command's is runs per second.
    pub unit: Unit,
    /// Whether it is a command.
    pub command: bool,
    /// Whether the command's own result is its throughput, and not completed runs.
    pub rated: bool,
    /// The reason why completed runs are no throughput; then nothing is concluded from them.
    pub fixed_duration: Option<Reason>,
    /// Every step with every placement, in the order in which they were planned.
    pub scaling_points: Vec<ScalingPoint>,
    /// The gain of sibling threads, of a core and of all cores, with the placement that was planned first.
    pub siblings: Vec<Gain>,
    /// The gain of pinning on each step, over leaving copies to the scheduler: `unpinned` over `one-to-one`.
    pub unpinned: Vec<Gain>,
    /// The scalability law over cores with the placement that was planned first, or why there is none.
    pub law: Result<usl::UslFit, Reason>,
    /// The limit on all cores, or why that cannot be determined.
    pub limit: Result<Limit, Reason>,
    /// Processes that copies of a command left running, beside which later points were measured.
    pub still_running: Option<Reason>,
}

/// One step with one placement.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScalingPoint {
    /// The name of the step, such as `4 cores of node 0`.
    pub step: String,
    /// Physical cores of the step.
    pub cores: usize,
    /// CPUs of the step.
    pub threads: usize,
    /// Copies that ran at once.
    pub copies: usize,
    /// The placement of copies: `one-to-one`, `range`, `unpinned`.
    pub policy: String,
    /// The placement of memory: `local`, `interleave`.
    pub memory: String,
    /// Indices into `record.runs`, of those that have a result.
    pub runs: Vec<usize>,
    /// Throughput in the scaling run's unit, once for each repeat that has a result.
    pub rates: Vec<f64>,
    /// Median throughput in the scaling run's unit; nothing if no repeat has a result.
    pub median: Option<f64>,
    /// 95 % interval of the next run's median, from four repeats on.
    pub interval: Option<Interval>,
    /// Throughput over cores times that of one core in the same placement.
    pub efficiency: Option<f64>,
    /// CPU time over the time that the step's CPUs had.
    pub full: Option<f64>,
    /// CPU time of the client over the time that its own CPUs had, where a server is scaled: the rest is the server's.
    pub client_full: Option<f64>,
    /// Instructions per cycle, where counters were to be had.
    pub ipc: Option<f64>,
    /// The reason why there were none, where that is known.
    pub uncounted: Option<Reason>,
    /// Frequency of the cores in hertz, where it was measured beside the work.
    pub frequency: Option<f64>,
    /// The fastest copy's rate over the slowest's.
    pub spread: Option<f64>,
    /// Share of the machine that other programs or the hypervisor took meanwhile.
    pub taken: Option<f64>,
    /// The reasons why repeats have no result.
    pub failed: Vec<Reason>,
    /// The assumed error of a single printed or published figure, a share of it; `None` for own repeats.
    #[serde(skip)]
    pub prior: Option<f64>,
}

/// The gain of one placement over another, or why that cannot be determined.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gain {
    /// The step that is compared.
    pub step: Text,
    /// The other placement.
    pub with: String,
    /// Throughput over that of the other.
    pub found: Result<compare::Ratio, Reason>,
    /// What it would be by threads and their instructions per cycle alone, and those of a thread in either: with one frequency and as
    /// many instructions for the same work. Nothing where they were not counted.
    pub by_ipc: Option<ByIpc>,
}

/// The gain that instructions per cycle predict.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ByIpc {
    /// Throughput over that of the other.
    pub ratio: f64,
    /// Instructions per cycle of a thread in the one.
    pub own: f64,
    /// Instructions per cycle of a thread in the other.
    pub with: f64,
}

impl ByIpc {
    fn of(a: &ScalingPoint, b: &ScalingPoint) -> Option<ByIpc> {
        let (own, with) = (a.ipc.filter(|x| *x > 0.0)?, b.ipc.filter(|x| *x > 0.0)?);
        Some(ByIpc { ratio: a.threads as f64 * own / (b.threads as f64 * with), own, with })
    }
}

/// A gain that is known, with its scaling run.
pub type Known<'a> = (&'a ScalingRun, &'a Gain, &'a compare::Ratio);

/// The gains that are known; where none is, why the first is not.
///
/// # Errors
/// None is known: the reason, or nothing where there is no gain at all.
pub fn known<'a>(
    gains: impl Iterator<Item = (&'a ScalingRun, &'a Gain)>,
) -> Result<Vec<Known<'a>>, Option<Reason>> {
    let (mut known, mut unknown) = (vec![], None);
    for (scaling_run, gain) in gains {
        match &gain.found {
            Ok(found) => known.push((scaling_run, gain, found)),
            Err(why) => unknown = unknown.or(Some(why.clone())),
        }
    }
    if known.is_empty() { Err(unknown) } else { Ok(known) }
}

impl ScalingRun {
    /// The scaling points of the placement that was planned first, lowest first.
    pub fn main(&self) -> impl Iterator<Item = &ScalingPoint> {
        let first = self.scaling_points.first();
        self.scaling_points.iter().filter(move |r| {
            first.is_some_and(|f| (&f.policy, &f.memory) == (&r.policy, &r.memory))
        })
    }
    /// Main points without sibling threads.
    pub fn cores(&self) -> impl Iterator<Item = &ScalingPoint> {
        self.main().filter(|r| r.threads == r.cores)
    }
}

/// Growth of throughput below which more sockets brought next to nothing.
pub const BROUGHT: f64 = 1.1;
/// Use of the CPUs from which on they are full.
pub const USED: f64 = 0.9;

/// The largest step inside one socket's worth of cores, and all of them, with what the second does over the first.
pub fn sockets_apart(
    scaling_run: &ScalingRun,
    machine: usize,
    sockets: usize,
) -> Option<(&ScalingPoint, &ScalingPoint, compare::Ratio)> {
    let known = || scaling_run.cores().filter(|r| r.median.is_some());
    let all = known().last()?;
    let one = known().filter(|r| r.cores * sockets <= machine).last()?;
    // Less than half a socket says nothing of a socket, and less than all sockets nothing of them.
    let fits = 2 * one.cores * sockets >= machine && all.cores > machine / sockets * (sockets - 1);
    let ratio = all.ratio(one).filter(|_| fits)?;
    Some((one, all, ratio))
}

/// Whether all sockets surely do next to no more than one, though their CPUs are full.
pub fn is_flat(all: &ScalingPoint, ratio: &compare::Ratio) -> bool {
    ratio.interval.high < BROUGHT && all.full.is_some_and(|full| full >= USED)
}

/// The first workload of which that is so: its name, the CPUs of the step inside a socket, and all of them.
pub fn flat_beyond(
    scaling_runs: &[&ScalingRun],
    cores: usize,
    sockets: usize,
) -> Option<(String, usize, usize)> {
    if sockets < 2 {
        return None;
    }
    scaling_runs.iter().find_map(|l| {
        let (one, all, ratio) = sockets_apart(l, cores, sockets)?;
        is_flat(all, &ratio).then(|| (l.workload.clone(), one.threads, all.threads))
    })
}

/// Seed of the comparisons' shuffles: any, but always the same.
const SEED: u64 = 1;

/// One for each workload, in the record's order.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct ScalingRuns(pub Vec<ScalingRun>);

pub static ANALYSIS: Entry = Entry::of::<ScalingRuns>();

impl Analysis for ScalingRuns {
    const TITLE: &str = "How workloads scale over cores, one for each.";
    const ORDER: u16 = 70;
    fn compute(report: &Report<'_>) -> Self {
        let record = report.record;
        let planned = |(_, r): &(usize, &Run)| {
            r.case.probe == ProbeId::ScalingRun && r.case.get(param::STEP).is_some()
        };
        let all =
            by_key(record.runs.iter().enumerate().filter(planned), |(_, r)| workload(&r.case));
        let of_key = |(workload, runs): (_, Vec<_>)| scaling_run(record, workload, &runs);
        ScalingRuns(all.into_iter().map(of_key).collect())
    }
    fn conclusions(&self) -> Vec<record::Text> {
        self.0.iter().flat_map(ScalingRun::says).collect()
    }
}

/// The workload in words: the command line, or the probe with the parameters that are its own.
fn workload(case: &Case) -> String {
    if let Some(words) = case.get(param::COMMAND_WORDS) {
        let line =
            |words: &[Value]| words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        return match case.get(param::SERVER_WORDS) {
            Some(server) => format!("{} (server: {})", line(words), line(server)),
            None => line(words),
        };
    }
    const OF_A_POINT: [&str; 12] = [
        param::STEP.name(),
        param::CORES.name(),
        param::THREADS.name(),
        param::COPIES.name(),
        param::POLICY.name(),
        param::MEMORY.name(),
        param::REPEAT.name(),
        param::WORKLOAD.name(),
        param::SECONDS.name(),
        param::NODES.name(),
        param::TIMEOUT.name(),
        param::END_CHILDREN.name(),
    ];
    let mut words = case.get(param::WORKLOAD).unwrap_or("?").to_owned();
    for (name, value) in case.params.iter().filter(|(n, _)| !OF_A_POINT.contains(&n.as_str())) {
        words += &format!(" {name}={value}");
    }
    words
}

/// Whether a command's own number is its throughput.
fn has_rate(case: &Case) -> bool {
    [param::RATE, param::RATE_FILE].iter().any(|parameter| parameter.is_in(&case.params))
}

fn scaling_run(record: &Record, workload: String, runs: &[(usize, &Run)]) -> ScalingRun {
    let command = runs.iter().any(|(_, r)| param::COMMAND.is_in(&r.case.params));
    let point = |(_, runs): (_, Vec<&(usize, &Run)>)| {
        let rated = runs.iter().filter(|(_, run)| rate(run).is_some());
        let mut point = ScalingPoint {
            runs: rated.map(|(index, _)| *index).collect(),
            failed: failures(runs.iter().map(|(_, run)| *run)),
            ..ScalingPoint::of(&runs[0].1.case)
        };
        point.fill(record, command);
        point
    };
    let places = by_key(runs, |(_, run)| {
        [param::STEP, param::POLICY, param::MEMORY].map(|of| run.case.get(of).unwrap_or_default())
    });
    let scaling_points = places.into_iter().map(point).collect();
    let unit = runs.iter().find_map(|(_, r)| throughput(r)).map_or(Unit::PerSecond, |s| s.unit);
    let mut scaling_run = ScalingRun {
        command,
        rated: runs.iter().any(|(_, r)| has_rate(&r.case)),
        still_running: runs
            .iter()
            .filter_map(|(_, run)| run.unread.get("command.clean_machine"))
            .next_back()
            .cloned(),
        ..unjudged(workload, unit, scaling_points)
    };
    scaling_run.fixed_duration = duration::fixed(record, &scaling_run);
    if let Some(why) = &scaling_run.fixed_duration {
        scaling_run.law = Err(why.clone());
        scaling_run.limit = Err(why.clone());
        scaling_run.unpinned.clear();
        scaling_run.scaling_points.iter_mut().for_each(|point| point.efficiency = None);
        return scaling_run;
    }
    scaling_run.siblings = gains::siblings(&scaling_run);
    scaling_run.law = law::of(&scaling_run, &record.machine, runs);
    let quota = facts::cpu_quota(&record.machine).ok().flatten();
    scaling_run.limit = limit::limit(&scaling_run, quota);
    // What scales does so however short it is.
    if scaling_run.limit.as_ref().is_ok_and(|limit| !matches!(limit, Limit::None(_)))
        && let Some(why) = duration::short(record, &scaling_run)
    {
        scaling_run.limit = Err(why);
    }
    scaling_run
}

/// A scaling run of others' figures: nothing of it is repeated, so each point has a prior.
pub(crate) fn of_others(
    workload: String,
    unit: Unit,
    scaling_points: Vec<ScalingPoint>,
) -> ScalingRun {
    let mut scaling_run = unjudged(workload, unit, scaling_points);
    scaling_run.siblings = gains::siblings(&scaling_run);
    scaling_run.limit = limit::limit(&scaling_run, None);
    scaling_run
}

/// Each point's throughput over its cores times that of one core in the same placement.
fn unjudged(workload: String, unit: Unit, mut scaling_points: Vec<ScalingPoint>) -> ScalingRun {
    efficiencies(&mut scaling_points);
    ScalingRun {
        workload,
        unit,
        command: true,
        rated: true,
        fixed_duration: None,
        siblings: vec![],
        unpinned: gains::unpinned(&scaling_points),
        scaling_points,
        law: Err(Reason::new(say::LAW_NEEDS_REPEATS)),
        limit: Err(Reason::new(say::LIMIT_NOT_LOOKED_FOR)),
        still_running: None,
    }
}

fn efficiencies(scaling_points: &mut [ScalingPoint]) {
    let alone: Vec<Option<f64>> = scaling_points
        .iter()
        .map(|r| {
            let one = |o: &&ScalingPoint| {
                o.threads == 1 && (&o.policy, &o.memory) == (&r.policy, &r.memory)
            };
            scaling_points.iter().find(one).and_then(|o| o.median).filter(|m| *m > 0.0)
        })
        .collect();
    for (scaling_point, alone) in scaling_points.iter_mut().zip(alone) {
        scaling_point.efficiency = scaling_point
            .median
            .zip(alone)
            .map(|(m, one)| m / one / scaling_point.cores.max(1) as f64);
    }
}

impl ScalingPoint {
    /// A case's placement, without results.
    fn of(case: &Case) -> ScalingPoint {
        let count =
            |parameter: Parameter<u64>| case.get(parameter).unwrap_or(1).clamp(1, 1 << 20) as usize;
        let text = |parameter: Parameter<str>| case.get(parameter).unwrap_or_default().to_owned();
        ScalingPoint {
            policy: text(param::POLICY),
            memory: text(param::MEMORY),
            copies: count(param::COPIES),
            ..ScalingPoint::named(text(param::STEP), count(param::CORES), count(param::THREADS))
        }
    }
    /// A step without placement and results.
    pub(crate) fn named(step: String, cores: usize, threads: usize) -> ScalingPoint {
        ScalingPoint { step, cores, threads, copies: threads, ..ScalingPoint::default() }
    }
    /// How many times as much it does as another, and the ends of that: by the repeats, or by what single figures are assumed
    /// to be off by, independently.
    pub fn over(&self, other: &ScalingPoint) -> Option<(f64, Interval)> {
        let Some((a, b)) = self.prior.zip(other.prior) else {
            return compare::of_medians(&self.rates, &other.rates);
        };
        let ratio = self.median? / other.median.filter(|m| *m > 0.0)?;
        let off = a.hypot(b).exp();
        Some((ratio, Interval { low: ratio / off, high: ratio * off, ..self.interval? }))
    }
    /// The same, with whether it is significant.
    fn ratio(&self, other: &ScalingPoint) -> Option<compare::Ratio> {
        if self.prior.is_none() || other.prior.is_none() {
            return compare::ratio(&self.rates, &other.rates, SEED);
        }
        let (estimate, interval) = self.over(other)?;
        let distinguishable = interval.low > 1.0 || interval.high < 1.0;
        Some(compare::Ratio { estimate, interval, distinguishable })
    }
    /// Fills it from its runs.
    fn fill(&mut self, record: &Record, command: bool) {
        let runs: Vec<&Run> = self.runs.iter().map(|i| &record.runs[*i]).collect();
        let all = |of: &dyn Fn(&Run) -> Option<f64>| -> Vec<f64> {
            runs.iter().filter_map(|r| of(r)).filter(|x| x.is_finite()).collect()
        };
        let value = |metric: Metric| {
            let of = move |r: &Run| stats::median(&r.metric(metric)?.undisturbed());
            stats::median(&all(&of))
        };
        self.rates = all(&rate);
        self.median = stats::median(&self.rates);
        let repeats: Vec<[f64; 1]> = self.rates.iter().map(|rate| [*rate]).collect();
        let doubt = |r: &&Run| {
            let series = throughput(r)?;
            Some(taken_doubt(r, Kind::of(r, series)?, series.has_undisturbed()))
        };
        let doubt = stats::median_of(runs.iter().filter_map(doubt)).unwrap_or_default();
        let repeat =
            Repeat::of(&repeats, repeat::Known::default()).map(|repeat| repeat.doubted(doubt));
        self.interval = repeat.zip(self.median).map(|(repeat, median)| repeat.interval(median));
        // A command may have threads of its own; a copy of a probe has one.
        let most = if command { self.threads } else { self.threads.min(self.copies) };
        self.full = value(Metric::CpusUsed).map(|used| used / most as f64);
        let client = |r: &Run| {
            let cpus: CpuSet = r.case.get(param::CLIENT_CPUS)?.parse().ok()?;
            Some(r.reading("command.client_cpus_used")?.value / cpus.len().max(1) as f64)
        };
        self.client_full = stats::median(&all(&client));
        // The sampler counts a command with all that it starts; of threads that warm up and fill memory it counts too much.
        let counted = |r: &Run| Some(r.reading("counters.ipc").filter(|_| command)?.value);
        self.ipc = value(Metric::Ipc).or_else(|| stats::median(&all(&counted)));
        self.uncounted = runs.iter().find_map(|r| r.unread.get("counters")).cloned();
        self.frequency = stats::median(&all(&|r: &Run| throughput(r)?.frequency));
        let ends = |r: &Run| {
            let each =
                r.metric(Metric::CopyRate).or_else(|| r.metric(Metric::CopyTime))?.undisturbed();
            let sample = Sample::new(&each)?;
            (sample.min() > 0.0 && each.len() > 1).then(|| sample.max() / sample.min())
        };
        self.spread = stats::median(&all(&ends));
        self.taken = stats::median(&all(&taken));
    }
}

fn throughput(run: &Run) -> Option<&Series> {
    run.metric(Metric::Throughput)
}

/// A repeat's throughput.
fn rate(run: &Run) -> Option<f64> {
    stats::median(&throughput(run)?.undisturbed()).filter(|m| m.is_finite() && *m > 0.0)
}

#[cfg(test)]
pub mod tests;
