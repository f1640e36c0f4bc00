//! One workload in one run, as the factors look at it.
use super::Amount;
use super::counts::{Counts, Unusable};
use crate::equivalent::Crowd;
use crate::estimate;
use crate::program::Program;
use crate::quantities::Quantity;
use record::{Metric, Reason, Record, Run, Series, param::Parameter};
use stats::Sample;

/// The median of each series, of those where it is above zero.
pub(super) fn medians<'a>(all: impl Iterator<Item = &'a Series>) -> Vec<f64> {
    all.filter_map(estimate::median).filter(|x| *x > 0.0).collect()
}

/// The evidence of the factors.
pub(super) struct Seen<'a> {
    pub(super) record: &'a Record,
    pub(super) run: &'a Run,
    pub(super) series: &'a Series,
    pub(super) quantity: Quantity,
    /// Units of work per second.
    pub(super) rate: f64,
    /// As of `Work`.
    pub(super) values: [f64; 3],
    pub(super) crowd: Crowd,
    /// Counters of this run that may be used.
    pub(super) counts: Result<Counts, Unusable>,
    /// The analysis of a run of `stat`.
    pub(super) program: Option<Program<'a>>,
    /// CPUs in use, and how many of them each core has.
    pub(super) threads: Result<Amount, Reason>,
    pub(super) per_core: f64,
}

impl<'a> Seen<'a> {
    /// Another metric of the same run, at the same coordinates if it has any: the median, the least and the most where
    /// the `end`s of a range were printed.
    pub(super) fn beside(&self, metric: Metric) -> Option<(f64, f64, f64)> {
        let near = |s: &&Series| s.at == self.series.at || s.at.keys().all(|name| name == "end");
        let series = self.run.series().iter();
        let found = medians(series.filter(|s| s.metric == metric).filter(near));
        let sample = Sample::new(&found)?;
        Some((sample.median(), sample.min(), sample.max()))
    }
    /// A reading of the same run.
    pub(super) fn reading(&self, name: &str) -> Option<f64> {
        let found = self.run.reading(name)?.value;
        (found.is_finite() && found > 0.0).then_some(found)
    }
    /// Cores that it had, as far as that is known.
    pub(super) fn cores(&self) -> Option<f64> {
        super::cores::given(self).map(|threads| threads / self.per_core)
    }
    /// Whether the other is the same work but for these coordinates, with one thread on each core.
    pub(super) fn alone_as(&self, other: &Seen<'_>, but: &[&str]) -> bool {
        let at = |s: &Seen<'_>| {
            let mut at = s.quantity.at.clone();
            at.retain(|name, _| !but.contains(&name.as_str()));
            at
        };
        let (p, q) = (&self.quantity, &other.quantity);
        self.per_core < 1.01 && (p.probe, p.metric) == (q.probe, q.metric) && at(self) == at(other)
    }
    /// Whether somebody else measured it.
    pub(super) fn imported(&self) -> bool {
        self.run.origin.is_some()
    }
    /// A count among the parameters or coordinates.
    pub(super) fn count(&self, parameter: Parameter<u64>) -> Option<f64> {
        let found = parameter.of(&self.series.at).or_else(|| self.run.case.get(parameter));
        found.filter(|n| *n > 0).map(|n| n as f64)
    }
}
