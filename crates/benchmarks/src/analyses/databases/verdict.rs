//! Whether a point counts, and what holds it back.
use super::{Database, Point};
use crate::say;
use estimates::analyses::drift::{Drift, Resource};
use estimates::between_runs::Kind;
use estimates::quantity::{many, plain};
use estimates::words::{number, percent};
use record::{Between, CpuSet, Message, Metric, ProbeId, Reason, Run, Text, Unit, param};
use stats::Sample;

/// Something that must hold for a point to count, and does not.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gate {
    /// Its name: `foreign`, `steal`, `clients`, `siblings`, `frequency`, `heat`, `spread`, `errors`, `disk`, `memory`.
    pub name: &'static str,
    /// The value found, with the limit.
    pub found: Text,
}

/// The limit of a point.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Its CPUs are full, and an event costs what it costs on one core: more cores do more.
    Scales,
    /// Its CPUs are full, and an event costs so many times as much as on one core: memory, caches or spinning locks.
    Memory(f64),
    /// Its CPUs are used to this share only, and its clients could ask more: connections wait for locks.
    Locks(f64),
    /// The clients' CPUs are full, or they share the server's.
    Clients,
    /// It reads from disks, or its commits wait for them.
    Disk,
    /// Unknown.
    Unknown(Reason),
}

impl Default for Verdict {
    fn default() -> Verdict {
        Verdict::Unknown(Reason::new(say::DB_NOT_MEASURED))
    }
}

/// CPU use from which CPUs are full, and below which they are not.
const FULL: f64 = 0.97;
const NOT_FULL: f64 = 0.95;
/// CPU use from which a client cannot ask more; one that never sleeps has to find nothing to do for the rest of its time.
const CLIENT_FULL: f64 = 0.9;
/// Connections a CPU that are needed to fill it: while one is answered the others ask.
const FILLING: u64 = 4;
/// Share of the connections' time in locks of rows, from which these are what they wait for.
const LOCKED: f64 = 0.01;
/// Pages read from disk for each event, from which a point is one of the disk's: a read of a hundred microseconds is then a
/// hundredth of an event of ten.
const READS: f64 = 1e-3;
/// Cost of an event over that on one core, from which something shared is slow.
const DEARER: f64 = 1.15;
/// CPU time of others, and time stolen, from which a point does not count: a twentieth, as the environment check warns of
/// others. What is below widens the interval.
const FOREIGN: f64 = 0.05;
const STEAL: f64 = 0.05;
/// Share of a server's memory on the nodes that it was bound to, below which a point does not count.
const ON_NODES: f64 = 0.95;
/// Range of the frequency within a point, on a host that is steadier.
const CLOCK: f64 = 0.03;
/// Variation of repeats on a host that is steadier: of point selects, and of transactions.
const SPREAD: [f64; 2] = [0.02, 0.05];

/// How far the host moved in the same run by its reference samples, which ask no database. A point is excluded for what it has
/// and the host has not; what the host has widens the interval.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Host {
    /// Range of the frequency, a share of its median.
    frequency: f64,
    /// The range of what moved furthest: the core, its caches or memory.
    furthest: f64,
}

impl Host {
    pub(super) fn of(drift: Option<&Drift>) -> Host {
        let Some(drift) = drift else { return Host::default() };
        let ranges = drift.sampled().map(|moved| moved.range);
        Host {
            frequency: drift.of(Resource::Frequency).unwrap_or(0.0),
            furthest: ranges.fold(0.0, f64::max),
        }
    }
    /// Standard deviation that the host and the time that others took explain. That of values of a known range is half of it
    /// at most (Popoviciu 1935).
    fn explains(&self, taken: f64) -> f64 {
        (self.furthest / 2.0).hypot(of_others(taken))
    }
    /// The part of it by which a point's interval is wider: not all loads rest on what moved, and one whose windows vary less
    /// than the host does not.
    pub(super) fn widens(&self, windows: f64, taken: f64) -> f64 {
        (self.furthest / 2.0).min(windows).hypot(of_others(taken))
    }
}

/// Standard deviation of the logarithm of a rate for this share of time that others took.
fn of_others(taken: f64) -> f64 {
    Kind::System.per_taken() * taken
}

/// Share of a point's CPU time that other programs and the hypervisor took.
pub(super) fn taken(runs: &[&Run], workload: ProbeId) -> f64 {
    ["foreign", "steal"].iter().filter_map(|name| worst(runs, workload, name)).sum()
}

/// A reading of the workload.
fn reading(run: &Run, workload: ProbeId, name: &str) -> Option<f64> {
    let named = format!("{workload}.{name}");
    run.readings.iter().find(|r| r.name == named).map(|r| r.value)
}

/// The largest of a reading over the runs.
fn worst(runs: &[&Run], workload: ProbeId, name: &str) -> Option<f64> {
    runs.iter().filter_map(|run| reading(run, workload, name)).reduce(f64::max)
}

/// Seconds of a run's window.
fn seconds(run: &Run) -> f64 {
    run.case.get(param::SECONDS).unwrap_or(1.0)
}

/// Events of all windows of a run, of every kind.
fn events(run: &Run) -> f64 {
    let all = run.metric(Metric::Transactions).or_else(|| run.metric(Metric::Throughput));
    all.map_or(0.0, |all| all.samples.iter().sum::<f64>() * seconds(run))
}

/// Share of all connections' time in locks of rows, at its worst.
pub(super) fn locked(point: &Point, runs: &[&Run], workload: ProbeId) -> Option<f64> {
    let share = |run: &&Run| {
        let windows = run.metric(Metric::Throughput)?.samples.len() as f64;
        let time = windows * seconds(run) * point.connections as f64;
        Some(reading(run, workload, "engine.row_lock_seconds")? / time.max(1e-9))
    };
    runs.iter().filter_map(share).reduce(f64::max)
}

fn spins(runs: &[&Run]) -> bool {
    runs.iter().any(|r| r.case.get(param::WAIT) == Some("spin"))
}

/// Whether nobody looked if clients could ask more. Terminals have a connection each: they wait for it and for nothing else.
pub(super) fn unseen(runs: &[&Run], workload: ProbeId) -> bool {
    let idle = runs.iter().any(|r| reading(r, workload, "client_idle").is_some());
    workload == ProbeId::PointSelect && spins(runs) && !idle
}

/// The use of the clients' CPUs by them alone, where a server may be on these, too.
fn clients_full(run: &Run) -> Option<f64> {
    let clients: CpuSet = run.case.get(param::CLIENTS)?.parse().ok()?;
    let used = stats::median(&run.metric(Metric::ClientCpusUsed)?.undisturbed())?;
    Some(used / clients.len().max(1) as f64)
}

/// What was found, with the limit.
type Found = fn(String, String) -> Text;

/// The conditions that are not met.
pub(super) fn gates(point: &Point, runs: &[&Run], workload: ProbeId, host: Host) -> Vec<Gate> {
    let worst = |name: &str| worst(runs, workload, name);
    // The larger of a fixed limit and what the host had in this run.
    let beyond = |name, found: Found, value: Option<f64>, fixed: f64, host: f64| {
        let limit = fixed.max(host);
        let found = found(percent(value.filter(|value| *value > limit)?), percent(limit));
        let found = if host > fixed { say::as_reference_moved(found) } else { found };
        Some(Gate { name, found })
    };
    let above = |name, found: Found, value, limit| beyond(name, found, value, limit, 0.0);
    let spins = spins(runs);
    let full = || runs.iter().filter_map(|r| clients_full(r)).reduce(f64::max);
    let busiest = worst("client_busiest").or_else(|| if point.pinned { None } else { full() });
    let busiest = busiest.filter(|_| !spins && !point.shared);
    let frequency = runs.iter().filter_map(|r| frequency_spread(r)).reduce(f64::max);
    let limit = SPREAD[usize::from(workload == ProbeId::Tpcc)];
    let mut found: Vec<Gate> = [
        above("foreign", say::gate_foreign, worst("foreign"), FOREIGN),
        above("steal", say::gate_steal, worst("steal"), STEAL),
        above("clients", say::gate_clients, busiest, CLIENT_FULL),
        beyond("frequency", say::gate_frequency, frequency, CLOCK, host.frequency),
        beyond("spread", say::gate_spread, point.cv, limit, host.explains(point.taken)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut fail = |name, what: Text| found.push(Gate { name, found: what });
    if let Some(given_up) = worst("given_up").filter(|n| *n > 0.0) {
        fail("errors", say::gate_errors(number(given_up)));
    }
    if let Some(times) = worst("throttled").filter(|n| *n > 0.0) {
        fail("heat", say::gate_heat(number(times)));
    }
    let reads = |r: &&Run| Some(reading(r, workload, "engine.disk_reads")? / events(r).max(1.0));
    if let Some(reads) = runs.iter().filter_map(reads).reduce(f64::max).filter(|n| *n > READS) {
        let (reads, most) = (number(reads), number(READS));
        fail("disk", say::gate_disk(reads, most));
    }
    let idle = runs.iter().filter_map(|r| reading(r, workload, "client_idle")).reduce(f64::min);
    if let Some(idle) = idle.filter(|idle| *idle < 1.0 - CLIENT_FULL) {
        let (idle, least) = (percent(idle), percent(1.0 - CLIENT_FULL));
        fail("clients", say::gate_idle(idle, least));
    }
    if point.siblings {
        fail("siblings", say::GATE_SIBLINGS.into());
    }
    let on_nodes = format!("{workload}.on_nodes");
    let on_nodes = runs.iter().flat_map(|r| &r.readings).filter(|r| r.name == on_nodes);
    if let Some(share) = on_nodes.map(|r| r.value).reduce(f64::min).filter(|x| *x < ON_NODES) {
        let (share, least) = (percent(share), percent(ON_NODES));
        fail("memory", say::gate_memory(share, least));
    }
    if point.shared {
        fail("clients", say::GATE_SHARED.into());
    }
    found
}

/// The range of the frequencies of a point's windows, as of the reference samples: from the 5th to the 95th percentile, a
/// share of the median.
fn frequency_spread(run: &Run) -> Option<f64> {
    let (cycles, seconds) = (run.metric(Metric::Cycles)?, run.metric(Metric::CpuTime)?);
    let frequencies: Vec<f64> = cycles
        .samples
        .iter()
        .zip(&seconds.samples)
        .filter(|(_, s)| **s > 0.0)
        .map(|(c, s)| c / s)
        .collect();
    Sample::new(&frequencies)?.range()
}

pub(super) fn verdict(point: &Point, alone: Option<&Point>) -> Verdict {
    let unknown = |why: Message| Verdict::Unknown(Reason::new(why));
    if point.median.is_none() {
        return Verdict::default();
    }
    let Some(full) = point.full else {
        return unknown(say::DB_TIME_UNSEEN);
    };
    let failed = |name: &str| point.gates.iter().any(|g| g.name == name);
    if failed("foreign") || failed("steal") {
        return Verdict::Unknown(Reason::mended_by(say::DB_OTHERS_USED, say::DB_NOTHING_ELSE));
    }
    if failed("disk") {
        return Verdict::Disk;
    }
    if failed("clients") {
        return Verdict::Clients;
    }
    if !point.pinned {
        return unknown(say::DB_NOT_PINNED);
    }
    if failed("siblings") {
        return unknown(say::DB_SIBLINGS_SLOW);
    }
    // Of the time that others left.
    let left = full / (1.0 - point.taken).max(0.5);
    if left < NOT_FULL {
        return not_full(point, full);
    }
    if left < FULL {
        return Verdict::Unknown(Reason::new(say::db_neither(percent(full))));
    }
    // By cycles where they are counted: a frequency that falls with more cores is no coherence traffic.
    let dearer = |of: &dyn Fn(&Point) -> Option<f64>| Some(of(point)? / of(alone?)?);
    match dearer(&|p| p.cycles).or_else(|| dearer(&|p| p.cpu_time)) {
        Some(times) if times > DEARER && point.cores > 1 => Verdict::Memory(times),
        Some(_) => Verdict::Scales,
        None => Verdict::Unknown(Reason::mended_by(say::DB_COST_UNMEASURED, say::DB_POINTS_ONE)),
    }
}

/// The limit of a point whose CPUs are not full.
fn not_full(point: &Point, full: f64) -> Verdict {
    if point.durable {
        return Verdict::Disk;
    }
    // Threads that do the work themselves have nobody else to wait for.
    if !point.served || point.locked.is_some_and(|share| share > LOCKED) {
        return Verdict::Locks(full);
    }
    if point.connections < FILLING * point.threads as u64 {
        return Verdict::Unknown(Reason::mended_by(
            say::db_few_connections(percent(full), point.connections),
            say::db_more_threads(FILLING),
        ));
    }
    if point.unseen {
        return Verdict::Unknown(Reason::new(say::DB_CLIENTS_UNSEEN));
    }
    Verdict::Locks(full)
}

impl Verdict {
    fn short(&self) -> Text {
        match self {
            Verdict::Scales => say::DB_FULL.into(),
            Verdict::Memory(times) => say::db_full_dearer(number(*times)),
            Verdict::Locks(_) => say::DB_NOT_FULL.into(),
            Verdict::Clients => say::DB_CLIENT_BOUND.into(),
            Verdict::Disk => say::DB_DISK_BOUND.into(),
            Verdict::Unknown(why) => say::db_unknown(&why.why),
        }
    }
}

impl Point {
    /// The verdict in a few words, for a table.
    pub fn short(&self) -> Text {
        match self.counts() || self.median.is_none() {
            true => self.verdict.short(),
            false => say::db_not_counting(self.verdict.short()),
        }
    }
}

/// The gain of other placements on the same step, against the one that was planned first.
fn placements(database: &Database) -> Vec<Text> {
    let mut said = vec![];
    let of_a_step = |a: &Point, b: &Point| a.step == b.step && a.connections == b.connections;
    for (at, point) in database.points.iter().enumerate() {
        let earlier = &database.points[..at];
        let Some(base) = earlier.iter().find(|other| of_a_step(other, point)) else { continue };
        let (Some(mine), Some(theirs), Some(median), Some(other)) =
            (point.interval, base.interval, point.median, base.median)
        else {
            continue;
        };
        let [own, with] = [point, base].map(|p| p.placement.clone().unwrap_or_default());
        let step = &point.step;
        let apart = mine.low > theirs.high || mine.high < theirs.low;
        said.push(match apart {
            true => say::db_placement_times(step, own, number(median / other), with),
            false => say::db_placement_same(step, own, with, number(median / other)),
        });
    }
    said
}

impl Database {
    /// A point's name, with what tells it from others on its step.
    fn name(&self, point: &Point) -> Text {
        let of_step = |p: &&Point| p.step == point.step && p.placement == point.placement;
        let each = |p: &Point| p.connections / p.threads.max(1) as u64;
        let several = self.points.iter().any(|p| each(p) != each(&self.points[0]));
        let several = several || self.points.iter().filter(of_step).count() > 1;
        let connections = several.then(|| say::db_connections(point.connections as usize));
        let placement = point.placement.as_deref().map(Text::from);
        let which = Text::list(placement.into_iter().chain(connections), Between::Comma);
        match which.is_empty() {
            true => Text::from(&point.step),
            false => say::db_point(&point.step, which),
        }
    }
    /// What it does and what holds it back, in a few sentences.
    pub fn brief(&self) -> Vec<Text> {
        let tpcc = self.workload == ProbeId::Tpcc;
        let rate = |p: &Point| {
            let x = p.median.unwrap_or(0.0);
            match tpcc {
                // New orders are counted by the minute.
                true => many(x * 60.0),
                false => plain(x, Unit::PerSecond),
            }
        };
        let done = |p: &&Point| p.median.is_some();
        let mut said = vec![];
        let (first, best) = (
            self.points.iter().find(done),
            self.points
                .iter()
                .filter(done)
                .max_by(|a, b| a.median.unwrap_or(0.0).total_cmp(&b.median.unwrap_or(0.0))),
        );
        if let (Some(first), Some(best)) = (first, best) {
            let (name, one, most) = (self.name(first), rate(first), rate(best));
            let other = Some(self.name(best)).filter(|best| *best != name);
            let against = best.efficiency.map(percent).zip(best.against.as_ref());
            let against = against.map(|(share, a)| (share, &a.step, a.connections as usize));
            said.push(match (other, against) {
                (None, _) if tpcc => say::db_orders(name, one),
                (None, _) => say::db_queries(name, one),
                (Some(best), None) if tpcc => say::db_orders_best(name, one, best, most),
                (Some(best), None) => say::db_queries_best(name, one, best, most),
                (Some(best), Some((share, base, with))) if tpcc => {
                    say::db_orders_efficiency(name, one, best, most, share, base, with)
                }
                (Some(best), Some((share, base, with))) => {
                    say::db_queries_efficiency(name, one, best, most, share, base, with)
                }
            });
        }
        for point in self.points.iter().filter(|p| p.cores > 1 || p.threads > 1) {
            match &point.verdict {
                Verdict::Memory(times) => {
                    said.push(say::db_memory(self.name(point), number(*times)))
                }
                Verdict::Locks(full) => said.push(say::db_locks(self.name(point), percent(*full))),
                _ => {}
            }
        }
        let out = |p: &&Point| p.median.is_some() && !p.gates.is_empty();
        said.extend(placements(self));
        let out = self.points.iter().filter(out).map(|p| self.name(p));
        let out = Text::list(out, Between::Comma);
        if !out.is_empty() {
            said.push(say::db_points_out(out));
        }
        said
    }
    /// The same, and why points do not count, and the law. Full sentences.
    pub fn says(&self) -> Vec<Text> {
        let mut said = self.brief();
        for point in self.points.iter().filter(|p| !p.gates.is_empty()) {
            let why = Text::list(point.gates.iter().map(|g| &g.found), Between::Semicolon);
            said.push(say::db_point_out(self.name(point), why));
        }
        if let Ok(law) = &self.law {
            said.push(say::db_law(percent(law.sigma), number(law.kappa)));
        }
        said
    }
}
