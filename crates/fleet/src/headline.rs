//! The figures that stand for a machine: one name and one definition for each, the same in a check, a digest and a fleet.
//!
//! They say what the machine can do, so that they are the machine's and not the hour's: of each visit what one sample in twenty
//! reached, as STREAM reports its best rate and lmbench its least time, and of the visits the median, so that a visit on other
//! CPUs counts once. A latency is of a range of sizes that the machine's caches fix: plateaus of two runs have unlike ends. A
//! frequency is the mean of its windows, the cycles that were delivered, so that throttling shows. What was taken meanwhile
//! (steal) is checked by itself.
use crate::say;
use crate::statistic::{BEST, CACHE, MEAN, MIDDLE, Statistic};
use analyse::{Curve, Estimate, Matrix, Report};
use estimates::analyses::curves::{
    ABOVE_CAPACITY, AS_MEMORY, BELOW_CAPACITY, BELOW_LAST, MEMORY_BEYOND,
};
use estimates::analyses::drift::{is_across, round_trip};
use record::{Better, Case, Message, Metric, Pages, ProbeId, Series, Text, Unit, param};
use serde::{Deserialize, Serialize};
use stats::Sample;
use std::collections::BTreeMap;

/// A figure that stands for a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Headline {
    /// Its name: `memory_latency`, `read_bandwidth`, `node1.read_bandwidth`, `core_to_core.same_l3`.
    pub name: String,
    /// Unit of the numbers.
    pub unit: Unit,
    /// Whether more or less is better.
    pub better: Better,
    /// The 5th percentile on the good side, in the median visit; of frequencies the mean, of pairs of CPUs the mean of the middle
    /// 90 %.
    pub value: f64,
    /// 95 % interval: the value of another run of this machine lies in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
}

/// The end of the names of figures of several CPUs that a hypervisor had on several last-level caches and states to share one.
pub const ACROSS: &str = ".across_l3";

/// The name that a figure of several CPUs has when they are across caches.
///
/// ```
/// assert_eq!(fleet::headline::across("read_bandwidth"), "read_bandwidth.across_l3");
/// assert_eq!(fleet::headline::across("core_to_core.same_l3"), "core_to_core.across_l3");
/// ```
pub fn across(name: &str) -> String {
    let pair = name.starts_with("core_to_core.");
    format!("{}{ACROSS}", if pair { "core_to_core" } else { name })
}

/// The statistic of the samples, which is not the median that a report shows.
pub const STATISTIC: Message = say::STATISTIC;

/// A figure's name in words, with what tells it from others of that name in a report.
///
/// ```
/// assert_eq!(fleet::headline::words("memory_latency"), "memory latency on huge pages");
/// assert_eq!(fleet::headline::words("core_to_core.same_l3"), "core to core round trip (same L3)");
/// assert_eq!(
///     fleet::headline::words("read_bandwidth.across_l3"),
///     "read bandwidth (CPUs across L3 caches)"
/// );
/// ```
pub fn words(name: &str) -> Text {
    let plain = |text: &str| text.replace(['_', '.'], " ");
    let cache = |text: &str| plain(text).replacen('l', "L", usize::from(text.starts_with('l')));
    if let Some(figure) = name.strip_suffix(ACROSS) {
        return match figure {
            "core_to_core" => say::across_caches(say::CORE_TO_CORE),
            figure => say::across_caches(plain(figure)),
        };
    }
    if let Some(relation) = name.strip_prefix("core_to_core.") {
        return say::core_to_core_of(plain(relation).replace("l3", "L3").replace("smt", "SMT"));
    }
    if let Some(level) = name.strip_suffix("_latency.base_pages") {
        return say::latency_base(cache(level));
    }
    match name.strip_suffix("_latency") {
        _ if name == SYSTEM_CALL => say::SYSTEM_CALL.into(),
        Some(level) => say::latency_huge(cache(level)),
        None => plain(name).into(),
    }
}

/// The figures of a record that stand for its machine, in the order in which they were measured.
pub fn headlines(report: &Report<'_>) -> Vec<Headline> {
    let mut all = frequencies(report);
    all.extend(latencies(report));
    all.extend(pairs(report));
    all.extend(bandwidths(report));
    all
}

/// Whether figures rest on a case: a report of a digest needs no estimates of others.
pub fn is_of_figures(case: &Case) -> bool {
    use ProbeId::{Bandwidth, CoreFrequency, CoreToCore, KernelOps, LoadLatency, Preflight};
    match case.probe {
        KernelOps => case.get(param::REQUEST).is_none_or(|request| request == SHORTEST),
        probe => {
            matches!(probe, Bandwidth | CoreFrequency | CoreToCore | LoadLatency | Preflight)
        }
    }
}

/// The figure of a run that a check does not measure: no limit is of it.
pub(crate) const SYSTEM_CALL: &str = "system_call";
/// Its request.
const SHORTEST: &str = "null_call";

/// The time of the shortest system call, which mitigations make longer.
pub(crate) fn system_call(report: &Report<'_>) -> Option<Headline> {
    let shortest = [(param::REQUEST, SHORTEST)];
    let of = report.one(ProbeId::KernelOps, Metric::TimePerRequest, shortest).ok()?;
    headline(report, SYSTEM_CALL.into(), &[of], BEST)
}

/// The frequency of a core of each kind.
fn frequencies(report: &Report<'_>) -> Vec<Headline> {
    let of = |e: &Estimate| {
        let kind =
            report.text(e, param::KIND).map_or(String::new(), |kind| format!(".{}", word(&kind)));
        headline(report, format!("core_frequency{kind}"), &[e], MEAN)
    };
    let all = report.all(ProbeId::CoreFrequency, Metric::Frequency, [(param::CHAIN, "add")]);
    all.filter_map(of).collect()
}

/// Of the curve on huge pages, where translation costs least; of one on base pages under names of their own.
fn latencies(report: &Report<'_>) -> Vec<Headline> {
    levels(report).into_iter().filter_map(Result::ok).collect()
}

/// Latencies that the curve should have and has not.
pub(crate) fn without_plateau(report: &Report<'_>) -> Vec<String> {
    levels(report).into_iter().filter_map(Result::err).collect()
}

/// Every level of the curve, or the name of its figure.
fn levels(report: &Report<'_>) -> Vec<Result<Headline, String>> {
    let Some((curve, suffix)) = curve(report) else { return vec![] };
    let of = |at: usize| {
        let name = format!("{}_latency{suffix}", word(&curve.levels[at].name));
        level(report, curve, at, name.clone()).ok_or(name)
    };
    (0..curve.levels.len()).map(of).collect()
}

/// The latency of a level over the sizes that it alone answers. Of a cache the lower quartile: others may hold a part of it. Where
/// its medians are not flat, the best samples are enough: of a private cache if these are flat, for another thread had a part of
/// the core now and then; of the last one if they take less than memory, for the part that other machines hold changes.
fn level(report: &Report<'_>, curve: &Curve, at: usize, name: String) -> Option<Headline> {
    /// The best of points on one level differ by less.
    const FLAT: f64 = 1.1;
    let (level, caches) = (&curve.levels[at], curve.levels.len() - 1);
    let is_found = level.found.is_ok();
    if at == caches {
        let largest = curve.points.last()?.bytes;
        let from =
            (curve.levels[caches.checked_sub(1)?].stated? * MEMORY_BEYOND).max(largest * END);
        let points = between(report, curve, from, largest);
        return headline(report, name, &points, BEST).filter(|_| is_found);
    }
    let from = match at.checked_sub(1) {
        Some(nearer) => curve.levels[nearer].stated? * ABOVE_CAPACITY,
        None => 0.0,
    };
    let is_last = at > 0 && at + 1 == caches;
    let share = if is_last { BELOW_LAST } else { BELOW_CAPACITY };
    let points = between(report, curve, from, level.stated? * share);
    let found = headline(report, name, &points, CACHE)?;
    let is_cache = || match is_last {
        true => curve.plateau("memory").is_some_and(|m| found.value < m.seconds * AS_MEMORY),
        false => {
            let best = points.iter().filter_map(|e| CACHE.of_series(report.series(e)?));
            let best: Vec<f64> = best.collect();
            Sample::new(&best).is_some_and(|all| all.max() < all.min() * FLAT)
        }
    };
    (is_found || is_cache()).then_some(found)
}

/// Memory is quoted from this share of the largest working set on: nearer ones may be of the last cache in part.
const END: f64 = 1.0 / 3.0;

fn between<'a>(report: &'a Report<'_>, curve: &Curve, from: f64, to: f64) -> Vec<&'a Estimate> {
    let points = curve.points.iter().filter(|p| (from..=to).contains(&p.bytes));
    points.filter_map(|p| report.estimates.get(p.estimate)).collect()
}

fn curve<'a>(report: &'a Report<'_>) -> Option<(&'a Curve, &'static str)> {
    let curves = report.get::<Vec<Curve>>();
    let random = |pages: Pages| {
        let fits = move |c: &&Curve| {
            c.order == "random" && c.pages == pages && c.stride.is_none_or(|s| s == 64.0)
        };
        curves.iter().find(fits)
    };
    let base = || Some((random(Pages::Base)?, ".base_pages"));
    random(Pages::Thp).map(|curve| (curve, "")).or_else(base)
}

/// The name of what the CPUs of a case do together.
fn together(report: &Report<'_>, e: &Estimate, name: String) -> String {
    let run = &report.record.runs[e.run];
    match is_across(report.record, &run.case.place.cpus, round_trip(run)) {
        true => across(&name),
        false => name,
    }
}

/// Round trips of a line, by what the two CPUs share; of several pairs the median.
fn pairs(report: &Report<'_>) -> Vec<Headline> {
    let by_cas = |m: &&Matrix| {
        let run = &report.record.runs[m.run];
        m.metric == Metric::RoundTrip && run.case.get(param::METHOD).is_none_or(|how| how == "cas")
    };
    let Some(matrix) = report.get::<Vec<Matrix>>().iter().find(by_cas) else { return vec![] };
    let mut trips: BTreeMap<(u32, u32), &Estimate> = BTreeMap::new();
    for e in report.own().iter().filter(|e| e.run == matrix.run && e.metric == matrix.metric) {
        if let (Some(a), Some(b)) = (param::FROM.of(&e.at), param::TO.of(&e.at)) {
            trips.insert((a.min(b), a.max(b)), e);
        }
    }
    let of = |class: &analyse::Class| {
        let name = format!("core_to_core.{}", word(&class.relation));
        let pair = [class.fastest.from, class.fastest.to].into_iter().collect();
        let of_class = matrix.cells.iter().filter(|cell| cell.relation == class.relation);
        let all: Vec<&Estimate> =
            of_class.filter_map(|cell| trips.get(&(cell.from, cell.to)).copied()).collect();
        let name = match is_across(report.record, &pair, Some(class.median)) {
            true => across(&name),
            false => name,
        };
        headline(report, name, &all, MIDDLE)
    };
    matrix.classes.iter().filter_map(of).collect()
}

/// Of all CPUs together, and of each node's to its own memory.
fn bandwidths(report: &Report<'_>) -> Vec<Headline> {
    let mut all = vec![];
    for kernel in ["read", "triad"] {
        let at =
            ["all", "one"].map(|threads| [(param::KERNEL, kernel), (param::ONE_OR_ALL, threads)]);
        let of = |at| report.all(ProbeId::Bandwidth, Metric::Bandwidth, at).last();
        let whole = at.into_iter().find_map(of);
        all.extend(whole.and_then(|e| {
            let name = together(report, e, format!("{kernel}_bandwidth"));
            headline(report, name, &[e], BEST)
        }));
    }
    let node = |e: &Estimate| report.record.runs[e.run].case.get(param::NODE);
    for e in report.all(ProbeId::Bandwidth, Metric::Bandwidth, [(param::ONE_OR_ALL, "node")]) {
        let (Some(node), Some(kernel)) = (node(e), report.text(e, param::KERNEL)) else { continue };
        let name = together(report, e, format!("node{node}.{}_bandwidth", word(&kernel)));
        all.extend(headline(report, name, &[e], BEST));
    }
    all
}

/// Of quantities that were measured in the same visits; `None` for none.
fn headline(
    report: &Report<'_>,
    name: String,
    of: &[&Estimate],
    by: Statistic,
) -> Option<Headline> {
    let e = of.first()?;
    let all: Vec<&Series> = of.iter().filter_map(|e| report.series(e)).collect();
    let (value, next) = by.of(&report.record.runs[e.run], &all)?;
    let interval = e.interval.and(next).map(|i| (i.low, i.high));
    Some(Headline { name, unit: e.unit, better: e.better, value, interval })
}

/// Words as part of a name: `SMT siblings` is `smt_siblings`.
fn word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    text.chars().take(40).map(plain).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    #[test]
    fn figures_are_what_a_machine_can_do_and_frequencies_what_it_delivered() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let record = record::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let report = Report::new(&record);
        let all = headlines(&report);
        let of = |name: &str| all.iter().find(|h| h.name == name).unwrap();
        let at = [(param::KERNEL, "read"), (param::ONE_OR_ALL, "all")];
        let read: Vec<&Estimate> = report.all(ProbeId::Bandwidth, Metric::Bandwidth, at).collect();
        let most = read.iter().map(|e| e.max).fold(0.0, f64::max);
        let value = of("read_bandwidth").value;
        assert!(read.iter().all(|e| value > e.median) && value <= most, "{value} {read:?}");
        let chain = [(param::CHAIN, "add")];
        let frequency = report.one(ProbeId::CoreFrequency, Metric::Frequency, chain).unwrap();
        let windows = estimates::estimate::values(report.series(frequency).unwrap());
        let mean = windows.iter().sum::<f64>() / windows.len() as f64;
        assert!((of("core_frequency").value / mean - 1.0).abs() < 1e-9);
    }

    /// Without the series of other cases the digest is the same.
    #[test]
    fn a_digest_rests_on_these_cases_alone() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1");
        let (mut figures, mut unread) = (0, 0);
        for file in std::fs::read_dir(folder).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            let whole = record::from_slice(&bytes).unwrap();
            let part = record::from_slice_of(&bytes, is_of_figures).unwrap();
            let of = |report| crate::digest::Digest::of(&report, "a");
            let few = of(Report::of_cases(&part, is_of_figures));
            assert_eq!(few, of(Report::new(&whole)));
            figures += few.figures.len();
            let runs = whole.runs.iter().zip(&part.runs);
            unread += runs.filter(|(whole, part)| whole != part).count();
        }
        assert!(figures > 20 && unread > 20, "{figures} {unread}");
    }

    /// Makes all round trips of a record those of CPUs on several caches.
    pub(crate) fn put_across_caches(record: &mut record::Record) {
        for run in &mut record.runs {
            let of_line = |name: &str| name.starts_with("placement_check") && name.contains("cas");
            run.readings.iter_mut().filter(|r| of_line(&r.name)).for_each(|r| r.value *= 10.0);
            if let record::Outcome::Measured(all) = &mut run.outcome {
                let trips = all.iter_mut().filter(|s| s.metric == Metric::RoundTrip);
                trips.flat_map(|s| &mut s.samples).for_each(|x| *x *= 10.0);
            }
        }
    }

    /// A hypervisor that states one cache for CPUs that it has on two.
    #[test]
    fn cpus_across_caches_have_figures_of_their_own() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let mut record = record::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let names = |record: &record::Record| -> Vec<String> {
            let of =
                |h: Headline| Some(h.name).filter(|n| n.contains("core_to") || n.contains("read"));
            headlines(&Report::new(record)).into_iter().filter_map(of).collect()
        };
        assert_eq!(names(&record), ["core_to_core.same_l3", "read_bandwidth"]);
        put_across_caches(&mut record);
        assert_eq!(names(&record), ["core_to_core.across_l3", "read_bandwidth.across_l3"]);
        record.machine.facts.retain(|name, _| !name.contains("hypervisor"));
        assert_eq!(names(&record), ["core_to_core.same_l3", "read_bandwidth"]);
    }

    /// A run that has system calls has a figure of them; a check has none, so no limit is of them.
    #[test]
    fn the_shortest_system_call_is_a_figure_of_a_run() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let mut record = record::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(system_call(&Report::new(&record)), None);
        let of = record.runs.iter().find(|run| run.case.probe == ProbeId::CoreFrequency).cloned();
        for (request, seconds) in [("null_call", 7e-8), ("fork", 4e-4)] {
            let mut run = of.clone().unwrap();
            run.case.probe = ProbeId::KernelOps;
            let (name, value) = param::REQUEST.set(request);
            run.case.params = [(name.to_owned(), value)].into();
            let mut series =
                record::Series::new(Metric::TimePerRequest, Unit::Seconds, Better::Lower);
            series.samples = vec![seconds; 20];
            run.outcome = record::Outcome::Measured(vec![series]);
            record.runs.push(run);
        }
        let report = Report::new(&record);
        let found = system_call(&report).unwrap();
        assert_eq!((found.name.as_str(), found.value), ("system_call", 7e-8));
        assert!(headlines(&report).iter().all(|h| h.name != SYSTEM_CALL));
    }

    /// Samples of a series of the quiet machine are changed, each by its visit, of which there are four; the figures of that name before and after.
    fn changed(
        name: &str,
        probe: ProbeId,
        change: impl Fn(&mut f64, f64, usize, usize),
    ) -> [Option<Headline>; 2] {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let mut record = record::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let of = |record: &record::Record| {
            headlines(&Report::new(record)).into_iter().find(|h| h.name == name)
        };
        let calm = of(&record);
        for run in record.runs.iter_mut().filter(|run| run.case.probe == probe) {
            let record::Outcome::Measured(all) = &mut run.outcome else { continue };
            for series in all {
                let size = param::WORKING_SET.of(&series.at).unwrap_or(0.0);
                let visit = series.samples.len();
                series.samples = series.samples.repeat(4);
                series.visits = vec![visit as u32; 4];
                let each = series.samples.iter_mut().enumerate();
                each.for_each(|(i, x)| change(x, size, i / visit, i));
            }
        }
        [calm, of(&record)]
    }

    /// CPUs that were on two caches for one visit, unseen by the placement checks.
    #[test]
    fn one_visit_elsewhere_does_not_decide_a_rate() {
        let faster = |x: &mut f64, _, visit, _| *x *= if visit == 0 { 1.8 } else { 1.0 };
        let [calm, moved] = changed("read_bandwidth", ProbeId::Bandwidth, faster);
        let (calm, moved) = (calm.unwrap(), moved.unwrap());
        assert!((moved.value / calm.value - 1.0).abs() < 0.05, "{calm:?} {moved:?}");
    }

    /// Neighbours that hold the last cache now and then: the medians have no plateau, and the best samples are there.
    #[test]
    fn the_last_cache_is_known_by_its_best_samples() {
        let slower = |x: &mut f64, size: f64, _, i| {
            let held = (1.3e6..1e8).contains(&size) && i % 3 > 0;
            *x *= if held { 1.0 + (size / 3e6) * (i % 3 + 1) as f64 } else { 1.0 };
        };
        let [calm, held] = changed("l3_latency", ProbeId::LoadLatency, slower);
        let (calm, held) = (calm.unwrap(), held.unwrap());
        assert!((held.value / calm.value - 1.0).abs() < 0.05, "{calm:?} {held:?}");
    }

    /// Samples that a neighbour slows in some visits make the median uncertain, and not what the machine can do.
    #[test]
    fn the_interval_is_that_of_the_figure() {
        let slower =
            |x: &mut f64, _, visit, i| *x *= if i % 3 > 0 { 1.0 - 0.2 * visit as f64 } else { 1.0 };
        let [calm, slowed] = changed("read_bandwidth", ProbeId::Bandwidth, slower);
        let width = |h: Option<Headline>| h.unwrap().interval.map(|(low, high)| high / low);
        let (calm, slowed) = (width(calm).unwrap(), width(slowed).unwrap());
        assert!(slowed < 1.2 * calm, "{calm} {slowed}");
    }

    /// Another thread on the core slows most samples, of each size others: the medians are not flat, and the best are.
    #[test]
    fn a_first_cache_is_known_by_its_best_samples() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let quiet = record::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let of = |slowed: usize| {
            let mut record = quiet.clone();
            for run in record.runs.iter_mut().filter(|r| r.case.probe == ProbeId::LoadLatency) {
                let record::Outcome::Measured(all) = &mut run.outcome else { continue };
                for series in all.iter_mut() {
                    let size = param::WORKING_SET.of(&series.at).filter(|bytes| *bytes <= 65536.0);
                    let Some(bytes) = size else { continue };
                    let some =
                        series.samples.iter_mut().enumerate().filter(|(i, _)| i % 7 < slowed);
                    some.for_each(|(_, x)| *x *= 1.0 + bytes / 16384.0);
                }
            }
            let report = Report::new(&record);
            let flat = curve(&report).unwrap().0.plateau("L1").is_some();
            let l1 = headlines(&report).into_iter().find(|h| h.name.starts_with("l1_latency"));
            (flat, l1.map(|h| h.value))
        };
        let (flat, calm) = of(0);
        assert!(flat);
        let (flat, slowed) = of(5);
        assert!(
            !flat && (slowed.unwrap() / calm.unwrap() - 1.0).abs() < 0.05,
            "{slowed:?} {calm:?}"
        );
        assert_eq!(of(7).1, None);
    }
}
