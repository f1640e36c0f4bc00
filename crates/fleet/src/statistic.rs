//! How the samples of a machine become one figure, and what the next run's may be.
use estimates::between_runs::Kind;
use estimates::report::taken_doubt;
use record::{Better, Run, Series};
use stats::{Interval, Sample, repeat::Repeat};

/// How samples become a figure.
#[derive(Clone, Copy)]
pub(crate) struct Statistic {
    /// The samples of a visit, by the direction that is better.
    of_visit: fn(&Sample<'_>, Better) -> f64,
    /// The visits of a quantity.
    of_visits: fn(&Sample<'_>) -> f64,
    /// The quantities that have one figure.
    of_all: fn(&Sample<'_>) -> f64,
    /// What it varies by from run to run, over what the median of such a quantity does (docs/validation/fleet.md, "Check").
    varies: f64,
}

const MEDIAN: fn(&Sample<'_>) -> f64 = |sample| sample.median();
/// What one sample in twenty reaches, in half of the visits.
pub(crate) const BEST: Statistic =
    Statistic { of_visit: best, of_visits: MEDIAN, of_all: MEDIAN, varies: 0.5 };
/// The lower quartile over the sizes of a cache, of which others may hold a part.
pub(crate) const CACHE: Statistic = Statistic { of_all: |points| points.quantile(0.25), ..BEST };
/// The middle of each visit.
pub(crate) const MIDDLE: Statistic = Statistic { of_visit: |trips, _| middle(trips), ..BEST };
/// The mean, which short changes of the machine move and a median does not see.
pub(crate) const MEAN: Statistic = Statistic {
    of_visit: |windows, _| windows.mean(),
    of_visits: |visits| visits.mean(),
    of_all: MEDIAN,
    varies: 3.0,
};

impl Statistic {
    /// The value of quantities that a run measured in the same visits, and the 95 % interval in which that of the next run lies;
    /// `None` without samples.
    pub(crate) fn of(self, run: &Run, all: &[&Series]) -> Option<(f64, Option<Interval>)> {
        let joined = |values: Vec<f64>| Some((self.of_all)(&Sample::new(&values)?));
        let visits: Vec<Vec<f64>> = all.iter().map(|s| self.by_visit(s)).collect();
        let value = joined(visits.iter().filter_map(|v| self.of_these(v)).collect())?;
        let most = visits.iter().map(Vec::len).max().unwrap_or(0);
        let nth = |n: usize| joined(visits.iter().filter_map(|v| v.get(n).copied()).collect());
        let visits: Vec<f64> = (0..most).filter_map(nth).collect();
        let next = || {
            let kind = Kind::of(run, all.first()?)?;
            let doubt = taken_doubt(run, kind, all.iter().any(|s| s.has_undisturbed()));
            let repeat = Repeat::of_statistic(value, &visits, kind.prior() * self.varies)?;
            Some(repeat.doubted(doubt).interval(value))
        };
        Some((value, next()))
    }
    /// The value of one quantity; `None` without samples.
    pub(crate) fn of_series(self, series: &Series) -> Option<f64> {
        self.of_these(&self.by_visit(series))
    }
    fn of_these(self, visits: &[f64]) -> Option<f64> {
        Sample::new(visits).map(|visits| (self.of_visits)(&visits))
    }
    fn by_visit(self, series: &Series) -> Vec<f64> {
        let visits = series.by_visit();
        let samples = visits.iter().filter_map(|visit| Sample::new(visit));
        samples.map(|sample| (self.of_visit)(&sample, series.better)).collect()
    }
}

/// The 5th percentile on the good side.
fn best(sample: &Sample<'_>, better: Better) -> f64 {
    /// Share of the samples.
    const REACHED: f64 = 0.05;
    sample.quantile(if better == Better::Higher { 1.0 - REACHED } else { REACHED })
}

/// The mean but for a twentieth of the samples at either end. Round trips alternate between the levels of two lines, between
/// which a median jumps.
fn middle(sample: &Sample<'_>) -> f64 {
    let [low, high] = [0.05, 0.95].map(|share| sample.quantile(share));
    let inside: Vec<f64> =
        sample.values().iter().copied().filter(|x| (low..=high).contains(x)).collect();
    Sample::new(&inside).map_or_else(|| sample.median(), |inside| inside.mean())
}
