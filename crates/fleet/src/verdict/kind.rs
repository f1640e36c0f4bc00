//! Machines of one kind: the newest run on each against its peers, figure by figure.
use super::again::{Far, Host};
use super::cost::demand;
use super::deviation::{Deviation, EFFECT, tail};
use super::expected::{beyond_expected, by_expected};
use super::flag::{differs, values};
use super::lost;
use super::odd::rare;
use super::slower::{judged_by, slower};
use super::together::Together;
use super::{Figure, Fleet, Group, LeftOut, NEARLY_ALL, SlowFigure, Unhealthy};
use crate::digest::{Digest, KERNELS};
use crate::group::Key;
use crate::headline::{Headline, SYSTEM_CALL, across};
use crate::loss::LossKind;
use crate::modes::{Mode, Modes};
use crate::say;
use crate::tolerance;
use analyse::cost::Demand;
use record::{Better, Between, Sort, Text, Unit};
use stats::discovery;
use std::collections::{BTreeMap, BTreeSet};

/// Share of false ones allowed among the flagged.
const FALSE_SHARE: f64 = 0.05;

/// Judges the newest run of each host of a group, and the earlier ones by the same peers.
pub(super) fn judge(key: Key, hosts: &mut [Host], fleet: &mut Fleet) -> Group {
    lost::look(&key, hosts, fleet);
    let fit = fit(hosts, &mut fleet.left_out);
    without(&fit, hosts, fleet);
    let mut figures = vec![];
    if fit.len() < tolerance::FEWEST {
        by_expected(&fit, hosts, &key, &mut fleet.notes);
        return Group { key, hosts: hosts.len(), fit: fit.len(), figures };
    }
    let figures_of = |i: &usize| hosts[*i].newest().map_or(&[][..], |run| &run.figures);
    let named = fit.iter().flat_map(|i| figures_of(i).iter().map(|h| (h.name.clone(), *i)));
    let named = record::groups(named);
    let mut peers: BTreeMap<String, Peers> = BTreeMap::new();
    for (name, who) in named.into_iter().filter(|(_, who)| who.len() >= tolerance::FEWEST) {
        let who = of_one_unit(&name, who, hosts, &mut fleet.left_out);
        if let Some((figure, own)) = compare(&name, &who, hosts, &key, fleet) {
            figures.push(figure);
            peers.insert(name, own);
        }
    }
    let rare = rare(&fit.iter().filter_map(|i| hosts[*i].newest()).collect::<Vec<_>>());
    for i in &fit {
        let host = &mut hosts[*i];
        host.rare = host.newest().is_some_and(|run| rare.contains(&run.host));
    }
    let all = |run: &Digest| deviations(run, &peers);
    let newest = fit.iter().filter_map(|i| hosts[*i].newest());
    let together = Together::new(&newest.map(all).collect::<Vec<_>>());
    for i in &fit {
        hosts[*i].look(|run| together.far(&all(run)));
    }
    // Those with a rare setting are few, and asked by themselves.
    for rare in [false, true] {
        let asked: Vec<usize> = fit.iter().copied().filter(|i| hosts[*i].rare == rare).collect();
        let p: Vec<f64> = asked.iter().map(|i| chance(&hosts[*i])).collect();
        for (i, adjusted) in asked.into_iter().zip(discovery::adjusted(&p)) {
            if adjusted <= FALSE_SHARE {
                hosts[i].off = off(&hosts[i], &peers);
            }
        }
    }
    Group { key, hosts: hosts.len(), fit: fit.len(), figures }
}

/// The probability that a healthy machine is as far off as this one in any of its figures (Bonferroni).
fn chance(host: &Host) -> f64 {
    let most = host.far.iter().map(|(name, own)| host.again(name).map_or(own.z, |b| b.z));
    let asked = host.newest().map_or(1, |run| run.figures.len()) + Demand::ALL.len();
    (tail(most.fold(0.0, f64::max)) * asked as f64).min(1.0)
}

/// The modes of a figure, and the mode by which the machines of each are judged.
struct Peers {
    modes: Modes,
    judged_by: Vec<usize>,
    unit: Unit,
    better: Better,
}

impl Peers {
    fn mode(&self, value: f64, facts: &BTreeMap<String, String>) -> &Mode {
        &self.modes.all[self.judged_by[self.modes.place(value, facts)]]
    }
}

/// The figures of a run on the bad side of its peers or not, by the mode in which it is itself.
fn deviations(run: &Digest, peers: &BTreeMap<String, Peers>) -> Far {
    let facts = run.naming();
    let of = |h: &Headline| {
        let peers = peers.get(&h.name).filter(|p| (p.unit, p.better) == (h.unit, h.better))?;
        let own = Deviation::of(h, peers.mode(h.value, &facts))?;
        Some((h.name.clone(), own))
    };
    run.figures.iter().filter_map(of).collect()
}

/// The figures of the newest run that are worse, by itself or together with an earlier one, the worst first.
fn off(host: &Host, peers: &BTreeMap<String, Peers>) -> Vec<SlowFigure> {
    let Some(run) = host.newest() else { return vec![] };
    let facts = run.naming();
    let all = deviations(run, peers);
    let slow = |(name, own): (&String, &Deviation)| {
        let together =
            || own.worse >= EFFECT && demand(name).is_some_and(|d| host.is_slow_by(d.name()));
        let h = host.figure(name).filter(|_| host.is_slow_by(name) || together())?;
        Some(SlowFigure {
            name: h.name.clone(),
            unit: h.unit,
            value: h.value,
            peers: peers.get(name)?.mode(h.value, &facts).median,
            worse: own.worse,
        })
    };
    let mut off: Vec<SlowFigure> = all.iter().filter_map(slow).collect();
    off.order_by(|a, b| b.worse.total_cmp(&a.worse).then_with(|| a.name.cmp(&b.name)));
    off
}

/// The hosts with a run that was fit and has figures; the others that are not slow get a line.
fn fit(hosts: &[Host], left_out: &mut Vec<LeftOut>) -> Vec<usize> {
    let mut left = |run: &Digest, why: Text| left_out.push(LeftOut::of(run, why));
    let mut fit = vec![];
    for (i, host) in hosts.iter().enumerate() {
        let Some(newest) = host.newest() else { continue };
        // One that is slow by what it loses has its line.
        let unfit = host.runs.last().filter(|_| host.lost.is_none());
        if let Some((run, why)) = unfit.and_then(|d| Some((d, d.unfit.as_ref()?))) {
            let why = match (&newest.unfit, &newest.started) {
                (None, Some(by)) => say::unfit_newest(why, by),
                _ => say::unfit(why),
            };
            left(run, why);
        }
        match (&newest.unfit, newest.figures.is_empty()) {
            (None, false) => fit.push(i),
            (None, true) => left(newest, say::NO_FIGURE.into()),
            (Some(_), _) => {}
        }
    }
    fit
}

/// Those of most machines, where a figure has two units or directions under one name; the others get a line.
fn of_one_unit(
    name: &str,
    who: Vec<usize>,
    hosts: &[Host],
    left_out: &mut Vec<LeftOut>,
) -> Vec<usize> {
    let kind = |i: usize| hosts[i].figure(name).map(|h| format!("{:?} {:?}", h.unit, h.better));
    let kinds = record::counts(who.iter().filter_map(|i| kind(*i)));
    let most = kinds.into_iter().max_by_key(|(_, n)| *n).map(|(kind, _)| kind);
    let (who, others): (Vec<usize>, Vec<usize>) = who.into_iter().partition(|i| kind(*i) == most);
    for run in others.iter().filter_map(|i| hosts[*i].newest()) {
        let why = say::other_unit(name);
        left_out.push(LeftOut::of(run, why));
    }
    who
}

/// A figure of these machines by its modes.
fn compare(
    name: &str,
    who: &[usize],
    hosts: &[Host],
    key: &Key,
    fleet: &mut Fleet,
) -> Option<(Figure, Peers)> {
    let first = hosts[*who.first()?].figure(name)?;
    let (unit, better) = (first.unit, first.better);
    let values: Vec<f64> = who.iter().filter_map(|i| Some(hosts[*i].figure(name)?.value)).collect();
    let facts: Vec<_> = who.iter().filter_map(|i| Some(hosts[*i].newest()?.naming())).collect();
    let facts: Vec<&BTreeMap<String, String>> = facts.iter().map(AsRef::as_ref).collect();
    let modes = Modes::new(&values, &facts);
    let judged_by = judged_by(&modes.all, better);
    let place = |(value, facts): (&f64, &&_)| judged_by[modes.place(*value, facts)];
    let places: Vec<usize> = values.iter().zip(&facts).map(place).collect();
    let found = &modes.all;
    let (group, metric) = (fleet.groups.len(), name.to_owned());
    let all = beyond_expected(name, found, who, hosts);
    let unhealthy = |(best, expected)| Unhealthy { group, metric, unit, best, expected };
    fleet.unhealthy.extend(all.map(unhealthy));
    let code = |m: &Mode| {
        let mut named = m.because.iter().map(|(fact, _)| fact).chain(&m.alike);
        named.any(|fact| fact == KERNELS)
    };
    if found.iter().any(code) {
        fleet.notes.push(say::several_kernels(key, name));
    } else {
        fleet.slower.extend(slower(fleet.groups.len(), name, found, who, &places, hosts));
    }
    let figure = Figure { name: name.into(), unit, better, modes: found.clone() };
    Some((figure, Peers { modes, judged_by, unit, better }))
}

/// Machines without figures that nearly all peers have: what could not be measured is no verdict, and is listed.
fn without(fit: &[usize], hosts: &[Host], fleet: &mut Fleet) {
    let runs: Vec<&Digest> = fit.iter().filter_map(|i| hosts[*i].newest()).collect();
    // One without huge pages has a line of its own, and latencies on 4 KiB pages.
    let has_line = |host: &&Host| {
        let mut losses = host.lost.iter().flat_map(|lost| &lost.losses);
        losses.any(|loss| loss.kind == LossKind::ThpNever)
    };
    let small = fit.iter().map(|i| &hosts[*i]).filter(has_line);
    let small: BTreeSet<&str> = small.filter_map(|h| Some(h.newest()?.host.as_str())).collect();
    let names =
        runs.iter().flat_map(|d| d.figures.iter().map(|h| &*h.name).collect::<BTreeSet<_>>());
    let mut counts = record::counts(names);
    // Of few machines one may lack it, and two at least have it.
    let least =
        ((NEARLY_ALL * runs.len() as f64).ceil() as usize).min(runs.len().saturating_sub(1));
    // One that was checked last has none of the figures of a run.
    counts.remove(SYSTEM_CALL);
    let usual: Vec<&str> =
        counts.iter().filter(|(_, n)| **n >= least.max(2)).map(|(name, _)| *name).collect();
    // What vCPUs do across caches is not lacking: it has another name.
    let has = |d: &Digest, name: &str| {
        let across = across(name);
        d.figures.iter().any(|h| h.name == name || h.name == across)
    };
    let complete: Vec<&Digest> =
        runs.iter().copied().filter(|d| usual.iter().all(|f| has(d, f))).collect();
    let values = values(&complete);
    for run in runs {
        let missing: Vec<&str> = usual.iter().copied().filter(|name| !has(run, name)).collect();
        if missing.is_empty() || small.contains(run.host.as_str()) {
            continue;
        }
        let alone = differs(run, &values).into_iter();
        let alone = alone.map(|(fact, own, peers)| say::fact_of_peers(fact, own, peers));
        let lacks = say::lacks(missing.join(", "));
        let why = Text::list(std::iter::once(lacks).chain(alone), Between::Semicolon);
        fleet.left_out.push(LeftOut::of(run, why));
    }
}
