//! Databases on more and more cores: each point's throughput, latency and cost, whether it counts, and what holds it back.
//! Source of the gates: the limits at which neighbours, clients or noise were seen to move such numbers (docs/adr/0024).
mod verdict;

pub use verdict::{Gate, Verdict};

use crate::analyses::scaling_runs::law;
use estimates::analyses::drift::Drift;
use estimates::analysis::{Analysis, Entry};
use estimates::groups::by_key;
use estimates::report::{Report, failures};
use record::{
    Case, CpuSet, Machine, Metric, ProbeId, Reason, Record, Run, Series,
    param::{self, Parameter},
};
use stats::repeat::{Known, Repeat};
use stats::{Interval, Sample, usl};
use verdict::Host;

/// One database under one load, on all its steps.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Database {
    /// `point_select` or `tpcc`.
    pub workload: ProbeId,
    /// All parameters that its points have in common, in words.
    pub load: String,
    /// The engine as it called itself.
    pub engine: Option<String>,
    /// Every point, in the order in which they were planned.
    pub points: Vec<Point>,
    /// The scalability law over points of whole cores, or why there is none.
    pub law: Result<usl::UslFit, Reason>,
}

/// A step with its placement and connections.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// The name of the step, such as `4 cores of node 0`.
    pub step: String,
    /// Physical cores of the step.
    pub cores: usize,
    /// CPUs of the step.
    pub threads: usize,
    /// Connections of all clients.
    pub connections: u64,
    /// What tells it from others on the same step: `2 servers`, `unpinned`, `TCP`; nothing if there is but one way.
    pub placement: Option<String>,
    /// Whether the clients had to share the server's CPUs.
    pub shared: bool,
    /// Whether they had nothing but siblings of its CPUs.
    pub siblings: bool,
    /// Whether the engine is somebody whom clients ask, and not the threads that ask themselves.
    pub served: bool,
    /// Whether it had to stay on the step's CPUs.
    pub pinned: bool,
    /// Whether commits waited for the disk.
    pub durable: bool,
    /// Share of the connections' time that was waited for locks of rows, as the engine counts it.
    pub locked: Option<f64>,
    /// Whether it is not known if the clients could have asked more.
    pub unseen: bool,
    /// Queries or new orders per second, of every window of every repeat.
    pub rates: Vec<f64>,
    /// Their median, per second.
    pub median: Option<f64>,
    /// 95 % interval of the next run's median, by what repeats and the host vary by.
    pub interval: Option<Interval>,
    /// Coefficient of variation of the repeats' medians, or of all windows of fewer than three repeats.
    pub cv: Option<f64>,
    /// Throughput over cores times that of the point in [`Point::against`].
    pub efficiency: Option<f64>,
    /// The point of one core that it is compared with: of as many connections a CPU; of another number on one core, the first.
    pub against: Option<Against>,
    /// CPU time of the engine over that of its CPUs.
    pub full: Option<f64>,
    /// Share of the time of the engine's and its clients' CPUs that other programs and the hypervisor took.
    pub taken: f64,
    /// Instructions per cycle of the engine, where it could be counted.
    pub ipc: Option<f64>,
    /// Instructions per cycle of user mode, where the kernel's share may not be counted: not comparable with [`Point::ipc`].
    pub ipc_user: Option<f64>,
    /// Share of its cycles in which it waited for memory or other units, where the processor counts these.
    pub stalls: Option<f64>,
    /// The reason why it was not counted, where that is known.
    pub uncounted: Option<Reason>,
    /// The engine's frequency in hertz, by its cycles.
    pub frequency: Option<f64>,
    /// Cycles of the engine for each event.
    pub cycles: Option<f64>,
    /// Seconds of its CPU time for each event.
    pub cpu_time: Option<f64>,
    /// Context switches for each event, a count.
    pub switches: Option<f64>,
    /// Quantiles of latency in seconds, of what is counted: medians over the windows.
    pub latency: Vec<(f64, f64)>,
    /// Conditions under which the point counts, and those not met.
    pub gates: Vec<Gate>,
    /// Its limit.
    pub verdict: Verdict,
    /// The reasons why repeats have no result.
    pub failed: Vec<Reason>,
}

/// A point of one core that others are compared with.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Against {
    /// The name of its step.
    pub step: String,
    /// Connections of all its clients.
    pub connections: u64,
}

impl Point {
    /// Whether nothing speaks against it.
    pub fn counts(&self) -> bool {
        self.median.is_some() && self.gates.is_empty()
    }
}

/// Parameters that tell points of one load apart, or say nothing of it.
const OF_A_POINT: [&str; 12] = [
    "step",
    "cores",
    "threads",
    "connections",
    "placement",
    "instances",
    "clients",
    "repeat",
    "windows",
    "seconds",
    "warm_up",
    "folder",
];

/// One for each load, in the record's order.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct Databases(pub Vec<Database>);

pub static ANALYSIS: Entry = Entry::of::<Databases>();

impl Analysis for Databases {
    const TITLE: &str = "Databases on more and more cores, one for each load.";
    const ORDER: u16 = 80;
    fn compute(report: &Report<'_>) -> Self {
        let record = report.record;
        let planned = |r: &&Run| {
            matches!(r.case.probe, ProbeId::PointSelect | ProbeId::Tpcc)
                && r.case.get(param::STEP).is_some()
        };
        let all = by_key(record.runs.iter().filter(planned), |r| (r.case.probe, load(&r.case)));
        let host = Host::of(report.get::<Option<Drift>>().as_ref());
        let of_key =
            |((workload, load), runs): (_, Vec<_>)| database(record, (workload, load), &runs, host);
        Databases(all.into_iter().map(of_key).collect())
    }
    fn conclusions(&self) -> Vec<record::Text> {
        self.0.iter().flat_map(Database::brief).collect()
    }
}

/// The load, in words.
fn load(case: &Case) -> String {
    // The placement names the transport where there are several.
    let of_a_point = |name: &str| {
        OF_A_POINT.contains(&name) || (name == "transport" && param::PLACEMENT.is_in(&case.params))
    };
    let own = case.params.iter().filter(|(name, _)| !of_a_point(name));
    let words: Vec<String> = own.map(|(name, value)| format!("{name}={value}")).collect();
    words.join(" ")
}

fn database(
    record: &Record,
    (workload, load): (ProbeId, String),
    runs: &[&Run],
    host: Host,
) -> Database {
    let point = |(_, runs): (_, Vec<&Run>)| {
        let mut point = Point::of(&runs[0].case, &record.machine);
        point.failed = failures(runs.iter().copied());
        let measured = |run: &&Run| run.outcome.why().is_none();
        point.fill(&runs.into_iter().filter(measured).collect::<Vec<_>>(), workload, host);
        point
    };
    let of_points = by_key(runs.iter().copied(), |run| {
        let connections = run.case.get(param::CONNECTIONS).unwrap_or(1);
        (run.case.get(param::STEP), connections, run.case.get(param::PLACEMENT))
    });
    let mut points: Vec<Point> = of_points.into_iter().map(point).collect();
    let bases: Vec<[Option<Point>; 2]> = points
        .iter()
        .map(|p| {
            let one = |like: &dyn Fn(&Point) -> bool| {
                points.iter().find(|o| o.threads == 1 && o.pinned && like(o)).cloned()
            };
            // With more connections a CPU one core does more, too.
            let as_many = |o: &Point| o.connections * p.asked() == p.connections * o.asked();
            // Several servers have no step of one core: they are compared with one server on it.
            let alone =
                one(&|o| o.placement == p.placement && as_many(o)).or_else(|| one(&as_many));
            let is_one = p.threads == 1 && p.pinned;
            let first = if is_one { one(&|o| o.placement == p.placement) } else { None };
            [first.or_else(|| alone.clone()), alone]
        })
        .collect();
    for (point, [base, alone]) in points.iter_mut().zip(bases) {
        let one = base.as_ref().and_then(|o| o.median).filter(|m| *m > 0.0);
        point.efficiency =
            point.median.zip(one).map(|(m, one)| m / one / point.cores.max(1) as f64);
        let base = base.filter(|_| point.efficiency.is_some());
        point.against = base.map(|o| Against { step: o.step, connections: o.connections });
        point.verdict = verdict::verdict(point, alone.as_ref());
    }
    let engine = runs.iter().find_map(|r| r.metric(Metric::Throughput)?.variant.clone());
    let law = law_of(record, &points, runs);
    Database { workload, load, engine, points, law }
}

impl Point {
    /// CPUs that connections were counted by.
    fn asked(&self) -> u64 {
        // One that is not pinned has others beside those of its step.
        (if self.pinned { self.threads } else { self.cores }).max(1) as u64
    }
    fn of(case: &Case, machine: &Machine) -> Point {
        let count =
            |parameter: Parameter<u64>| case.get(parameter).unwrap_or(1).clamp(1, 1 << 20) as usize;
        let clients: Option<CpuSet> = case.get(param::CLIENTS).and_then(|list| list.parse().ok());
        let server = &case.place.cpus;
        let pinned = case.get(param::PIN) != Some("none");
        let sibling = |cpu: u32| {
            let known = machine.topology.cpu(cpu);
            known.is_some_and(|c| !c.siblings.intersection(server).is_empty())
        };
        let shared = clients.as_ref().is_some_and(|clients| clients == server);
        Point {
            step: case.get(param::STEP).unwrap_or_default().to_owned(),
            cores: count(param::CORES),
            threads: count(param::THREADS),
            connections: case.get(param::CONNECTIONS).unwrap_or(1),
            placement: case.get(param::PLACEMENT).map(str::to_owned),
            // Where a server is that runs already nobody knows.
            shared: shared && case.get(param::ENGINE) != Some("mysql"),
            siblings: pinned
                && !shared
                && clients.as_ref().is_some_and(|clients| clients.iter().any(sibling)),
            served: clients.is_some(),
            pinned,
            durable: case.probe == ProbeId::Tpcc && case.get(param::DURABLE) == Some(true),
            ..Point::default()
        }
    }
    /// Fills it from its runs.
    fn fill(&mut self, runs: &[&Run], workload: ProbeId, host: Host) {
        let all = |metric: Metric| -> Vec<f64> {
            runs.iter().filter_map(|r| r.metric(metric)).flat_map(Series::undisturbed).collect()
        };
        self.rates = all(Metric::Throughput);
        self.median = stats::median(&self.rates).filter(|m| *m > 0.0);
        let repeats: Vec<Vec<f64>> =
            runs.iter().filter_map(|r| Some(r.metric(Metric::Throughput)?.undisturbed())).collect();
        self.taken = verdict::taken(runs, workload);
        let windows = Sample::new(&self.rates).and_then(|s| s.cv()).unwrap_or(0.0);
        let prior = Some(host.widens(windows, self.taken));
        let repeat = Repeat::of(&repeats, Known { prior, ..Known::default() });
        self.interval = repeat.zip(self.median).map(|(repeat, median)| repeat.interval(median));
        let repeats: Vec<f64> = repeats.iter().filter_map(|r| stats::median(r)).collect();
        let cv = |values: &[f64]| Sample::new(values)?.cv();
        self.cv = if repeats.len() > 2 { cv(&repeats) } else { cv(&self.rates) };
        let value = |metric: Metric| stats::median(&all(metric));
        self.full = value(Metric::CpusUsed).map(|used| used / self.threads as f64);
        self.ipc = value(Metric::Ipc);
        self.ipc_user = value(Metric::IpcUser);
        self.stalls = value(Metric::Stalls);
        self.uncounted = runs.iter().find_map(|r| r.unread.get("counters")).cloned();
        let frequencies = runs.iter().filter_map(|r| r.metric(Metric::Throughput)?.frequency);
        self.frequency = stats::median_of(frequencies);
        self.cycles = value(Metric::Cycles);
        self.cpu_time = value(Metric::CpuTime);
        self.switches = value(Metric::Switches);
        self.latency = latency(runs);
        self.locked = verdict::locked(self, runs, workload);
        self.unseen = verdict::unseen(runs, workload);
        self.gates = verdict::gates(self, runs, workload, host);
    }
}

/// Quantiles of what is counted: of selects, or of new orders.
fn latency(runs: &[&Run]) -> Vec<(f64, f64)> {
    let all = runs.iter().flat_map(|r| r.series()).filter(|s| s.metric == Metric::Latency);
    let counted = |s: &&Series| param::TRANSACTION.of(&s.at).is_none_or(|t| t == "new-order");
    let of = |(quantile, series): (Option<f64>, Vec<&Series>)| {
        Some((quantile?, stats::median_of(series.into_iter().flat_map(Series::undisturbed))?))
    };
    let groups = by_key(all.filter(counted), |s| param::QUANTILE.of(&s.at));
    groups.into_iter().filter_map(of).collect()
}

/// The law over points of whole cores, of the placement and connections that were planned first.
fn law_of(record: &Record, points: &[Point], runs: &[&Run]) -> Result<usl::UslFit, Reason> {
    let cpus = runs.iter().flat_map(|r| r.case.place.cpus.iter());
    law::equal_cores(&record.machine, cpus)?;
    let first =
        points.first().map(|p| (p.placement.clone(), p.connections / p.threads.max(1) as u64));
    let of = |p: &&Point| {
        let like = (p.placement.clone(), p.connections / p.threads.max(1) as u64);
        p.threads == p.cores && p.median.is_some() && Some(like) == first
    };
    let usable: Vec<&Point> = points.iter().filter(of).collect();
    let shared = usable.iter().any(|p| p.shared);
    let own = usable.iter().filter(|p| !p.shared);
    let rates: Vec<(usize, &[f64])> = own.map(|p| (p.cores, &p.rates[..])).collect();
    law::fit(&rates, shared)
}

#[cfg(test)]
mod tests;
