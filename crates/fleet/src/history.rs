//! Figures of one machine over time: where they change, and which facts changed there.
use crate::{digest::Digest, group::Key, looks, seconds_since_1970, verdict::LeftOut};
use record::{Better, Unit};
use serde::Serialize;
use stats::{Sample, changes::changes};
use std::collections::{BTreeMap, BTreeSet};

/// Figures over time.
#[derive(Debug, Clone, Serialize)]
pub struct History {
    /// Machines of which there are looks.
    pub hosts: usize,
    /// Looks at them that have a time.
    pub looks: usize,
    /// One for each machine and figure.
    pub series: Vec<Series>,
    /// Settings that changed, machine after machine, oldest first.
    pub settings: Vec<Setting>,
    /// Machines with too few looks for a change to be found, and how many looks they have at most.
    pub few: (usize, usize),
    /// What holds for the looks, in sentences.
    pub notes: Vec<String>,
    /// Looks that are not in the series, each with its reason.
    pub left_out: Vec<LeftOut>,
}

/// A look whose settings are not those of the look before it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    /// The machine.
    pub host: String,
    /// What people call it.
    pub name: String,
    /// The first look with the new settings.
    pub since: String,
    /// Name, before, after.
    pub facts: Vec<(String, String, String)>,
}

/// A figure of a machine over time.
#[derive(Debug, Clone, Serialize)]
pub struct Series {
    /// The machine.
    pub host: String,
    /// What people call it.
    pub name: String,
    /// The figure.
    pub metric: String,
    /// Its unit.
    pub unit: Unit,
    /// Which direction is good.
    pub better: Better,
    /// When and what, oldest first.
    pub points: Vec<(String, f64)>,
    /// Where it changed.
    pub changes: Vec<Change>,
}

/// From a look on, a figure was another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The first look of the new stretch.
    pub since: String,
    /// The median before, as far back as the change before this one.
    pub before: f64,
    /// The median after, up to the next change.
    pub after: f64,
    /// Facts that changed between the two looks: name, before, after.
    pub facts: Vec<(String, String, String)>,
}

/// With fewer looks no change can be found at one false change in 1,000: of nine values two orders in 126 part as well.
pub const FEWEST: usize = 10;
/// A smaller change of a median is no news: medians of stretches of a quiet machine differ by as much.
const EFFECT: f64 = 0.01;
/// The place of a change is uncertain by so many looks: a setting that changed so near to it is taken as its moment.
const NEAR: usize = 2;

/// Series of all machines, of looks and what each was given as. Looks that were not fit to be measured, or have no time, are left
/// out; in any order.
pub fn history(mut digests: Vec<(String, Digest)>) -> History {
    let mut left_out = vec![];
    looks::drop_impossible(&mut digests, &mut left_out);
    let mut notes = looks::clocks(&digests);
    let mut digests = looks::distinct(digests, &mut left_out);
    notes.extend(looks::identities(&digests));
    notes.extend(looks::unnamed(&digests));
    digests.retain(|d| {
        let why = match (&d.unfit, &d.started) {
            (Some(why), _) => format!("not fit to be measured: {why}"),
            (None, None) => "it has no time".into(),
            (None, Some(at)) if seconds_since_1970(at).is_none() => {
                format!("its time cannot be read: {at}")
            }
            _ => return true,
        };
        left_out.push(LeftOut { name: d.shown().into(), why });
        false
    });
    left_out.sort_by(|a, b| (&a.name, &a.why).cmp(&(&b.name, &b.why)));
    let mut hosts = machines(digests);
    let (count, mut looks, mut series, mut settings) = (hosts.len(), 0, vec![], vec![]);
    let mut few = (0, 0);
    for all in &mut hosts {
        looks += all.len();
        if all.len() < FEWEST {
            few = (few.0 + 1, few.1.max(all.len()));
        }
        let mut names: Vec<&str> = vec![];
        for name in all.iter().flat_map(|d| &d.figures).map(|h| h.name.as_str()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        series.extend(names.into_iter().filter_map(|name| one(name, all)));
        settings.extend(all.windows(2).filter_map(|pair| {
            let facts = differing(&pair[0], &pair[1]);
            let since = pair[1].started.clone()?;
            let (host, name) = (pair[1].host.clone(), pair[1].shown().into());
            (!facts.is_empty()).then_some(Setting { host, name, since, facts })
        }));
    }
    History { hosts: count, looks, series, settings, few, notes, left_out }
}

/// The looks at each machine, oldest first. A machine whose hardware changed stays one; hardware that comes back after other
/// hardware was seen is that of two machines with one name.
fn machines(looks: Vec<Digest>) -> Vec<Vec<Digest>> {
    let mut hosts: BTreeMap<String, Vec<Digest>> = BTreeMap::new();
    for look in looks {
        hosts.entry(look.host.clone()).or_default().push(look);
    }
    let mut machines = vec![];
    for mut all in hosts.into_values() {
        all.sort_by_key(|d| d.started.as_deref().and_then(seconds_since_1970));
        let kinds: BTreeSet<Key> = all.iter().map(|d| d.key.clone()).collect();
        if all.chunk_by(|a, b| a.key == b.key).count() == kinds.len() {
            machines.push(all);
            continue;
        }
        machines.extend(kinds.into_iter().map(|key| {
            let own = all.iter().filter(|d| d.key == key);
            own.cloned().collect::<Vec<_>>()
        }));
    }
    machines
}

fn one(name: &str, all: &[Digest]) -> Option<Series> {
    let look = |d| Some((d, figure(d, name)?));
    let looks: Vec<(&Digest, &crate::Headline)> = all.iter().filter_map(look).collect();
    let (newest, figure) = *looks.last()?;
    let values: Vec<f64> = looks.iter().map(|(_, h)| h.value).collect();
    let mut cuts = changes(&values, 1);
    align(&mut cuts, &values, &looks);
    let started = |i: usize| looks[i].0.started.clone().unwrap_or_default();
    let mut found = vec![];
    for (place, at) in cuts.iter().enumerate() {
        let from = if place == 0 { 0 } else { cuts[place - 1] };
        let to = cuts.get(place + 1).copied().unwrap_or(values.len());
        let before = Sample::new(&values[from..*at])?.median();
        let after = Sample::new(&values[*at..to])?.median();
        if (after / before - 1.0).abs() >= EFFECT {
            let facts = differing(looks[at - 1].0, looks[*at].0);
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

/// Moves each cut to the nearest look at which a setting changed, where that is as near as a cut is uncertain and at most one value
/// between the two, as of a disturbed look, belongs to the other side.
fn align(cuts: &mut [usize], values: &[f64], looks: &[(&Digest, &crate::Headline)]) {
    for place in 0..cuts.len() {
        let from = if place == 0 { 0 } else { cuts[place - 1] };
        let to = cuts.get(place + 1).copied().unwrap_or(looks.len());
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
        let changed = inside.filter(|i| !differing(looks[i - 1].0, looks[*i].0).is_empty());
        if let Some(nearest) = changed.filter(fits).min_by_key(|i| i.abs_diff(at)) {
            cuts[place] = nearest;
        }
    }
}

fn figure<'a>(of: &'a Digest, name: &str) -> Option<&'a crate::Headline> {
    of.figures.iter().find(|h| h.name == name)
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
