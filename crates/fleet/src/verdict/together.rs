//! Figures of one resource together: a fault that makes each of them a little worse is surer than any of them says alone.
use super::again::Far;
use super::cost::demand;
use super::deviation::{Deviation, unsure};
use crate::modes::tail;
use crate::tolerance::{DEVIATIONS, FEWEST};
use std::collections::BTreeMap;

/// The mean deviation of the figures of a resource is never more alike between machines than this: that of four figures whose noise
/// is independent.
const LEAST: f64 = 0.5;

/// The mean deviation of the figures of each resource: its median over machines, and the deviation of these means, which is small
/// where the noise of the figures is independent, and that of one figure where they move together.
pub(super) struct Together(BTreeMap<&'static str, (f64, f64)>);

impl Together {
    /// Of these machines.
    pub(super) fn new(machines: &[Far]) -> Together {
        let means = machines.iter().flat_map(means);
        let all = record::groups(means.map(|(resource, mean)| (resource, mean.z)));
        let of = |(resource, values): (_, Vec<f64>)| {
            let median = stats::median(&values).filter(|_| values.len() >= FEWEST)?;
            let spread = DEVIATIONS * stats::median_of(values.iter().map(|x| (x - median).abs()))?;
            let deviation = tail(&values, median, spread).max(LEAST) * unsure(values.len());
            Some((resource, (median, deviation)))
        };
        Together(all.into_iter().filter_map(of).collect())
    }
    /// The figures of a run that are far from its peers, and those of a resource under its name.
    pub(super) fn far(&self, run: &Far) -> Far {
        let of = |(resource, Deviation { z, worse }): (&'static str, Deviation)| {
            let (median, deviation) = self.0.get(resource)?;
            Some((resource.to_owned(), Deviation { z: (z - median) / deviation, worse }))
        };
        let figures = run.iter().map(|(name, own)| (name.clone(), *own));
        let all = figures.chain(means(run).into_iter().filter_map(of));
        all.filter(|(_, own)| own.is_far()).collect()
    }
}

/// Of each resource with several figures their mean.
fn means(run: &Far) -> BTreeMap<&'static str, Deviation> {
    let all = run.iter().filter_map(|(name, own)| Some((demand(name)?.name(), *own)));
    let all = record::groups(all);
    let several = all.into_iter().filter(|(_, own)| own.len() > 1);
    several.map(|(resource, own)| (resource, Deviation::mean(&own))).collect()
}
