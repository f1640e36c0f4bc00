//! Runs on one machine that confirm each other, and how often runs on different machines would.
use super::deviation::{deviation, is_worse};
use super::{Figure, SlowFigure};
use crate::digest::Digest;
use crate::headline::Headline;
use crate::runs::YEAR;
use record::seconds_since_1970;
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Seconds between two runs that confirm each other: in Azure's published data 46 % of the slow are slow again within half an
/// hour, for their neighbours are the same, and 8 % after two hours.
const LATER: i64 = 2 * 3600;
/// Times that runs are dealt out anew.
const DEALS: usize = 200;

/// One machine: its runs, oldest first, and its group.
pub(super) struct Host {
    pub(super) runs: Vec<Digest>,
    /// Mode of each figure in which the machine is.
    pub(super) mode: BTreeMap<String, usize>,
    pub(super) off: Vec<SlowFigure>,
    /// Names of what was slow at a run long enough before the newest, and whether there is such a run.
    pub(super) earlier: Option<BTreeSet<String>>,
}

impl Host {
    /// The newest run that was fit to be measured, else the newest.
    pub(super) fn newest(&self) -> Option<&Digest> {
        self.runs.iter().rev().find(|d| d.unfit.is_none()).or(self.runs.last())
    }
    /// A figure of that run.
    pub(super) fn figure(&self, name: &str) -> Option<&Headline> {
        self.newest()?.figures.iter().find(|h| h.name == name)
    }
}

/// Names of what was slow at the runs that are long enough before the newest; nothing where there is none.
pub(super) fn earlier(
    host: &Host,
    slow_at: impl Fn(&Digest) -> Vec<String>,
) -> Option<BTreeSet<String>> {
    let mut runs = before(host).peekable();
    runs.peek()?;
    Some(runs.flat_map(slow_at).collect())
}

/// The runs that are long enough before the newest.
pub(super) fn before(host: &Host) -> impl Iterator<Item = &Digest> {
    let at = |d: &Digest| d.started.as_deref().and_then(seconds_since_1970);
    let newest = host.newest().and_then(at);
    let long = move |d: &&Digest| {
        newest.zip(at(d)).is_some_and(|(now, then)| (LATER..=YEAR).contains(&(now - then)))
    };
    host.runs.iter().filter(|d| d.unfit.is_none()).filter(long)
}

pub(super) fn slow_at(run: &Digest, host: &Host, figures: &[Figure]) -> Vec<String> {
    let slow = |h: &&Headline| {
        let figure = figures.iter().find(|f| f.name == h.name);
        let mode = figure.and_then(|f| f.modes.get(*host.mode.get(&h.name).unwrap_or(&0)));
        mode.and_then(|mode| deviation(h, mode)).is_some_and(|(z, off)| is_worse(z, &off))
    };
    run.figures.iter().filter(slow).map(|h| h.name.clone()).collect()
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
        for (host, other) in twice.iter().zip(&order).filter(|(h, _)| !h.off.is_empty()) {
            let earlier = twice[*other].earlier.as_ref();
            slow +=
                usize::from(host.off.iter().any(|o| earlier.is_some_and(|e| e.contains(&o.name))));
        }
    }
    (slow as f64 / DEALS as f64, twice.len())
}
