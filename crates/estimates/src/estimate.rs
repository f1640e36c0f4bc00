//! The estimate of each series: a median with its interval, and whether it is one quantity at all.
use crate::between_runs::{Kind, Pools, Variation};
use crate::report::taken_doubt;
use crate::resources::{Around, Moved};
use record::{Better, Case, Metric, OTHER_PLACEMENT, ProbeId, Record, Run, Series, Unit, Value};
use stats::{Interval, Sample, repeat::Repeat};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The estimate of a series.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// Index into `record.runs`.
    pub run: usize,
    /// Index into that run's series.
    pub series: usize,
    /// The probe's id.
    pub probe: ProbeId,
    /// The case in one line.
    pub case: String,
    /// The metric.
    pub metric: Metric,
    /// Coordinates inside the case, copied from the series.
    pub at: BTreeMap<String, Value>,
    /// Unit of `median`, `interval`, `min` and `max`.
    pub unit: Unit,
    /// Whether more or less is better.
    pub better: Better,
    /// Median of the undisturbed samples, each visit counting the same.
    pub median: f64,
    /// 95 % interval: the median of another run of this machine lies in it. Nothing with fewer than four samples.
    pub interval: Option<Interval>,
    /// 95 % interval of the median by the samples of this run alone, for contrasts inside it: what the run has in common
    /// cancels there. Nothing with fewer than six.
    #[serde(skip)]
    pub of_run: Option<Interval>,
    /// The variation behind the interval; `None` where there is none, or where the samples are all there is to know.
    pub variation: Option<Variation>,
    /// Coefficient of variation of the undisturbed samples; nothing with fewer than two.
    pub cv: Option<f64>,
    /// Smallest undisturbed sample.
    pub min: f64,
    /// Largest undisturbed sample.
    pub max: f64,
    /// Samples that the median rests on: the undisturbed ones, or all of them if every one is marked.
    pub count: usize,
    /// Samples left out because something else happened meanwhile, by what it was.
    pub marked: BTreeMap<String, usize>,
    /// `median` in core cycles, for times taken with the frequency measured beside them.
    pub cycles: Option<f64>,
    /// Operations per core cycle, for times per operation with the frequency measured beside them.
    pub per_cycle: Option<f64>,
    /// Distinct levels more than 1.5x apart (two states of the machine), each with its sample count;
    /// one entry when there is only one state. A median across states means nothing.
    pub states: Vec<State>,
    /// Levels of the samples that the median leaves out because the CPUs were at another distance meanwhile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<State>,
    /// Machine code that ran.
    pub variant: Option<String>,
    /// The resource that drifted beyond its limit while it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
}

impl Estimate {
    /// Between what it lies in this run: the ends of its interval, or of its samples where they are too few for one. A rule
    /// says nothing that either end contradicts.
    pub fn ends(&self) -> (f64, f64) {
        self.of_run.map_or((self.min, self.max), |i| (i.low, i.high))
    }
    /// Between what another run of this machine finds it, for contrasts with what was not measured in this run.
    pub fn ends_of_runs(&self) -> (f64, f64) {
        self.interval.map_or_else(|| self.ends(), |i| (i.low, i.high))
    }
}

/// One of several levels that a quantity was seen at.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct State {
    /// Median of the samples at that level, in the estimate's unit.
    pub level: f64,
    /// The number of samples.
    pub count: usize,
}

/// The level of most samples that were taken in another placement, and the share of such samples, beside a value of so many;
/// nothing where it is the same level.
pub fn elsewhere_of(levels: &[State], value: f64, count: usize) -> Option<(f64, f64)> {
    let most = levels.iter().max_by_key(|s| s.count)?;
    let all: usize = levels.iter().map(|s| s.count).sum();
    let is_another = (most.level / value).max(value / most.level) > STATE_RATIO;
    is_another.then_some((most.level, all as f64 / (all + count) as f64))
}

/// Two values farther apart than this are two states. Placement flips of virtual CPUs move core-to-core latency
/// fivefold and bandwidth by 1.6 to 1.8; noise of one state stays within 1.3.
pub const STATE_RATIO: f64 = 1.5;
/// A state seen once is an outlier until it is seen again, and so are those that fewer than one sample in so many has: two windows
/// of 3,000 were a tenth of the core frequency.
const STATE_SAMPLES: usize = 2;
const ONE_IN: usize = 50;
const CONFIDENCE: f64 = 0.95;

/// One estimate for every series of these cases that has a sample, in the record's order.
pub fn estimates(record: &Record, wanted: impl Fn(&Case) -> bool) -> Vec<Estimate> {
    let pools = Pools::of(record, |run| wanted(&run.case));
    let around = Around::of(record);
    let mut all = vec![];
    for (run, r) in record.runs.iter().enumerate().filter(|(_, r)| wanted(&r.case)) {
        let label = r.case.label();
        for (index, s) in r.series().iter().enumerate() {
            all.extend(estimate((run, r), &label, (index, s), &pools, &around));
        }
    }
    all
}

fn estimate(
    (run, r): (usize, &Run),
    label: &str,
    (series, s): (usize, &Series),
    pools: &Pools,
    around: &Around,
) -> Option<Estimate> {
    let values = values(s);
    let sample = Sample::new(&values)?;
    let kind = Kind::of(r, s);
    let visits = pools.visits(run, series);
    let median = visits.median(&sample);
    let of_run = sample.median_interval(CONFIDENCE);
    let states = states(&sample);
    let known = pools.known(kind, &visits);
    let repeat = kind.and_then(|kind| {
        let doubt = doubt(taken_doubt(r, kind, s.has_undisturbed()), &states);
        Some(Repeat::of_sample(&sample, &visits, known)?.doubted(doubt))
    });
    let frequency = s.frequency.filter(|hz| hz.is_finite() && *hz > 0.0);
    let cycles = frequency.filter(|_| s.unit == Unit::Seconds).map(|hz| median * hz);
    let per_cycle =
        cycles.filter(|c| *c > 0.0 && s.metric == Metric::TimePerOp).map(|cycles| 1.0 / cycles);
    Some(Estimate {
        run,
        series,
        probe: r.case.probe,
        case: label.to_owned(),
        metric: s.metric,
        at: s.at.clone(),
        unit: s.unit,
        better: s.better,
        median,
        of_run: of_run.map(|i| Interval { low: i.low.min(median), high: i.high.max(median), ..i }),
        interval: match &repeat {
            Some(repeat) => Some(repeat.interval(median)),
            None => of_run,
        },
        variation: kind
            .filter(|_| repeat.is_some())
            .map(|kind| Variation::of(&s.by_visit(), &visits, kind, known)),
        cv: sample.cv(),
        min: sample.min(),
        max: sample.max(),
        count: values.len(),
        marked: marks(s),
        cycles,
        per_cycle,
        states,
        elsewhere: elsewhere(s),
        variant: s.variant.clone(),
        moved: kind.and_then(|kind| around.moved(r, kind)),
    })
}

/// What may be wrong with a value beyond its own variation, as a standard deviation of its logarithm: time that others took
/// of its CPUs ([`taken_doubt`]), and the states that it was seen in.
pub fn doubt(taken: f64, states: &[State]) -> f64 {
    let apart = match states {
        [low, .., high] if low.level > 0.0 => (high.level / low.level).ln() / 2.0,
        _ => 0.0,
    };
    taken.hypot(apart)
}

/// What an estimate of a series rests on; copied where something is left out. A record that was read holds finite numbers only;
/// one made in memory by an importer may not.
pub fn values(s: &Series) -> Cow<'_, [f64]> {
    if s.disturbed.is_empty() && s.samples.iter().all(|x| x.is_finite()) {
        return Cow::Borrowed(&s.samples);
    }
    Cow::Owned(s.undisturbed().into_iter().filter(|x| x.is_finite()).collect())
}

/// The median of a series, as an estimate has it.
pub fn median(s: &Series) -> Option<f64> {
    stats::balanced_median(&s.by_visit())
}

/// The levels of samples that are marked as of another placement and by nothing else; nothing where all are of it, which then
/// count.
fn elsewhere(s: &Series) -> Vec<State> {
    let mut marks: BTreeMap<u32, bool> = BTreeMap::new();
    for mark in &s.disturbed {
        *marks.entry(mark.sample).or_insert(true) &= mark.why == OTHER_PLACEMENT;
    }
    let placed = s.disturbed.iter().filter(|mark| mark.why == OTHER_PLACEMENT).count();
    let of = marks.iter().filter(|(_, only)| **only);
    let samples: Vec<f64> = of
        .filter_map(|(at, _)| s.samples.get(*at as usize))
        .copied()
        .filter(|x| x.is_finite())
        .collect();
    match Sample::new(&samples).filter(|_| placed < s.samples.len()) {
        Some(sample) => states(&sample),
        None => vec![],
    }
}

/// Samples by what disturbed them; one that was disturbed twice counts under both.
fn marks(s: &Series) -> BTreeMap<String, usize> {
    record::counts(s.disturbed.iter().map(|mark| mark.why.to_string()))
}

/// The levels that were seen often enough, lowest first; the median of everything if there is only one.
pub fn states(sample: &Sample<'_>) -> Vec<State> {
    let seen: Vec<State> = stats::modes::of_sample(sample, STATE_RATIO)
        .into_iter()
        .filter(|mode| mode.count >= STATE_SAMPLES && mode.count * ONE_IN >= sample.len())
        .map(|mode| State { level: mode.level, count: mode.count })
        .collect();
    if seen.len() > 1 { seen } else { vec![State { level: sample.median(), count: sample.len() }] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::measured;
    use record::{Better, Disturbed};

    fn of(samples: &[f64], marked: &[u32]) -> Vec<Estimate> {
        let mut s = Series::new(Metric::TimePerOp, Unit::Seconds, Better::Lower);
        s.samples = samples.to_vec();
        s.disturbed =
            marked.iter().map(|i| Disturbed { sample: *i, why: "steal".into() }).collect();
        s.frequency = Some(2e9);
        let mut record = crate::example::empty();
        measured(&mut record, "core_rate", &[], vec![s]);
        estimates(&record, |_| true)
    }

    #[test]
    fn marked_samples_are_counted_and_left_out() {
        let found = of(&[1e-9, 50e-9, 1e-9, 1e-9], &[1]);
        assert_eq!((found[0].median, found[0].count), (1e-9, 3));
        assert_eq!(found[0].marked, [("steal".to_owned(), 1)].into());
        assert_eq!((found[0].cycles, found[0].per_cycle), (Some(2.0), Some(0.5)));
    }

    /// As seen on a guest: a neighbour kept one visit sampling.
    #[test]
    fn a_visit_with_more_samples_weighs_no_more() {
        let of = |visits: [usize; 2]| {
            let mut s = Series::new(Metric::TimePerOp, Unit::Seconds, Better::Lower);
            s.samples = [vec![1.8e-9; visits[0]], vec![1.4e-9; visits[1]]].concat();
            s.visits = visits.map(|n| n as u32).to_vec();
            let mut record = crate::example::empty();
            measured(&mut record, "core_rate", &[], vec![s.clone()]);
            record.runs[0].visits = vec![Default::default(); 2];
            let e = estimates(&record, |_| true).remove(0);
            assert_eq!(median(&s), Some(e.median));
            assert!(e.ends().0 <= e.median && e.median <= e.ends().1, "{e:?}");
            e.median
        };
        assert!((of([41, 7]) - 1.6e-9).abs() < 1e-15);
        assert_eq!(of([41, 7]), of([7, 7]));
    }

    #[test]
    fn samples_of_another_placement_are_levels_of_their_own() {
        let of = |other: &[u32], stolen: &[u32]| {
            let mut s = Series::new(Metric::RoundTrip, Unit::Seconds, Better::Lower);
            s.samples = vec![50e-9, 51e-9, 250e-9, 251e-9, 252e-9];
            let mark = |(sample, why): (&u32, &'static str)| Disturbed {
                sample: *sample,
                why: why.into(),
            };
            let other = other.iter().map(|sample| (sample, OTHER_PLACEMENT));
            let stolen = stolen.iter().map(|sample| (sample, "steal"));
            s.disturbed = other.chain(stolen).map(mark).collect();
            let mut record = crate::example::empty();
            measured(&mut record, "core_to_core", &[], vec![s]);
            let e = estimates(&record, |_| true).remove(0);
            let levels = |states: &[State]| -> Vec<(f64, usize)> {
                states.iter().map(|s| ((s.level * 2e9).round(), s.count)).collect()
            };
            ((e.median * 2e9).round(), levels(&e.states), levels(&e.elsewhere))
        };
        assert_eq!(of(&[2, 3, 4], &[]), (101.0, vec![(101.0, 2)], vec![(502.0, 3)]));
        assert_eq!(of(&[2, 3, 4], &[4]), (101.0, vec![(101.0, 2)], vec![(501.0, 2)]));
        // Where all others were stolen they still are of the right quantity.
        assert_eq!(of(&[2, 3, 4], &[0, 1]).0, 101.0);
        assert_eq!(of(&[0, 1, 2, 3, 4], &[]).2, []);
    }

    #[test]
    fn all_marked_is_said_not_dropped() {
        let found = of(&[1e-9, 2e-9], &[0, 1]);
        assert_eq!((found[0].count, found[0].marked["steal"]), (2, 2));
    }

    #[test]
    fn one_sample_claims_neither_interval_nor_spread() {
        let found = of(&[1e-9], &[]);
        assert_eq!((found[0].interval, found[0].cv), (None, None));
        assert_eq!(found[0].states, [State { level: 1e-9, count: 1 }]);
    }

    #[test]
    fn what_is_not_a_number_is_left_out() {
        assert!(of(&[f64::NAN], &[]).is_empty());
        assert_eq!(of(&[f64::INFINITY, 3e-9], &[])[0].median, 3e-9);
        assert!(of(&[], &[]).is_empty());
        assert_eq!(of(&[0.0], &[])[0].per_cycle, None);
    }

    #[test]
    fn a_state_needs_to_be_seen_twice() {
        assert_eq!(of(&[1.0, 1.0, 1.0, 9.0], &[])[0].states.len(), 1);
        let two = &of(&[1.0, 1.1, 9.0, 9.1, 9.2], &[])[0].states;
        assert_eq!(two[..], [State { level: 1.05, count: 2 }, State { level: 9.1, count: 3 }]);
        let many = |rare: usize| of(&[vec![4.0; 100 - rare], vec![0.4; rare]].concat(), &[]);
        assert_eq!([1, 2].map(|rare| many(rare)[0].states.len()), [1, 2]);
        let more = of(&[vec![4.0; 200], vec![0.4; 3]].concat(), &[]);
        assert_eq!(more[0].states, [State { level: 4.0, count: 203 }]);
    }
}
