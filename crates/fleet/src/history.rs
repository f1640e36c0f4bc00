//! Figures of one machine over time: where they change, and which facts changed there.
use crate::say;
use crate::{digest::Digest, group::Key, runs, verdict::LeftOut};
use record::seconds_since_1970;
use record::{Better, Sort, Text, Unit, distinct};
use serde::Serialize;
use stats::{Sample, changes::changes};
use std::collections::BTreeSet;

/// Figures over time.
#[derive(Debug, Clone, Serialize)]
pub struct History {
    /// Machines of which there are runs.
    pub hosts: usize,
    /// Runs on them that have a time.
    pub runs: usize,
    /// One for each machine and figure.
    pub series: Vec<Series>,
    /// Settings that changed, machine after machine, oldest first.
    pub settings: Vec<Setting>,
    /// Machines with too few runs for a change to be found, and how many runs they have at most.
    pub few: (usize, usize),
    /// Remarks on the runs, as sentences.
    pub notes: Vec<Text>,
    /// Runs that are not in the series, each with its reason.
    pub left_out: Vec<LeftOut>,
}

/// A run whose settings are not those of the run before it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    /// The machine.
    pub host: String,
    /// The machine's name.
    pub name: String,
    /// The first run with the new settings.
    pub since: String,
    /// Name, before, after.
    pub facts: Vec<(String, String, String)>,
}

/// A figure of a machine over time.
#[derive(Debug, Clone, Serialize)]
pub struct Series {
    /// The machine.
    pub host: String,
    /// The machine's name.
    pub name: String,
    /// The figure.
    pub metric: String,
    /// Its unit.
    pub unit: Unit,
    /// Whether more or less is better.
    pub better: Better,
    /// When and what, oldest first.
    pub points: Vec<(String, f64)>,
    /// Its change points.
    pub changes: Vec<Change>,
}

/// From a run on, a figure was another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The first run of the new stretch.
    pub since: String,
    /// The median before, as far back as the change before this one.
    pub before: f64,
    /// The median after, up to the next change.
    pub after: f64,
    /// Facts that changed between the two runs: name, before, after.
    pub facts: Vec<(String, String, String)>,
}

/// With fewer runs no change can be found at one false change in 1,000: of nine values two orders in 126 part as well.
pub const FEWEST: usize = 10;
/// A smaller change of a median is no news: medians of stretches of a quiet machine differ by as much.
const EFFECT: f64 = 0.01;
/// The place of a change is uncertain by so many runs: a setting that changed so near to it is taken as its moment.
const NEAR: usize = 2;

/// Series of all machines, of runs and what each was given as, in any order. What cannot be read, runs that were not fit to be
/// measured, and those that have no time are left out.
pub fn history(inputs: Vec<(String, Result<Digest, String>)>) -> History {
    let mut left_out = vec![];
    let digests = runs::readable(inputs, &mut left_out);
    let mut notes = runs::clocks(&digests);
    let mut digests = runs::distinct(digests, &mut left_out);
    notes.extend(runs::identities(&digests));
    notes.extend(runs::unnamed(&digests));
    digests.retain(|d| {
        let why = match (&d.unfit, &d.started) {
            (Some(why), _) => say::unfit(why),
            (None, None) => say::NO_TIME.into(),
            (None, Some(at)) if seconds_since_1970(at).is_none() => say::time_unread(at),
            _ => return true,
        };
        let at = d.started.as_ref().map_or(String::new(), |at| format!(" {at}"));
        left_out.push(LeftOut { name: d.shown().to_owned() + &at, why });
        false
    });
    left_out.order_by(|a, b| (&a.name, &a.why).cmp(&(&b.name, &b.why)));
    let mut hosts = machines(digests);
    let (count, mut runs, mut series, mut settings) = (hosts.len(), 0, vec![], vec![]);
    let mut few = (0, 0);
    for all in &mut hosts {
        runs += all.len();
        if all.len() < FEWEST {
            few = (few.0 + 1, few.1.max(all.len()));
        }
        let names = distinct(all.iter().flat_map(|d| &d.figures).map(|h| h.name.as_str()));
        series.extend(names.into_iter().filter_map(|name| one(name, all)));
        settings.extend(all.windows(2).filter_map(|pair| {
            let facts = differing(&pair[0], &pair[1]);
            let since = pair[1].started.clone()?;
            let (host, name) = (pair[1].host.clone(), pair[1].shown().into());
            (!facts.is_empty()).then_some(Setting { host, name, since, facts })
        }));
    }
    History { hosts: count, runs, series, settings, few, notes, left_out }
}

/// The runs on each machine, oldest first. A machine whose hardware changed stays one; hardware that comes back after other
/// hardware was seen is that of two machines with one name.
fn machines(runs: Vec<Digest>) -> Vec<Vec<Digest>> {
    let mut machines = vec![];
    let hosts = record::groups(runs.into_iter().map(|run| (run.host.clone(), run)));
    for mut all in hosts.into_values() {
        all.order_by_key(|d| d.started.as_deref().and_then(seconds_since_1970));
        let kinds: BTreeSet<Key> = all.iter().map(|d| d.key.clone()).collect();
        if all.chunk_by(|a, b| a.key == b.key).count() == kinds.len() {
            machines.push(all);
            continue;
        }
        let of_kind = |key| all.iter().filter(|d| d.key == key).cloned().collect();
        machines.extend(kinds.into_iter().map(of_kind));
    }
    machines
}

fn one(name: &str, all: &[Digest]) -> Option<Series> {
    let runs = all.iter().filter_map(|d| Some((d, d.figure(name)?)));
    let runs: Vec<(&Digest, &crate::Headline)> = runs.collect();
    let (newest, figure) = *runs.last()?;
    let values: Vec<f64> = runs.iter().map(|(_, h)| h.value).collect();
    let mut cuts = changes(&values, 1);
    align(&mut cuts, &values, &runs);
    let started = |i: usize| runs[i].0.started.clone().unwrap_or_default();
    let mut found = vec![];
    for (place, at) in cuts.iter().enumerate() {
        let from = if place == 0 { 0 } else { cuts[place - 1] };
        let to = cuts.get(place + 1).copied().unwrap_or(values.len());
        let before = Sample::new(&values[from..*at])?.median();
        let after = Sample::new(&values[*at..to])?.median();
        if (after / before - 1.0).abs() >= EFFECT {
            let facts = differing(runs[at - 1].0, runs[*at].0);
            found.push(Change { since: started(*at), before, after, facts });
        }
    }
    Some(Series {
        host: newest.host.clone(),
        name: newest.shown().into(),
        metric: name.into(),
        unit: figure.unit,
        better: figure.better,
        points: values.iter().enumerate().map(|(i, x)| (started(i), *x)).collect(),
        changes: found,
    })
}

/// Moves each cut to the nearest run at which a setting changed, where that is as near as a cut is uncertain and at most one value
/// between the two, as of a disturbed run, belongs to the other side.
fn align(cuts: &mut [usize], values: &[f64], runs: &[(&Digest, &crate::Headline)]) {
    for place in 0..cuts.len() {
        let from = if place == 0 { 0 } else { cuts[place - 1] };
        let to = cuts.get(place + 1).copied().unwrap_or(runs.len());
        let at = cuts[place];
        let median = |part: &[f64]| Sample::new(part).map(|all| all.median());
        let Some((before, after)) = median(&values[from..at]).zip(median(&values[at..to])) else {
            continue;
        };
        let fits = |new: &usize| {
            let (own, other) = if *new > at { (before, after) } else { (after, before) };
            let moved = &values[at.min(*new)..at.max(*new)];
            moved.iter().filter(|x| (*x - own).abs() > (*x - other).abs()).count() <= 1
        };
        let inside = at.saturating_sub(NEAR).max(from + 1)..(at + NEAR + 1).min(to);
        let changed = inside.filter(|i| !differing(runs[i - 1].0, runs[*i].0).is_empty());
        if let Some(nearest) = changed.filter(fits).min_by_key(|i| i.abs_diff(at)) {
            cuts[place] = nearest;
        }
    }
}

/// Settings and hardware that are not as before.
fn differing(before: &Digest, after: &Digest) -> Vec<(String, String, String)> {
    let changed = |(fact, now): (&String, &String)| {
        let then = before.facts.get(fact).filter(|then| *then != now)?;
        Some((fact.clone(), then.clone(), now.clone()))
    };
    let hardware = after.key.parts().into_iter().zip(before.key.parts());
    let hardware = hardware.filter(|((_, now), (_, then))| now != then);
    let hardware = hardware.map(|((part, now), (_, then))| (part.to_owned(), then, now));
    hardware.chain(after.facts.iter().filter_map(changed)).collect()
}
