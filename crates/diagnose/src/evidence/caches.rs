//! What rules may look at of last-level caches: the time of a line between CPUs that are stated to share one, and how far one
//! reaches for a core. Cases during which others had the CPUs say nothing of caches and are left out.
use super::Evidence;
use crate::curves::{Curve, CurvePoint};
use crate::estimate::Estimate;
use crate::say;
use crate::shared_core::{NEAR, one_core};
use crate::{report, words};
use record::{Metric, ProbeId, Reason, Relation, Relations, Run, param};
use std::collections::BTreeMap;

/// Share of all CPUs' time that others and the hypervisor take, from which on a CPU that waits for another one mostly waits for its
/// turn: with two busy neighbours lines took 20 to 200 us instead of 0.05 to 0.25.
const DISTURBED: f64 = 0.10;
/// A state of a pair within one case counts from so many samples on.
const SEEN: usize = 3;

/// Times of a line there and back, each of a moment of its own.
#[derive(Debug)]
pub(crate) struct RoundTrips {
    /// Seconds by the CPUs that they were taken on, which are stated to share a last-level cache.
    pub(crate) by_cpus: BTreeMap<Vec<u32>, Vec<f64>>,
    /// The same while these CPUs were threads of one core: a line stayed in the core's own caches.
    pub(crate) of_one_core: BTreeMap<Vec<u32>, Vec<f64>>,
    /// The most that others took while others of them were taken, which are left out.
    pub(crate) disturbed: Option<f64>,
}

/// The reach of the last-level cache in one curve of latency.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// Capacity in bytes that the machine states.
    pub(crate) stated: f64,
    /// The largest working set in bytes that was measured within half of that.
    pub(crate) half: f64,
    /// Up to this working set in bytes a load surely takes less than half of one from memory.
    pub(crate) inside: f64,
    /// From this working set in bytes on it surely takes more, in two working sets at least within half of what is stated;
    /// nothing where it does not.
    pub(crate) outside: Option<f64>,
}

impl RoundTrips {
    /// Separates those of one core: below what a core takes at most, and far below all others of these CPUs.
    fn divide(&mut self, one_core: f64) {
        for (cpus, all) in &mut self.by_cpus {
            let between_cores = all.iter().copied().filter(|x| *x >= one_core).reduce(f64::min);
            let most = between_cores.map_or(0.0, |least| one_core.min(NEAR * least));
            let inside: Vec<f64> = all.extract_if(.., |x| *x < most).collect();
            if !inside.is_empty() {
                self.of_one_core.insert(cpus.clone(), inside);
            }
        }
    }
}

impl Evidence<'_> {
    /// When a line went between CPUs that are stated to share a last-level cache, as far as the CPUs were ours meanwhile: in the
    /// pairs' own measurement, and in the placement checks around cases whose CPUs all share one.
    ///
    /// # Errors
    /// None was taken, or others had the CPUs all the time.
    pub(crate) fn round_trips(&self) -> Result<RoundTrips, Reason> {
        let relations = Relations::of(self.topology());
        let near = |a: u32, b: u32| relations.between(a, b) == Relation::LastLevel;
        let mut round_trips =
            RoundTrips { by_cpus: BTreeMap::new(), of_one_core: BTreeMap::new(), disturbed: None };
        let mut add = |cpus: Vec<u32>, taken: f64, seconds: &[f64]| match taken > DISTURBED {
            true => {
                round_trips.disturbed =
                    Some(round_trips.disturbed.map_or(taken, |most| most.max(taken)))
            }
            false => round_trips.by_cpus.entry(cpus).or_default().extend(seconds),
        };
        for (index, run) in self.seen.record.runs.iter().enumerate() {
            let cpus: Vec<u32> = run.case.place.cpus.iter().collect();
            let checks = checks(run);
            if let Some((first, rest)) = cpus.split_first()
                && !checks.is_empty()
                && !rest.is_empty()
                && rest.iter().all(|cpu| near(*first, *cpu))
            {
                add(cpus, taken(run), &checks);
            }
            if run.case.get(param::METHOD) == Some("store") {
                continue;
            }
            let of = |e: &&Estimate| e.run == index && e.probe == ProbeId::CoreToCore;
            for e in self.seen.own().iter().filter(of) {
                let (Some(a), Some(b)) = (param::FROM.of(&e.at), param::TO.of(&e.at)) else {
                    continue;
                };
                let states = e.states.iter().chain(&e.elsewhere).filter(|s| s.count >= SEEN);
                let seconds: Vec<f64> = states.map(|s| s.level).collect();
                if near(a, b) {
                    add(vec![a.min(b), a.max(b)], taken(run), &seconds);
                }
            }
        }
        let all: Vec<f64> = round_trips.by_cpus.values().flatten().copied().collect();
        round_trips.divide(self.one_core());
        match (stats::Sample::new(&all), round_trips.disturbed) {
            (Some(sample), _) => {
                let (low, high) = (words::time(sample.min()), words::time(sample.max()));
                self.note(say::line_round_trips(low, high, all.len()));
                Ok(round_trips)
            }
            (None, Some(taken)) => Err(Reason::mended_by(
                say::why_noisy_lines(words::percent(taken)),
                say::AGAIN_ATTEMPTS,
            )),
            (None, None)
                if self.seen.all(ProbeId::CoreToCore, Metric::RoundTrip, []).next().is_none() =>
            {
                Err(self.seen.why_not(ProbeId::CoreToCore))
            }
            (None, None) => Err(Reason::mended_by(say::WHY_NO_TWO_CPUS, say::DO_MORE_CPUS)),
        }
    }
    /// Seconds below which a round trip is one between threads of a core; 0 where no frequency was measured.
    pub(crate) fn one_core(&self) -> f64 {
        one_core(self.seen.record).unwrap_or(0.0)
    }
    /// Whether others left the CPUs alone while a run was measured, as far as is known.
    pub(crate) fn undisturbed(&self, run: usize) -> bool {
        self.seen.record.runs.get(run).is_some_and(|r| taken(r) <= DISTURBED)
    }
    /// The reach of the last-level cache for the core that measured, once for each curve.
    ///
    /// # Errors
    /// No curve was taken that tells it, or others had the CPUs all the time.
    pub(crate) fn reaches(&self) -> Result<Vec<Reach>, Reason> {
        let curves = self.curves();
        if curves.is_empty() {
            return Err(self.seen.why_not(ProbeId::LoadLatency));
        }
        let (quiet, noisy): (Vec<&Curve>, Vec<&Curve>) = curves
            .iter()
            .filter(|c| c.order != "stride")
            .partition(|curve| self.undisturbed(curve.run));
        let found: Vec<Reach> = quiet.iter().filter_map(|curve| self.reach(curve)).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        if quiet.is_empty() && !noisy.is_empty() {
            return Err(Reason::mended_by(say::WHY_NOISY_LOADS, say::AGAIN_ATTEMPTS));
        }
        let why = quiet.iter().find_map(|curve| curve.level("memory")?.err());
        Err(why.cloned().unwrap_or_else(|| Reason::new(say::WHY_LLC_OR_MEMORY)))
    }
    fn reach(&self, curve: &Curve) -> Option<Reach> {
        let memory = curve.level("memory")?.ok()?;
        let last = curve.levels.iter().rfind(|l| l.name != "memory")?;
        let stated = last.stated?;
        // On base pages the largest working sets wait for page walks, too, which those in the cache do not.
        let missing = curve.points.iter().filter(|p| p.bytes >= 2.0 * stated).map(|p| p.seconds);
        let half = missing.fold(memory.seconds, f64::min) / 2.0;
        let inside = |p: &&CurvePoint| self.ends_of(p).1 < half;
        let outside = |p: &&CurvePoint| self.ends_of(p).0 > half;
        let within: Vec<_> = curve.points.iter().filter(|p| p.bytes <= stated / 2.0).collect();
        let beyond = within.iter().rev().take_while(|p| outside(p)).count();
        let first = within.len() - beyond;
        let reach = Reach {
            stated,
            half: within.last()?.bytes,
            inside: within.iter().take_while(|p| inside(p)).last().map_or(0.0, |p| p.bytes),
            outside: within.get(first).filter(|_| beyond >= 2).map(|p| p.bytes),
        };
        let pages = match curve.pages {
            record::Pages::Base => say::BASE_PAGES,
            _ => say::HUGE_PAGES,
        };
        let (order, inside) = (curve.order.as_str(), words::bytes(reach.inside));
        self.note(match reach.outside {
            Some(outside) => say::reach_and_beyond(pages, order, inside, words::bytes(outside)),
            None => say::reach(pages, order, inside),
        });
        Some(reach)
    }
    fn ends_of(&self, point: &CurvePoint) -> (f64, f64) {
        self.seen.estimates.get(point.estimate).map_or((0.0, f64::INFINITY), |e| e.ends())
    }
}

/// A line's round trips in a run's placement checks: a later attempt begins with the check that ended the one before.
fn checks(run: &Run) -> Vec<f64> {
    let checks = run.placement_checks();
    let first = checks.first().map(|[before, _]| *before);
    first.into_iter().chain(checks.iter().map(|[_, after]| *after)).filter(|x| *x > 0.0).collect()
}

/// [`report::taken`], and 0 where it is not known: old records are not left out for it.
fn taken(run: &Run) -> f64 {
    report::taken(run).unwrap_or(0.0)
}
