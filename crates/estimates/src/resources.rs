//! What cases rest on (frequency, ports, caches, memory, placement) and how far it moved, by the reference samples: over the
//! whole run and around each case.
use crate::between_runs::Kind;
use crate::facts;
use record::{CpuSet, OTHER_PLACEMENT, Record, Relation, Relations, Run, Series};
use std::collections::BTreeMap;

record::named! {
    /// A resource that a reference sample watches.
    #[derive(serde::Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum Resource {
        /// The core's frequency.
        Frequency = "core frequency",
        /// Independent operations per cycle: what a thread on the same core takes part of.
        Ports = "operations per cycle",
        /// The private cache beyond L1, in cycles.
        L2 = "L2 latency in cycles",
        /// The last cache, in seconds.
        L3 = "L3 latency",
        /// Memory, in seconds.
        Memory = "memory latency",
        /// Where the CPUs are that run together: the round trip of a line between two of them, before and after each case with
        /// several threads.
        Placement = "core-to-core latency",
    }
}

/// The drift of a resource.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moved {
    /// The resource.
    pub resource: Resource,
    /// Over the run: from the 5th to the 95th percentile of the samples' medians, over their median. Around a case: from the
    /// least to the most of the samples beside its visits and of the run's median, over that median; of the placement: of its
    /// own checks, over the least.
    pub range: f64,
}

impl Moved {
    /// The placement of CPUs, by the least and the most round trip between them.
    pub fn placement((low, high): (f64, f64)) -> Moved {
        Moved { resource: Resource::Placement, range: (high - low) / low }
    }
    /// Whether figures that rest on it and were taken at different times do not compare.
    pub fn too_far(&self) -> bool {
        self.range > self.resource.limit()
    }
}

impl Resource {
    /// Beyond this range, cases taken at different times do not compare: a quiet machine's samples stay within 1 to 2 % in
    /// the core, and others take part of what they share with it.
    pub fn limit(self) -> f64 {
        match self {
            Resource::Frequency | Resource::Ports | Resource::L2 => 0.05,
            // From the 5th to the 95th percentile of what varies by 8 % (`between_runs::Kind::prior`) it is 26 %; quiet guests had
            // 16 to 28 % in ten runs, a busy one no more.
            Resource::L3 => 0.30,
            Resource::Memory => 0.10,
            // Threads of one core, cores of one cache and cores of two are a factor of two to four apart.
            Resource::Placement => 0.50,
        }
    }
    /// The resource of a kind of quantity; `None` where no reference sample tells.
    fn of(kind: Kind) -> Option<Resource> {
        Some(match kind {
            Kind::Ports => Resource::Ports,
            Kind::Core | Kind::Dependent | Kind::FirstCache | Kind::Parallel | Kind::System => {
                Resource::Frequency
            }
            Kind::Cache => Resource::L2,
            Kind::SharedCache => Resource::L3,
            Kind::Memory | Kind::Bandwidth | Kind::SharedBandwidth | Kind::Loaded => {
                Resource::Memory
            }
            Kind::Cores | Kind::Contention => Resource::Placement,
            Kind::Translation => return None,
        })
    }
}

/// Medians of a reference sample.
#[derive(Debug)]
pub(crate) struct Watched {
    /// Seconds since the run began.
    at: f64,
    values: BTreeMap<Resource, f64>,
}

impl Watched {
    /// The value of a resource.
    pub(crate) fn value(&self, resource: Resource) -> Option<f64> {
        self.values.get(&resource).copied()
    }
}

/// The samples that have both frequency and chase, in order. Cores need not be equal, so only those of one CPU compare: of the
/// one that has most.
pub(crate) fn watched(record: &Record) -> Vec<Watched> {
    let cpus = record::counts(record.reference_samples.iter().map(|sample| sample.cpu));
    let Some((cpu, _)) = cpus.into_iter().rev().max_by_key(|(_, samples)| *samples) else {
        return vec![];
    };
    let median = |values: &[f64]| stats::median(values);
    let samples = record.reference_samples.iter().filter(|sample| sample.cpu == cpu);
    samples
        .filter_map(|sample| {
            let (frequency, chase) = (median(&sample.frequency)?, median(&sample.chase)?);
            let mut values = BTreeMap::from([
                (Resource::Frequency, frequency),
                // A cache runs with the core, so in cycles a changed frequency cancels and what is left is the cache itself.
                (Resource::L2, frequency * chase),
            ]);
            values.extend(median(&sample.ports).map(|rate| (Resource::Ports, rate / frequency)));
            values.extend(median(&sample.l3).map(|seconds| (Resource::L3, seconds)));
            values.extend(median(&sample.memory).map(|seconds| (Resource::Memory, seconds)));
            Some(Watched { at: sample.at, values })
        })
        .collect()
}

/// The round trips between two CPUs that were taken before and after a case: least and most.
pub fn placement(run: &Run) -> Option<(f64, f64)> {
    ends(run.placement_checks().into_iter().flatten())
}

fn ends(trips: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    stats::ends(trips.filter(|trip| *trip > 0.0))
}

/// The median round trip between two CPUs around the samples of a case that count.
pub fn round_trip(run: &Run) -> Option<f64> {
    stats::median(&counted_trips(run).0)
}

/// Cycles of a round trip through a common last cache at most: 190 to 240 were measured, and 650 and more between caches
/// (docs/validation/fleet.md).
const ONE_CACHE: f64 = 600.0;

/// Whether a hypervisor had CPUs on several last-level caches that it states to be one, by a round trip of so many seconds.
/// What CPUs do together is another quantity then.
pub fn is_across(record: &Record, cpus: &CpuSet, seconds: Option<f64>) -> bool {
    if cpus.len() < 2 || facts::hypervisor(&record.machine).is_none() {
        return false;
    }
    let windows = record.reference_samples.iter().flat_map(|s| &s.frequency);
    let hertz = stats::median_of(windows.copied());
    if !seconds.zip(hertz).is_some_and(|(seconds, hertz)| seconds * hertz > ONE_CACHE) {
        return false;
    }
    let relations = Relations::of(&record.machine.topology);
    let mut others = cpus.iter();
    others
        .next()
        .is_some_and(|first| others.all(|cpu| relations.between(first, cpu) == Relation::LastLevel))
}

/// The round trips around the attempts whose samples count, and whether these are of another placement than the case should have
/// had: all are.
fn counted_trips(run: &Run) -> (Vec<f64>, bool) {
    let checks = run.placement_checks();
    let checked = |s: &&Series| !checks.is_empty() && s.attempts.len() == checks.len();
    let Some(series) = run.series().iter().find(checked) else {
        return (checks.into_iter().flatten().collect(), false);
    };
    let mut other = vec![false; series.samples.len()];
    let marks = series.disturbed.iter().filter(|mark| mark.why == OTHER_PLACEMENT);
    for mark in marks {
        if let Some(sample) = other.get_mut(mark.sample as usize) {
            *sample = true;
        }
    }
    let all = !other.contains(&false);
    let mut from = 0_usize;
    let mut counted = vec![];
    for (count, trips) in series.attempts.iter().zip(checks) {
        if all || other.get(from) == Some(&false) {
            counted.extend(trips);
        }
        from = from.saturating_add(*count as usize);
    }
    (counted, all)
}

/// The cases whose placement was checked, of the CPUs that most of them ran on: other pairs are other distances.
pub fn placed(record: &Record) -> Vec<&Run> {
    let checked = || {
        let own = record.runs.iter().filter(|run| run.origin.is_none());
        own.filter(|run| placement(run).is_some())
    };
    let sets = record::counts(checked().map(|run| run.case.place.cpus.to_string()));
    let most = sets.into_iter().rev().max_by_key(|(_, cases)| *cases);
    let of_most = |run: &&Run| {
        most.as_ref().is_some_and(|(cpus, _)| run.case.place.cpus.to_string() == *cpus)
    };
    checked().filter(of_most).collect()
}

/// Their round trips.
pub(crate) fn placements(record: &Record) -> Vec<f64> {
    let ends = placed(record).into_iter().filter_map(placement);
    ends.flat_map(|(low, high)| [low, high]).collect()
}

/// The samples' medians of each resource, in order.
pub(crate) fn by_resource(samples: &[Watched]) -> BTreeMap<Resource, Vec<f64>> {
    let values = samples.iter().flat_map(|sample| &sample.values);
    record::groups(values.map(|(resource, value)| (*resource, *value)))
}

/// The samples of a record with the median of each resource.
#[derive(Debug)]
pub(crate) struct Around {
    samples: Vec<Watched>,
    medians: BTreeMap<Resource, f64>,
    /// The least round trip of the placement checks, by the CPUs of their cases.
    nearest: BTreeMap<String, f64>,
}

impl Around {
    pub(crate) fn of(record: &Record) -> Around {
        let samples = watched(record);
        let median =
            |(resource, values): (Resource, Vec<f64>)| Some((resource, stats::median(&values)?));
        let medians = by_resource(&samples).into_iter().filter_map(median).collect();
        let mut nearest: BTreeMap<String, f64> = BTreeMap::new();
        for (run, (low, _)) in record.runs.iter().filter_map(|run| Some((run, placement(run)?))) {
            let of_cpus = nearest.entry(run.case.place.cpus.to_string()).or_insert(low);
            *of_cpus = of_cpus.min(low);
        }
        Around { samples, medians, nearest }
    }
    /// How far what quantities of a kind rest on moved while a case was measured: by the samples before and after each visit, or
    /// by how far its CPUs were apart where that was never as near as in other cases. Nothing where it stayed within its limit, or
    /// was not watched.
    pub(crate) fn moved(&self, run: &Run, kind: Kind) -> Option<Moved> {
        if run.origin.is_some() {
            return None;
        }
        let resource = Resource::of(kind)?;
        let (trips, is_other) = counted_trips(run);
        if is_other || resource == Resource::Placement {
            let nearest = self.nearest.get(&run.case.place.cpus.to_string()).copied();
            let moved =
                Moved::placement(ends(trips.into_iter().chain(nearest.filter(|_| is_other)))?);
            return moved.too_far().then_some(moved);
        }
        if self.samples.len() < 2 {
            return None;
        }
        let median = *self.medians.get(&resource).filter(|median| **median > 0.0)?;
        let value = |sample: &Watched| sample.values.get(&resource).copied();
        let beside = |(began, took): (f64, f64)| {
            let before = self.samples.iter().rev().filter(|s| s.at <= began).find_map(value);
            let after = self.samples.iter().filter(|s| s.at >= began + took).find_map(value);
            [before, after]
        };
        let visits = run.visits.iter().filter_map(|visit| Some((visit.began?, visit.took)));
        let once = run.visits.is_empty().then_some((run.began, run.took));
        let values = visits.chain(once).flat_map(beside).flatten();
        let ends = values.fold((median, median), |(low, high), x| (x.min(low), x.max(high)));
        let moved = Moved { resource, range: (ends.1 - ends.0) / median };
        moved.too_far().then_some(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{estimate, example};
    use record::{Better, Metric, ProbeId, Reading, ReferenceSample, Unit, Visit};

    /// Two cases, visited twice each, with a sample before the first and after each visit.
    #[test]
    fn only_cases_that_rest_on_what_moved_meanwhile_are_named() {
        let mut record = example::empty();
        let series = |metric, unit, at: (&str, &str)| {
            let mut s = Series::new(metric, unit, Better::Lower);
            (s.samples, s.visits) = (vec![1e-9; 8], vec![4, 4]);
            s.at.insert(at.0.into(), at.1.into());
            s
        };
        let time = |op| series(Metric::TimePerOp, Unit::Seconds, ("op", op));
        example::measured(&mut record, "core_rate", &[], vec![time("add"), time("add_chain")]);
        let read = series(Metric::Bandwidth, Unit::BytesPerSecond, ("kernel", "read"));
        example::measured(&mut record, "bandwidth", &[], vec![read]);
        let visit = |began| Visit { began: Some(began), took: 0.8, ..Visit::default() };
        record.runs[0].visits = vec![visit(0.1), visit(2.1)];
        record.runs[1].visits = vec![visit(1.1), visit(3.1)];
        let moved = |record: &Record| -> Vec<Option<Resource>> {
            estimate::estimates(record, |_| true)
                .iter()
                .map(|e| e.moved.map(|m| m.resource))
                .collect()
        };
        assert_eq!(moved(&record), [None; 3], "nothing was watched");
        // Another thread has the core from 1.5 to 2.5 s, beside the second visit of the first case and after the first of
        // the other.
        record.reference_samples = [(0.0, 16e9), (1.0, 16e9), (2.0, 8e9), (3.0, 16e9), (4.0, 16e9)]
            .map(|(at, ports)| ReferenceSample {
                at,
                cpu: 0,
                frequency: vec![4e9],
                chase: vec![3e-9],
                ports: vec![ports],
                memory: vec![1e-7],
                ..Default::default()
            })
            .into();
        assert_eq!(moved(&record), [Some(Resource::Ports), None, None]);
        record.reference_samples[4].memory = vec![1.5e-7];
        assert_eq!(moved(&record), [Some(Resource::Ports), None, Some(Resource::Memory)]);
        record.runs[0].visits[1] = Visit::default();
        assert_eq!(moved(&record)[0], None, "a visit that was not done");
    }

    /// 90 % of normal values lie within 3.29 standard deviations.
    #[test]
    fn a_limit_leaves_room_for_what_varies_from_run_to_run() {
        for kind in [Kind::Core, Kind::Ports, Kind::Cache, Kind::SharedCache, Kind::Memory] {
            let limit = Resource::of(kind).unwrap().limit();
            assert!(limit > 3.29 * kind.prior(), "{kind:?}");
        }
    }

    #[test]
    fn cpus_that_moved_meanwhile_are_known_by_the_checks_of_each_case() {
        let mut record = example::empty();
        for checks in [[25e-9, 26e-9], [25e-9, 90e-9], [25e-9, 25e-9]] {
            let mut trip = Series::new(Metric::RoundTrip, Unit::Seconds, Better::Lower);
            trip.samples = vec![50e-9; 8];
            example::measured(&mut record, "core_to_core", &[], vec![trip]);
            let run = record.runs.last_mut().unwrap();
            let names = ["placement_check.before.cas", "placement_check.after.cas"];
            run.readings = names
                .into_iter()
                .zip(checks)
                .map(|(name, x)| Reading::new(name, Unit::Seconds, x))
                .collect();
        }
        let moved = |record: &Record| -> Vec<Option<Resource>> {
            estimate::estimates(record, |_| true)
                .iter()
                .map(|e| e.moved.map(|m| m.resource))
                .collect()
        };
        assert_eq!(moved(&record), [None, Some(Resource::Placement), None]);
        // What several CPUs do together, never as near as elsewhere in the run.
        let run = &mut record.runs[2];
        run.case.probe = ProbeId::Bandwidth;
        run.readings.iter_mut().for_each(|r| r.value = 90e-9);
        let record::Outcome::Measured(series) = &mut run.outcome else { panic!() };
        (series[0].unit, series[0].attempts) = (Unit::BytesPerSecond, vec![8]);
        let mark = |sample| record::Disturbed { sample, why: OTHER_PLACEMENT.into() };
        series[0].disturbed = (0..8).map(mark).collect();
        assert_eq!(moved(&record)[2], Some(Resource::Placement));
        let record::Outcome::Measured(series) = &mut record.runs[2].outcome else { panic!() };
        series[0].disturbed.pop();
        assert_eq!(moved(&record)[2], None);
        // Nothing was checked of a case that has a series without samples.
        let mut unchecked = record.runs[0].clone();
        unchecked.readings.clear();
        let record::Outcome::Measured(series) = &mut unchecked.outcome else { panic!() };
        series.insert(0, Series { samples: vec![], ..series[0].clone() });
        assert_eq!(counted_trips(&unchecked), (vec![], false));
        // Another pair of CPUs is another distance.
        record.runs[1].case.place.cpus = "0,9".parse().unwrap();
        assert_eq!(placements(&record).len(), 4);
    }
}
