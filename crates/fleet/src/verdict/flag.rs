//! Machines that are slower than their peers, and what each has that no healthy peer has.
use super::again::Host;
use super::cost::costs;
use super::deviation::is_like;
use super::{Flagged, Standing, Support};
use crate::digest::Digest;
use crate::tolerance;
use std::collections::BTreeMap;

pub(super) fn flag(hosts: &[Host], group: usize, flagged: &mut Vec<Flagged>) {
    let is_slow = |h: &&Host| !h.off.is_empty() || h.lost.is_some();
    let healthy = hosts.iter().filter(|h| !is_slow(h)).filter_map(Host::newest);
    let values = values(&healthy.filter(|d| d.unfit.is_none()).collect::<Vec<_>>());
    for host in hosts.iter().filter(is_slow) {
        let newest = if host.lost.is_some() { host.runs.last() } else { host.newest() };
        let (Some(run), Some(compared)) = (newest, host.newest()) else { continue };
        let again = host.far.keys().any(|name| host.again(name).is_some());
        let by_figures = if again { Standing::Slow } else { Standing::Suspect };
        let by_losses = host.lost.as_ref().map_or(Standing::Suspect, |lost| lost.standing);
        let slow = |d: &&Digest| {
            d.figures.iter().any(|h| host.off.iter().any(|o| o.name == h.name && is_like(h, o)))
        };
        let fit = host.runs.iter().rev().filter(|d| d.unfit.is_none());
        let since = fit.take_while(slow).last().and_then(|d| d.started.clone());
        let lost = host.lost.as_ref();
        let losses = lost.map_or(vec![], |lost| lost.losses.clone());
        let differs = differs(run, &values);
        let support = match losses.is_empty() && differs.is_empty() {
            false => Support::Named,
            true if host.is_alike() => Support::Alike,
            true => Support::Unlike,
        };
        // Figures of a run that was not fit are not compared.
        let figures = if compared.unfit.is_none() { &compared.figures[..] } else { &[] };
        flagged.push(Flagged {
            host: run.host.clone(),
            name: run.shown().into(),
            labels: run.labels.clone(),
            group,
            standing: by_figures.min(by_losses),
            support,
            since: [since, lost.and_then(|l| l.since.clone())].into_iter().flatten().min(),
            off: host.off.clone(),
            costs: costs(&host.off, figures, &losses),
            losses,
            differs,
        });
    }
}

/// The number of healthy peers with each value of each fact.
pub(super) type Values<'a> = BTreeMap<&'a str, BTreeMap<&'a str, usize>>;

/// The values of all facts of these runs.
pub(super) fn values_of<'a>(runs: &[&'a Digest]) -> Values<'a> {
    let mut values = Values::new();
    for (fact, value) in runs.iter().flat_map(|d| &d.facts) {
        *values.entry(fact).or_default().entry(value).or_default() += 1;
    }
    values
}

/// Nothing where the healthy peers are too few.
pub(super) fn values<'a>(healthy: &[&'a Digest]) -> Values<'a> {
    if healthy.len() < tolerance::FEWEST { Values::new() } else { values_of(healthy) }
}

/// Facts of a run that no healthy peer has, each with the value that most of them have.
pub(super) fn differs(run: &Digest, values: &Values<'_>) -> Vec<(String, String, String)> {
    let alone = |(fact, own): (&String, &String)| {
        let peers = values.get(fact.as_str())?;
        let most = peers.iter().max_by_key(|(v, n)| (**n, std::cmp::Reverse(**v)))?;
        (!peers.contains_key(own.as_str())).then(|| (fact.clone(), own.clone(), (*most.0).into()))
    };
    run.facts.iter().filter_map(alone).collect()
}
