//! Machines by what is published of their processor: kinds of too few machines, and peers that are all slow.
use super::SlowFigure;
use super::again::Host;
use super::deviation::Deviation;
use crate::digest::Digest;
use crate::group::Key;
use crate::headline::Headline;
use crate::modes::Mode;
use crate::say;
use crate::tolerance;
use record::Text;
use std::collections::BTreeSet;

/// A group that is too small: by what is published of the processor.
pub(super) fn by_expected(fit: &[usize], hosts: &mut [Host], key: &Key, notes: &mut Vec<Text>) {
    if !fit.is_empty() {
        let runs = fit.iter().filter_map(|i| hosts[*i].newest());
        let known: BTreeSet<&str> =
            runs.flat_map(|d| d.expected.keys().map(String::as_str)).collect();
        let known: Vec<&str> = known.into_iter().collect();
        notes.push(match known.is_empty() {
            true => say::few_unjudged(key, fit.len()),
            false => say::few_by_published(key, fit.len(), known.join(", ")),
        });
    }
    for i in fit {
        let host = &mut hosts[*i];
        host.off = host.newest().map_or(vec![], beyond);
        let published = |off: SlowFigure| (off.name, Deviation::PUBLISHED);
        host.look(|run| beyond(run).into_iter().map(published).collect());
    }
}

/// The figures of a run that are worse than published of the processor.
fn beyond(run: &Digest) -> Vec<SlowFigure> {
    let off = |h: &Headline| {
        let limit = *run.expected.get(&h.name).filter(|limit| h.value > **limit)?;
        let worse = h.value / limit - 1.0;
        Some(SlowFigure { name: h.name.clone(), unit: h.unit, value: h.value, peers: limit, worse })
    };
    run.figures.iter().filter_map(off).collect()
}

/// Peers that are all slow make each other look healthy: the least median and what is expected, if it is worse.
pub(super) fn beyond_expected(
    name: &str,
    modes: &[Mode],
    who: &[usize],
    hosts: &[Host],
) -> Option<(f64, f64)> {
    let limits: Vec<f64> =
        who.iter().filter_map(|i| hosts[*i].newest()?.expected.get(name).copied()).collect();
    let (limit, _) = tolerance::middle(&limits)?;
    let best = modes.iter().map(|mode| mode.median).min_by(f64::total_cmp)?;
    (best > limit).then_some((best, limit))
}
