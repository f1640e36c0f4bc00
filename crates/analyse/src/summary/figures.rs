//! The figures of a run: each the same estimate, plateau or class that the report's tables show.
mod between;

pub use between::STATED_L3;
use between::mostly_elsewhere;
pub(crate) use between::remote_memory;

use super::judged::judge;
use super::{FigureId, Quantity, State};
use crate::databases::Databases;
use crate::noise::NoiseResult;
use crate::{
    BandwidthScaling, Curve, Estimate, Interval, Loaded, Misprediction, Operation, Plateau, Report,
    ScalingRuns, facts,
};
use benchmarks::quantities::copies;
use estimates::estimate::elsewhere_of;
use record::{Metric, Pages, ProbeId, Sort, Unit, param};

/// A number that answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its id.
    pub id: FigureId,
    /// The argument of its name: a number of cores or copies, a relation of two CPUs, a workload.
    pub of: Option<String>,
    /// The number.
    pub quantity: Quantity,
    /// The median in core cycles.
    pub cycles: Option<f64>,
    /// Comparisons with known values, a judgement first.
    pub notes: Vec<Note>,
    /// Whether what it rests on moved beyond its limit while it was measured.
    pub moved: bool,
}

impl Figure {
    fn new(id: FigureId, quantity: Quantity) -> Figure {
        Figure { id, of: None, quantity, cycles: None, notes: vec![], moved: false }
    }
    /// An estimate, seen at other levels too. One with several modes has that of most samples as its value, for a median across
    /// modes means nothing. Levels of another placement are modes, too, where most samples are of them, but not the value: what
    /// runs have in common is the nearest placement.
    fn estimate(id: FigureId, e: &Estimate, others: &[State]) -> Figure {
        let own = match &e.states[..] {
            [] | [_] => vec![State { level: e.median, count: e.count }],
            several => several.to_vec(),
        };
        let own = own.iter().chain(others);
        let most = modes(own.clone()).into_iter().max_by_key(|s| s.count);
        let modes = modes(own.chain(mostly_elsewhere(&e.elsewhere, e.count)));
        let cycles = e.cycles.filter(|_| modes.is_empty());
        let value = most.map_or(e.median, |s| s.level);
        let quantity = Quantity { modes, ..Quantity::within(value, e.unit, e.interval) };
        let elsewhere = Note::elsewhere(&e.elsewhere, e.median, e.count);
        let figure = Figure { cycles, moved: e.moved.is_some(), ..Figure::new(id, quantity) };
        // What is one of the modes is said with them.
        let modes = &figure.quantity.modes;
        let known = |value: f64| modes.iter().any(|mode| !apart(mode.level, value));
        let elsewhere =
            elsewhere.filter(|n| !matches!(n, Note::Elsewhere { value, .. } if known(*value)));
        figure.note(elsewhere)
    }
    fn plateau(id: FigureId, p: &Plateau) -> Figure {
        let quantity = Quantity::within(p.seconds, Unit::Seconds, p.interval);
        Figure { cycles: p.cycles, ..Figure::new(id, quantity) }
    }
    fn of(mut self, of: impl ToString) -> Figure {
        self.of = Some(of.to_string());
        self
    }
    /// The figure of a plateau, by the points on it.
    fn of_curve(mut self, report: &Report<'_>, curve: &Curve, p: &Plateau) -> Figure {
        let on_it = curve.points.iter().filter(|at| (p.from..=p.to).contains(&at.bytes));
        let mut estimates = on_it.filter_map(|at| report.estimates.get(at.estimate));
        self.moved = estimates.any(|e| e.moved.is_some());
        self
    }
    fn note(mut self, note: Option<Note>) -> Figure {
        self.notes.extend(note);
        self
    }
    /// Whether a table of the summary shows it too.
    pub fn is_in_table(&self) -> bool {
        use FigureId::{DatabaseThroughput, ScalingThroughputAllCores, ScalingThroughputOneCore};
        matches!(self.id, ScalingThroughputOneCore | ScalingThroughputAllCores | DatabaseThroughput)
    }
    /// Whether it has no single value.
    pub fn is_doubtful(&self) -> bool {
        self.quantity.modes.len() > 1
    }
}

impl Note {
    /// The note on samples in another placement, beside a value of so many samples.
    fn elsewhere(levels: &[State], value: f64, count: usize) -> Option<Note> {
        let (value, share) = elsewhere_of(levels, value, count)?;
        Some(Note::Elsewhere { value, share })
    }
}

/// A comparison of a figure with a known value. Shares and factors are ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Note {
    /// At the frequency that the machine states, within 1 %.
    AtRated(Rated),
    /// This share below the stated frequency.
    BelowRated(f64, Rated),
    /// This share above the stated frequency.
    AboveRated(f64, Rated),
    /// As published of the microarchitecture.
    AsExpected,
    /// Better than published of it.
    BetterThanExpected,
    /// This share of the speed that is published for the microarchitecture.
    OfExpected(f64),
    /// Its place among machines of the catalogue, the fastest first, by the figure or its equivalent metric.
    Rank {
        /// From 1 on.
        place: usize,
        /// Machines, this one among them.
        of: usize,
        /// The equivalent metric of this machine in seconds, where it is by that.
        by: Option<f64>,
    },
    /// Machines of the same microarchitecture in the catalogue, by an equivalent metric, in seconds.
    OfKind {
        /// The least.
        low: f64,
        /// The most.
        high: f64,
        /// The number of machines.
        machines: usize,
    },
    /// This share of what the memory modules can deliver.
    OfPeak(f64),
    /// This share of what the memory channels of such a processor can deliver at most.
    OfModelPeak(f64),
    /// The rate of each core, as a share of that of one core alone.
    EachGets(f64),
    /// This share less than on base pages.
    LessThanBase(f64),
    /// Beside the same without load, on the same pages: not those of the latency figures.
    TimesIdle {
        /// That many times.
        times: f64,
        /// Without load, in seconds.
        idle: f64,
        /// Pages of both.
        pages: Pages,
    },
    /// Beside the same of the own NUMA node.
    TimesLocal {
        /// That many times.
        times: f64,
        /// Latency of the own node, in seconds.
        local: f64,
    },
    /// This share of the value of the own NUMA node.
    OfLocal(f64),
    /// There and back, in seconds.
    RoundTrip(f64),
    /// Its value while the CPUs were at another distance, and the share of the samples.
    Elsewhere {
        /// In the figure's unit.
        value: f64,
        /// Share of all samples.
        share: f64,
    },
    /// On base pages it is this.
    OnBase {
        /// In seconds.
        seconds: f64,
        /// Its interval, in seconds.
        interval: Option<Interval>,
        /// Bytes of a page; 0 where the record does not say.
        page: u64,
    },
    /// The curve rises up to this working set, in bytes.
    StillRises(f64),
    /// Operations per cycle.
    PerCycle(f64),
    /// This many times the value of one core or copy.
    TimesOne(f64),
    /// The number of UnixBench's twelve tests with a score: the index is partial.
    Tests(usize),
    /// The rate of a core, as a share of that of one core alone.
    Efficiency(f64),
}

/// The frequency that the machine states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rated {
    /// The one that it keeps on all cores.
    Base,
    /// The most of one core.
    Boost,
}

/// Two levels of one figure farther apart than this are modes: the noise of one state stays within.
pub const APART: f64 = 1.3;

fn apart(a: f64, b: f64) -> bool {
    a > 0.0 && b > 0.0 && (a / b).max(b / a) > APART
}

/// The levels that are apart from each other, ascending; of those that are not, the first with the samples of all. Empty where
/// there is but one.
fn modes<'a>(all: impl Iterator<Item = &'a State>) -> Vec<State> {
    let mut found: Vec<State> = vec![];
    for state in all {
        match found.iter_mut().find(|known| !apart(known.level, state.level)) {
            Some(known) => known.count += state.count,
            None => found.push(*state),
        }
    }
    if found.len() < 2 {
        return vec![];
    }
    found.order_by(|a, b| a.level.total_cmp(&b.level));
    found
}

/// All figures that the record has, in reading order.
pub(super) fn figures(report: &Report<'_>) -> Vec<Figure> {
    let mut all = core(report);
    all.extend(latency(report));
    all.extend(bandwidth(report));
    all.extend(between::figures(report));
    all.extend(system(report));
    all.extend(workloads(report));
    all.retain(|f| f.quantity.value.is_finite() && f.quantity.value > 0.0);
    all.order_by_key(|f| f.id);
    for figure in &mut all {
        judge(report, figure);
    }
    all
}

fn core(report: &Report<'_>) -> Vec<Figure> {
    let mut all = vec![];
    if let Ok(e) = report.one(ProbeId::CoreFrequency, Metric::Frequency, []) {
        let cpu = report.record.runs.get(e.run).and_then(|r| r.case.place.cpus.first());
        let rated = facts::rated_frequencies(&report.record.machine, cpu).ok();
        let note = rated.and_then(|all| all.last().copied()).map(|rated| {
            let which = if rated.name == "base" { Rated::Base } else { Rated::Boost };
            match e.median / rated.hertz - 1.0 {
                off if off.abs() < 0.01 => Note::AtRated(which),
                off if off > 0.0 => Note::AboveRated(off, which),
                off => Note::BelowRated(-off, which),
            }
        });
        all.push(Figure::estimate(FigureId::CoreFrequency, e, &[]).note(note));
    }
    if let Some(o) = report.get::<Vec<Operation>>().iter().find(|o| o.op == "fma_vector")
        && let Some(flops) = o.flops
    {
        let quantity = Quantity::within(flops, Unit::PerSecond, o.flops_interval);
        let figure = Figure::new(FigureId::VectorFlops, quantity);
        all.push(figure.note(o.per_cycle.map(Note::PerCycle)));
    }
    if let Some(miss) = report.get::<Vec<Misprediction>>().first() {
        let quantity = Quantity::within(miss.seconds, Unit::Seconds, miss.interval);
        all.push(Figure { cycles: miss.cycles, ..Figure::new(FigureId::BranchMiss, quantity) });
    }
    all
}

/// A cache's latency without that of address translation: on huge pages, else in an order that spares the TLB, else as it is.
pub(crate) fn cache<'r>(report: &'r Report<'_>, name: &str) -> Option<&'r Plateau> {
    Some(cache_on_curve(report, name)?.1)
}

fn cache_on_curve<'r>(report: &'r Report<'_>, name: &str) -> Option<(&'r Curve, &'r Plateau)> {
    let curve = report.get::<Vec<Curve>>().get(curve_of_cache(report, name)?)?;
    Some((curve, curve.plateau(name)?))
}

/// The curve that tells a cache's latency, by its place in the list of them.
pub(super) fn curve_of_cache(report: &Report<'_>, name: &str) -> Option<usize> {
    let curves = report.get::<Vec<Curve>>();
    let choices = [("random", Pages::Thp), ("grouped", Pages::Base), ("random", Pages::Base)];
    let found = |(order, pages)| curves.iter().position(|c| c.order == order && c.pages == pages);
    choices.into_iter().filter_map(found).find(|at| curves[*at].plateau(name).is_some())
}

/// The read bandwidth of all cores with all levels that it was seen at.
pub(crate) fn read_bandwidth_of_all_cores(report: &Report<'_>) -> Option<Figure> {
    bandwidth(report).into_iter().find(|f| f.id == FigureId::ReadBandwidthAllCores)
}

/// Latencies of caches and memory, and of memory under load.
pub(crate) fn latency<'r>(report: &'r Report<'_>) -> Vec<Figure> {
    let mut all = vec![];
    let base = Curve::of(report, "random", Pages::Base);
    let huge = Curve::of(report, "random", Pages::Thp);
    let level = |curve: Option<&'r Curve>, name: &str| curve?.plateau(name);
    let page = base.and_then(|curve| base_page(report, curve)).unwrap_or(0);
    for (id, name) in
        [(FigureId::L1Latency, "L1"), (FigureId::L2Latency, "L2"), (FigureId::L3Latency, "L3")]
    {
        let on_base = level(base, name);
        let Some((curve, p)) = cache_on_curve(report, name) else { continue };
        // Two curves of one cache that disagree are both shown, and one that is known much less well.
        let ends = |p: &Plateau| p.interval.map_or((p.seconds, p.seconds), |i| (i.low, i.high));
        let (low, high) = ends(p);
        let unlike = |b: &&Plateau| {
            let wider = low / ends(b).0 > APART || ends(b).1 / high > APART;
            b.seconds / p.seconds > APART || wider
        };
        let other = on_base.filter(|b| !std::ptr::eq(*b, p)).filter(unlike);
        let figure = Figure::plateau(id, p).of_curve(report, curve, p);
        all.push(figure.note(other.map(|b| Note::OnBase {
            seconds: b.seconds,
            interval: b.interval,
            page,
        })));
    }
    if let Some((curve, p)) = base.zip(level(base, "memory")) {
        let figure = Figure::plateau(FigureId::MemoryLatency, p).of(page);
        all.push(figure.of_curve(report, curve, p));
    }
    if let Some((curve, p)) = huge.zip(level(huge, "memory")) {
        let saved = level(base, "memory").map(|b| 1.0 - p.seconds / b.seconds);
        let note = saved.filter(|s| *s > 0.0).map(Note::LessThanBase);
        let figure = Figure::plateau(FigureId::MemoryLatencyHugePages, p);
        all.push(figure.of_curve(report, curve, p).note(note));
    }
    let rises = level(base, "memory").is_none();
    let grouped = Curve::of(report, "grouped", Pages::Base);
    if rises
        && level(huge, "memory").is_none()
        && let Some((curve, p)) = grouped.zip(level(grouped, "memory"))
    {
        let figure = Figure::plateau(FigureId::MemoryLatencyGrouped, p);
        all.push(figure.of_curve(report, curve, p));
    }
    for (id, curve) in [
        (FigureId::LargestWorkingSetLatency, base),
        (FigureId::LargestWorkingSetLatencyHugePages, huge),
    ] {
        if let Some(point) = curve.and_then(Curve::largest_working_set)
            && let Some(e) = report.estimates.get(point.estimate)
        {
            let figure = Figure::estimate(id, e, &[]).of(page);
            all.push(figure.note(Some(Note::StillRises(point.bytes))));
        }
    }
    let loaded = report.get::<Vec<Loaded>>();
    let loaded = loaded.iter().find(|l| l.inject == "read").or(loaded.first());
    if let Some(loaded) = loaded
        && let Some(last) = loaded.points.last().filter(|p| p.level > 0)
        && let Some(e) = report.estimates.get(last.estimate)
    {
        let idle = loaded.idle.filter(|i| *i > 0.0);
        let pages = report.record.runs[loaded.run].case.place.pages;
        let times = |idle| Note::TimesIdle { times: last.seconds / idle, idle, pages };
        let note = idle.map(times);
        all.push(Figure::estimate(FigureId::LoadedLatency, e, &[]).note(note));
    }
    all
}

/// Bytes of a page of a curve on base pages, where the record says it.
fn base_page(report: &Report<'_>, curve: &Curve) -> Option<u64> {
    let estimate = report.estimates.get(curve.points.last()?.estimate)?;
    let buffer = report.series(estimate)?.buffer.as_ref()?;
    (buffer.base_page > 0).then_some(buffer.base_page)
}

fn bandwidth(report: &Report<'_>) -> Vec<Figure> {
    let mut all = vec![];
    let cpus = |e: &Estimate| report.record.runs[e.run].case.place.cpus.len();
    let of = |kernel: &'static str, threads: &'static str| {
        let at = [(param::KERNEL, kernel), (param::ONE_OR_ALL, threads)];
        let found = report.all(ProbeId::Bandwidth, Metric::Bandwidth, at).last()?;
        let mut others: Vec<State> = vec![];
        let threads = if threads == "one" { 1 } else { cpus(found) };
        for scaling in report.get::<Vec<BandwidthScaling>>().iter().filter(|s| s.kernel == kernel) {
            let points = scaling.points.iter().filter(|p| p.threads == threads);
            let count = |at: usize| report.estimates.get(at).map_or(0, |e| e.count);
            others.extend(
                points.map(|p| State { level: p.bytes_per_second, count: count(p.estimate) }),
            );
        }
        Some((found, others))
    };
    let one = of("read", "one");
    if let Some((e, others)) = &one {
        all.push(Figure::estimate(FigureId::ReadBandwidthOneCore, e, others));
    }
    if let Some((e, others)) = of("read", "all") {
        let cores = cpus(e);
        let figure = Figure::estimate(FigureId::ReadBandwidthAllCores, e, &others).of(cores);
        let each = one.as_ref().filter(|_| cores > 1 && !figure.is_doubtful());
        let each = each.map(|(one, _)| Note::EachGets(e.median / one.median / cores as f64));
        all.push(figure.note(each));
    }
    if let Some((e, others)) = of("copy_nt", "all") {
        all.push(Figure::estimate(FigureId::CopyBandwidthAllCores, e, &others).of(cpus(e)));
    }
    all
}

fn system(report: &Report<'_>) -> Vec<Figure> {
    let mut all = vec![];
    let fault = report.all(
        ProbeId::PageFault,
        Metric::TimePerFault,
        [(param::MAPPING, "anonymous"), (param::ONE_OR_ALL, "one")],
    );
    all.extend(fault.last().map(|e| Figure::estimate(FigureId::MinorPageFault, e, &[])));
    let others = |e: &&Estimate| param::OTHERS.of(&e.at);
    let unmap = report.all(ProbeId::TlbShootdown, Metric::TimePerCall, [(param::CALL, "munmap")]);
    if let Some(e) = unmap.max_by_key(others)
        && let Some(n) = others(&e).filter(|n| *n > 0)
    {
        all.push(Figure::estimate(FigureId::TlbShootdown, e, &[]).of(n));
    }
    let call = report
        .all(ProbeId::KernelOps, Metric::TimePerRequest, [(param::REQUEST, "null_call")])
        .last();
    all.extend(call.map(|e| Figure::estimate(FigureId::SystemCall, e, &[])));
    if let Some(noise) = &report.get::<NoiseResult>().0 {
        let bound = noise.cpus.iter().filter(|c| c.binding == "bound");
        if let Some(most) = bound.clone().max_by(|a, b| a.share.total_cmp(&b.share)) {
            let figure = Figure::new(FigureId::OsNoise, Quantity::plain(most.share, Unit::Ratio));
            all.push(figure.of(most.cpu.map_or(String::new(), |cpu| cpu.to_string())));
        }
        let longest = bound.filter_map(|c| Some((c.longest?, c.cpu)));
        if let Some((longest, cpu)) = longest.max_by(|a, b| a.0.total_cmp(&b.0)) {
            let quantity = Quantity::plain(longest, Unit::Seconds);
            let figure = Figure::new(FigureId::LongestDetour, quantity);
            all.push(figure.of(cpu.map_or(String::new(), |cpu| cpu.to_string())));
        }
    }
    all
}

fn workloads(report: &Report<'_>) -> Vec<Figure> {
    let mut all = vec![];
    let primes = |threads: &'static str| {
        let at = [(param::SYSBENCH, "1.0"), (param::ONE_OR_ALL, threads)];
        report.all(ProbeId::Prime, Metric::Events, at).last()
    };
    let one = primes("one");
    all.extend(one.map(|e| Figure::estimate(FigureId::PrimesOneCore, e, &[])));
    if let Some(e) = primes("all") {
        let note = one.map(|one| Note::TimesOne(e.median / one.median));
        let cpus = report.record.runs[e.run].case.place.cpus.len();
        all.push(Figure::estimate(FigureId::PrimesAllCores, e, &[]).of(cpus).note(note));
    }
    if let Some(bench) = copies::own_or_printed(report) {
        let scored = || bench.sections.iter().filter_map(|s| Some((s, s.total?)));
        let figure = |id, s: &crate::unixbench::Section, total| {
            let partial = s.partial().then_some(Note::Tests(s.tests.len()));
            Figure::new(id, Quantity::plain(total, Unit::Count)).of(s.copies).note(partial)
        };
        let first = scored().min_by_key(|(s, _)| s.copies);
        let most = scored().max_by_key(|(s, _)| s.copies);
        if let Some((s, total)) = first {
            all.push(figure(FigureId::UnixbenchIndex, s, total));
        }
        if let (Some((first, one)), Some((s, total))) = (first, most)
            && s.copies > first.copies
        {
            let figure = figure(FigureId::UnixbenchIndexAllCopies, s, total);
            let whole = figure.notes.is_empty() && first.copies == 1;
            all.push(figure.note(whole.then_some(Note::TimesOne(total / one))));
        }
    }
    if let Some(run) = report.get::<ScalingRuns>().0.first() {
        let cores: Vec<_> = run.cores().filter(|p| p.median.is_some()).collect();
        let figure = |id, p: &crate::ScalingPoint| {
            let quantity = Quantity::within(p.median?, run.unit, p.interval);
            let note = p.efficiency.filter(|_| p.cores > 1).map(Note::Efficiency);
            Some(Figure::new(id, quantity).of(p.cores).note(note))
        };
        if let Some(one) = cores.first().filter(|p| p.cores == 1) {
            all.extend(figure(FigureId::ScalingThroughputOneCore, one));
        }
        if let Some(last) = cores.last().filter(|p| p.cores > 1) {
            all.extend(figure(FigureId::ScalingThroughputAllCores, last));
        }
    }
    let points = report.get::<Databases>().0.iter().flat_map(|d| &d.points).filter(|p| p.counts());
    let rates = points.filter_map(|p| Some((p, p.median?)));
    if let Some((p, rate)) = rates.max_by(|a, b| a.1.total_cmp(&b.1)) {
        let quantity = Quantity::within(rate, Unit::PerSecond, p.interval);
        all.push(Figure::new(FigureId::DatabaseThroughput, quantity).of(p.cores));
    }
    all
}

#[cfg(test)]
mod tests;
