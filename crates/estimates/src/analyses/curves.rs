//! Latency over working set: which flat stretch is which cache, and why one is not to be trusted.
mod memory;
mod next_run;
mod shared;

use crate::analysis::{Analysis, Entry};
use crate::expected::{Microarchitecture, Quantity};
use crate::report::Report;
use crate::say;
use crate::words;
use record::{Cache, Metric, Pages, ProbeId, Reason, Record, Run, Series, Sort, param};
use stats::{Interval, Sample, plateau};

/// Latency over working set on one kind of page.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Curve {
    /// Index into `record.runs`.
    pub run: usize,
    /// Pages that were asked for.
    pub pages: Pages,
    /// Share of the largest buffer verified to be on huge pages.
    pub huge_share: Option<f64>,
    /// Access order: `random`, `grouped` (TLB-friendly), or `stride` (ascending, which prefetchers hide).
    pub order: String,
    /// Bytes from slot to slot, where the record says it.
    pub stride: Option<f64>,
    /// Points by ascending working set.
    pub points: Vec<CurvePoint>,
    /// L1, L2, L3, memory: as far as a flat stretch was found for each.
    pub levels: Vec<Level>,
    /// Capacities in bytes at which the curve leaves a plateau.
    pub knees: Vec<f64>,
}

/// One working set.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurvePoint {
    /// Working set in bytes.
    pub bytes: f64,
    /// Seconds per load.
    pub seconds: f64,
    /// 95 % interval in seconds.
    pub interval: Option<Interval>,
    /// Core cycles per load.
    pub cycles: Option<f64>,
    /// The level that serves such a working set, by the stated sizes of the caches; `None` where they are not known.
    pub served: Option<Served>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// The level that serves a working set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Served {
    /// The cache of this level, or those nearer.
    Cache(u32),
    /// This cache and the next together: quoted as the latency of neither.
    Between(u32, u32),
    /// The last cache and memory together, up to four times that cache: not memory.
    NotMemory(u32),
    /// Memory, for the most part.
    Memory,
}

/// A flat stretch of a curve: one level of the memory hierarchy.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// `L1`, `L2`, `L3` or `memory`.
    pub name: String,
    /// Capacity in bytes that the machine states for it.
    pub stated: Option<f64>,
    /// The plateau, or why there is none to be trusted.
    pub found: Result<Plateau, Reason>,
}

/// A plateau of a curve, assigned to a level.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plateau {
    /// Smallest working set in bytes.
    pub from: f64,
    /// Largest working set in bytes.
    pub to: f64,
    /// Median latency in seconds.
    pub seconds: f64,
    /// 95 % interval in seconds: the latency that another run of this machine finds lies in it. Of fewer than four medians what
    /// the intervals of the points reach.
    pub interval: Option<Interval>,
    /// Median latency in core cycles.
    pub cycles: Option<f64>,
    /// (max - min) / median over its points.
    pub spread: f64,
    /// Points on it.
    pub points: usize,
}

impl Curve {
    /// The first curve of this order on such pages.
    pub fn of<'r>(report: &'r Report<'_>, order: &str, pages: Pages) -> Option<&'r Curve> {
        let curves = report.get::<Vec<Curve>>();
        curves.iter().find(|c| c.order == order && c.pages == pages)
    }
    /// A level's plateau, or why there is none.
    pub fn level(&self, name: &str) -> Option<Result<&Plateau, &Reason>> {
        self.levels.iter().find(|l| l.name == name).map(|l| l.found.as_ref())
    }
    /// A level's plateau, if it was found and is a duration: an importer's zero is none.
    pub fn plateau(&self, name: &str) -> Option<&Plateau> {
        self.level(name)?.ok().filter(|p| p.seconds > 0.0)
    }
    /// The largest working set, in memory, of a curve that still rises there.
    pub fn largest_working_set(&self) -> Option<&CurvePoint> {
        let point = self.points.last().filter(|_| self.plateau("memory").is_none())?;
        (point.served == Some(Served::Memory)).then_some(point)
    }
}

/// Between these multiples of a capacity two levels answer together and a
/// chase near a capacity scatters by a third between allocations, so no such point is quoted as the latency of either.
pub const BELOW_CAPACITY: f64 = 0.7;
pub const ABOVE_CAPACITY: f64 = 1.3;
/// The last cache is shared, with other cores and, unseen, with other machines: what one core gets of it ends earlier.
pub const BELOW_LAST: f64 = 0.4;
/// Below this multiple of the last cache more than a quarter of random loads may hit it: a mixture, not memory.
pub const MEMORY_BEYOND: f64 = 4.0;
/// A flat stretch that takes more than this share of what memory takes is no cache's.
pub const AS_MEMORY: f64 = 2.0 / 3.0;
/// A flat stretch that takes so many times what the processor's cache takes at most is a mixture with memory, as where
/// other guests hold most of the cache. Load and a slow uncore at most double it.
const AS_MIXTURE: f64 = 2.5;

/// Whether a buffer was large enough for memory to answer, as far as the caches' size is known.
pub fn is_memory(series: &Series) -> bool {
    let ratio = series.buffer.as_ref().and_then(|b| b.llc_ratio);
    ratio.is_none_or(|ratio| ratio >= MEMORY_BEYOND)
}

pub static ANALYSIS: Entry = Entry::of::<Vec<Curve>>();

impl Analysis for Vec<Curve> {
    const TITLE: &str = "Latency over working set, one per measured page kind.";
    const ORDER: u16 = 20;
    /// One curve for each measured sweep, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        let of = |elsewhere| -> Vec<Curve> {
            let sweeps = report.cases(ProbeId::LoadLatency);
            sweeps.filter_map(|(index, run)| curve(report, index, run, elsewhere)).collect()
        };
        let curves = of(None);
        // Where the order of loads or the size of pages keeps one curve from becoming flat, another tells what memory takes.
        let memory = curves.iter().filter_map(|c| c.plateau("memory")).map(|p| p.seconds);
        match memory.reduce(f64::min) {
            Some(memory) => of(Some(memory)),
            None => curves,
        }
    }
}

/// The curve of a case; `memory` is what a load takes at the end of the record's fastest flat curve, in seconds.
fn curve(report: &Report<'_>, index: usize, run: &Run, memory: Option<f64>) -> Option<Curve> {
    let record = report.record;
    let mut points: Vec<CurvePoint> = report
        .of_case(index, Metric::LoadToUse)
        .filter_map(|(i, e)| {
            Some(CurvePoint {
                bytes: param::WORKING_SET.of(&e.at)?,
                seconds: e.median,
                interval: e.interval,
                cycles: e.cycles,
                served: None,
                estimate: i,
            })
        })
        .filter(|p| p.bytes > 0.0 && p.bytes.is_finite())
        .collect();
    points.order_by(|a, b| a.bytes.total_cmp(&b.bytes));
    let largest = report.estimates.get(points.last()?.estimate)?;
    let shape: Vec<plateau::Point> =
        points.iter().map(|p| plateau::Point { x: p.bytes, y: p.seconds }).collect();
    let caches = capacities(record, run);
    for point in &mut points {
        point.served = caches.as_deref().and_then(|caches| served(caches, point.bytes));
    }
    let order = run.case.get(param::ORDER).unwrap_or("random").to_owned();
    // What a prefetcher makes of ascending addresses is the latency of no level.
    let (found, levels) = if order == "stride" {
        (plateau::Levels::default(), vec![])
    } else {
        let found = plateau::find(&shape);
        let spares_tlb = order == "grouped";
        let mut levels = levels(record, run, &points, &found, (memory, spares_tlb));
        next_run::widen(report, run, &points, &mut levels);
        (found, levels)
    };
    Some(Curve {
        run: index,
        pages: pages(run),
        huge_share: huge_share(run, largest.series),
        order,
        stride: run.case.get(param::STRIDE),
        levels,
        knees: found.knees,
        points,
    })
}

/// The caches that the case's CPU reaches, nearest first.
fn caches<'r>(record: &'r Record, run: &Run) -> Vec<&'r Cache> {
    record.machine.topology.data_caches(run.case.place.cpus.first().unwrap_or(0))
}

/// Level and capacity of the caches that the case's CPU reaches; nothing unless all are stated.
fn capacities(record: &Record, run: &Run) -> Option<Vec<(u32, f64)>> {
    let caches = caches(record, run).into_iter();
    caches.map(|c| Some((c.level, c.bytes.filter(|b| *b > 0)? as f64))).collect()
}

/// Name and capacity of those of these caches whose size is stated.
pub(super) fn stated(record: &Record, run: &Run) -> Vec<(String, f64)> {
    let sized = caches(record, run).into_iter();
    let sized = sized.filter_map(|c| Some((c.level, c.bytes.filter(|b| *b > 0)?)));
    sized.map(|(level, bytes)| (format!("L{level}"), bytes as f64)).collect()
}

/// The level that serves a working set, by the windows in which levels are quoted.
pub fn served(caches: &[(u32, f64)], bytes: f64) -> Option<Served> {
    let last = caches.len().checked_sub(1)?;
    for (i, (level, capacity)) in caches.iter().enumerate() {
        let (within, beyond) = match i == last && last > 0 {
            true => (BELOW_LAST, MEMORY_BEYOND),
            false if i == last => (BELOW_CAPACITY, MEMORY_BEYOND),
            false => (BELOW_CAPACITY, ABOVE_CAPACITY),
        };
        if bytes <= capacity * within {
            return Some(Served::Cache(*level));
        }
        if bytes < capacity * beyond {
            return Some(match caches.get(i + 1) {
                Some((next, _)) => Served::Between(*level, *next),
                None => Served::NotMemory(*level),
            });
        }
    }
    Some(Served::Memory)
}

fn pages(run: &Run) -> Pages {
    match run.case.get(param::PAGES) {
        Some("base") => Pages::Base,
        Some("thp") => Pages::Thp,
        _ => run.case.place.pages,
    }
}

fn huge_share(run: &Run, series: usize) -> Option<f64> {
    run.series().get(series)?.buffer.as_ref()?.huge_share
}

/// The caches that the case's CPU reaches, and memory behind them.
fn levels(
    record: &Record,
    run: &Run,
    points: &[CurvePoint],
    found: &plateau::Levels,
    (elsewhere, spares_tlb): (Option<f64>, bool),
) -> Vec<Level> {
    let hints = stated(record, run);
    let beyond = hints.last().map_or(0.0, |(_, last)| last * MEMORY_BEYOND);
    let mut caches = found.clone();
    let is_memory = |p: &plateau::Plateau| elsewhere.is_some_and(|m| p.level > m * AS_MEMORY);
    caches.plateaus.retain(|p| p.to >= beyond || !is_memory(p));
    let named = plateau::assign(&caches, &hints);
    let flat = |name: &str| named.iter().find(|(n, _)| n == name).and_then(|(_, plateau)| *plateau);
    let mut levels: Vec<Level> = vec![];
    let (mut below, mut gap) = (0.0, false);
    for cache in self::caches(record, run) {
        let name = format!("L{}", cache.level);
        let stated = cache.bytes.filter(|b| *b > 0).map(|b| b as f64);
        let result = match stated {
            None => {
                gap = true;
                Err(Reason::mended_by(say::size_not_stated(&name), say::INFO_SHOWS))
            }
            Some(capacity) => {
                let last = hints.len() > 1 && hints.last().is_some_and(|(n, _)| *n == name);
                let share = if last { BELOW_LAST } else { BELOW_CAPACITY };
                let window = (below * ABOVE_CAPACITY, capacity * share);
                below = capacity;
                in_cache(&name, points, flat(&name), window)
            }
        };
        levels.push(Level { name, stated, found: result });
    }
    let memory = match hints.last() {
        Some((name, last)) if !gap => memory::find(points, name, *last, spares_tlb),
        _ => Err(Reason::mended_by(say::LAST_SIZE_UNKNOWN, say::INFO_SHOWS)),
    };
    if let Ok(memory) = &memory {
        shared::find_share(&mut levels, points, memory);
    }
    if let Some((_, last)) = hints.last().filter(|_| !gap) {
        refuse_what_memory_serves(&mut levels, points, *last);
    }
    if let Ok(it) = Microarchitecture::of(&record.machine) {
        refuse_mixtures(&mut levels, &it);
    }
    levels.push(Level { name: "memory".into(), stated: None, found: memory });
    refuse_what_falls(&mut levels);
    levels
}

fn in_cache(
    name: &str,
    points: &[CurvePoint],
    flat: Option<plateau::Plateau>,
    (from, to): (f64, f64),
) -> Result<Plateau, Reason> {
    let inside: Vec<&CurvePoint> =
        points.iter().filter(|p| p.bytes >= from && p.bytes <= to).collect();
    if inside.is_empty() {
        return Err(Reason::mended_by(
            say::no_set_answers_between(words::bytes(from), words::bytes(to), name),
            "cpulens run --only load_latency --depth thorough",
        ));
    }
    let on = |p: &&&CurvePoint| flat.is_some_and(|f| p.bytes >= f.from && p.bytes <= f.to);
    let on: Vec<&CurvePoint> = inside.iter().filter(on).copied().collect();
    plateau_of(&on).ok_or_else(|| {
        Reason::mended_by(
            say::curve_not_flat(words::bytes(from), words::bytes(to), name),
            say::LATENCY_QUIET_STANDARD,
        )
    })
}

fn plateau_of(points: &[&CurvePoint]) -> Option<Plateau> {
    let seconds: Vec<f64> = points.iter().map(|p| p.seconds).collect();
    let sample = Sample::new(&seconds)?;
    let cycles: Option<Vec<f64>> = points.iter().map(|p| p.cycles).collect();
    Some(Plateau {
        from: points.first()?.bytes,
        to: points.last()?.bytes,
        seconds: sample.median(),
        interval: reach(points),
        cycles: cycles.and_then(|c| stats::median(&c)),
        spread: if sample.median() > 0.0 {
            (sample.max() - sample.min()) / sample.median()
        } else {
            0.0
        },
        points: points.len(),
    })
}

/// What the intervals of all points reach.
fn reach(points: &[&CurvePoint]) -> Option<Interval> {
    points.iter().map(|p| p.interval).collect::<Option<Vec<_>>>()?.into_iter().reduce(widest)
}

fn widest(one: Interval, other: Interval) -> Interval {
    Interval { low: one.low.min(other.low), high: one.high.max(other.high), ..one }
}

/// A stretch within a cache's size that takes about what memory takes is the latency of no cache: others hold it.
fn refuse_what_memory_serves(levels: &mut [Level], points: &[CurvePoint], last: f64) {
    let beyond = points.iter().filter(|p| p.bytes >= last * MEMORY_BEYOND);
    let Some(memory) = beyond.map(|p| p.seconds).reduce(f64::min) else { return };
    for level in levels {
        if let Ok(plateau) = level.found
            && plateau.seconds > memory * AS_MEMORY
        {
            level.found = Err(Reason::mended_by(
                say::as_memory(
                    words::bytes(plateau.from),
                    words::bytes(plateau.to),
                    words::time(plateau.seconds),
                    words::time(memory),
                ),
                say::LATENCY_QUIET_HOST,
            ));
        }
    }
}

/// A stretch that takes far longer than this processor's last cache is a mixture of it with memory.
fn refuse_mixtures(levels: &mut [Level], it: &Microarchitecture) {
    if let Some(level) = levels.last_mut() {
        let number = level.name.strip_prefix('L').and_then(|n| n.parse().ok());
        let expected = number.and_then(|n| it.expected(&Quantity::CacheLatency(n)));
        if let (Ok(plateau), Some(expected)) = (&level.found, expected)
            && let Some(cycles) = plateau.cycles.filter(|c| *c > expected.high * AS_MIXTURE)
        {
            level.found = Err(Reason::mended_by(
                say::as_mixture(
                    words::bytes(plateau.from),
                    words::bytes(plateau.to),
                    format!("{cycles:.0}"),
                    &level.name,
                    &it.name,
                    words::plain(expected.high),
                ),
                say::LATENCY_QUIET_HOST,
            ));
        }
    }
}

/// A level that answers faster than one nearer to the core contradicts itself.
fn refuse_what_falls(levels: &mut [Level]) {
    let mut nearer: Option<(String, f64)> = None;
    for level in levels {
        let Ok(plateau) = &level.found else { continue };
        match &nearer {
            Some((name, seconds)) if plateau.seconds < *seconds => {
                level.found =
                    Err(Reason::mended_by(say::flat_faster_than(name), say::LATENCY_QUIET));
            }
            _ => nearer = Some((level.name.clone(), plateau.seconds)),
        }
    }
}

#[cfg(test)]
mod tests;
