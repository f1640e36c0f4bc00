//! Runs on one machine that confirm each other, and how often runs on different machines would.
use super::SlowFigure;
use super::deviation::Deviation;
use super::lost::Lost;
use crate::digest::Digest;
use crate::headline::Headline;
use crate::runs::{YEAR, moment};
use stats::rng::Rng;
use std::collections::BTreeMap;

/// Seconds between two runs that confirm each other: in Azure's published data 46 % of the slow are slow again within half an
/// hour, for their neighbours are the same, and 8 % after two hours.
const LATER: i64 = 2 * 3600;
/// Times that runs are dealt out anew.
const DEALS: usize = 200;

/// Figures of a run that are far from those of the peers, by their names.
pub(super) type Far = BTreeMap<String, Deviation>;

/// One machine: its runs, oldest first, and how they are beside its group.
#[derive(Default)]
pub(super) struct Host {
    pub(super) runs: Vec<Digest>,
    /// What is far off at the newest run.
    pub(super) far: Far,
    /// The same of the runs that are long enough before it; nothing where there is none.
    pub(super) earlier: Option<Vec<Far>>,
    pub(super) off: Vec<SlowFigure>,
    /// What the machine loses, at its newest run, and its peers do not.
    pub(super) lost: Option<Lost>,
    /// Whether it has a setting that few of its kind have.
    pub(super) rare: bool,
}

impl Host {
    /// The newest run that was fit to be measured, else the newest.
    pub(super) fn newest(&self) -> Option<&Digest> {
        self.runs.iter().rev().find(|d| d.unfit.is_none()).or(self.runs.last())
    }
    /// A figure of that run.
    pub(super) fn figure(&self, name: &str) -> Option<&Headline> {
        self.newest()?.figure(name)
    }
    /// Takes what is far off at its runs.
    pub(super) fn look(&mut self, far: impl Fn(&Digest) -> Far) {
        self.far = self.newest().map(&far).unwrap_or_default();
        let earlier: Vec<Far> = before(self).map(far).collect();
        self.earlier = (!earlier.is_empty()).then_some(earlier);
    }
    /// A figure at its newest run together with that earlier run which confirms it most.
    pub(super) fn again(&self, name: &str) -> Option<Deviation> {
        self.confirmed(name, self.earlier.as_deref()?)
    }
    /// Whether its newest run is slow by this figure, or resource, by itself or together with an earlier one.
    pub(super) fn is_slow_by(&self, name: &str) -> bool {
        self.far.get(name).is_some_and(|own| own.is_worse() || self.again(name).is_some())
    }
    /// Whether a slow figure was as far off at an earlier run, or there is none.
    pub(super) fn is_alike(&self) -> bool {
        let alike = |earlier: &Vec<Far>| {
            let mut slow = self.far.iter().filter(|(name, _)| self.is_slow_by(name));
            slow.any(|(name, own)| {
                earlier.iter().filter_map(|far| far.get(name)).any(|other| own.is_like(*other))
            })
        };
        self.earlier.as_ref().is_none_or(alike)
    }
    /// The same by these earlier runs.
    fn confirmed(&self, name: &str, earlier: &[Far]) -> Option<Deviation> {
        let newest = self.far.get(name)?;
        let both = |far: &Far| newest.confirmed_by(*far.get(name)?, self.rare);
        earlier.iter().filter_map(both).max_by(|a, b| a.z.total_cmp(&b.z))
    }
}

/// The fit runs that are long enough before the newest fit one.
pub(super) fn before(host: &Host) -> impl Iterator<Item = &Digest> {
    let fit = host.runs.iter().filter(|d| d.unfit.is_none());
    fit.filter(|d| host.newest().is_some_and(|newest| is_long_before(d, newest)))
}

/// Whether a run may confirm a later one.
pub(super) fn is_long_before(earlier: &Digest, later: &Digest) -> bool {
    let both = moment(later).zip(moment(earlier));
    both.is_some_and(|(now, then)| (LATER..=YEAR).contains(&(now - then)))
}

/// How many hosts of two runs would be slow if their earlier runs were those of others, on average, and how many hosts these are.
pub(super) fn deal(hosts: &[Host], rng: &mut Rng) -> (f64, usize) {
    let twice: Vec<&Host> = hosts.iter().filter(|h| h.earlier.is_some()).collect();
    // Where only suspects were looked at again, their runs are no sample of those of all.
    if 2 * twice.len() < hosts.len() {
        return (0.0, 0);
    }
    let mut order: Vec<usize> = (0..twice.len()).collect();
    let mut slow = 0;
    for _ in 0..DEALS {
        rng.shuffle(&mut order);
        for (host, other) in twice.iter().zip(&order).filter(|(h, _)| !h.far.is_empty()) {
            let earlier = twice[*other].earlier.as_deref().unwrap_or_default();
            let again = |name: &String| host.confirmed(name, earlier).is_some();
            slow += usize::from(host.far.keys().any(again));
        }
    }
    (slow as f64 / DEALS as f64, twice.len())
}
