//! Runs on machines put in order: duplicates left out, each run with its machine, and what is odd about clocks and names.
use crate::digest::Digest;
use crate::group::Key;
use crate::say;
use crate::unite::{by_image, unite};
use crate::verdict::LeftOut;
use record::seconds_since_1970;
use record::{Sort, Text};
use std::collections::{BTreeMap, BTreeSet};

/// A clock that is farther from those of most is wrong, and no run confirms another that is farther from it: a year.
pub(crate) const YEAR: i64 = 366 * 86_400;
/// No run takes less, where it does not say what it took: two that begin nearer to each other are of two machines.
const RUN: f64 = 20.0;
/// A start is stated in whole seconds.
const SECOND: f64 = 1.0;

/// Clocks that cannot be read, and those that are years from the others.
pub(crate) fn clocks(digests: &[(String, Digest)]) -> Vec<Text> {
    let unread = digests.iter().filter(|(_, d)| moment(d).is_none());
    let mut notes: Vec<Text> = unread
        .map(|(given, d)| match &d.started {
            Some(started) => say::clock_unread(given, started),
            None => say::clock_unknown(given),
        })
        .collect();
    let mut all: Vec<i64> = digests.iter().filter_map(|(_, d)| moment(d)).collect();
    all.sort_unstable();
    // Most are those of the longest stretch without a year between two.
    let most = all.chunk_by(|a, b| b - a <= YEAR).max_by_key(|stretch| stretch.len());
    let most = most.and_then(|all| Some(*all.first()?..=*all.last()?)).unwrap_or(0..=0);
    let odd = digests.iter().filter(|(_, d)| moment(d).is_some_and(|at| !most.contains(&at)));
    notes.extend(odd.map(|(given, d)| {
        let started = d.started.as_deref().unwrap_or_default();
        say::clock_wrong(given, started)
    }));
    notes.order_by(Text::cmp);
    notes
}

/// Figures or names that a sentence shows.
const LISTED: usize = 4;

/// The first of them, and how many there are more.
pub(crate) fn listed(mut all: Vec<String>) -> String {
    let more = all.split_off(all.len().min(LISTED)).len();
    all.extend((more > 0).then(|| format!("+ {more}")));
    all.join(", ")
}

/// What was given and could be read, without figures that nothing can have measured.
pub(crate) fn readable(
    inputs: Vec<(String, Result<Digest, String>)>,
    left_out: &mut Vec<LeftOut>,
) -> Vec<(String, Digest)> {
    let mut digests = vec![];
    for (given, digest) in inputs {
        match digest {
            Ok(digest) => digests.push((given, digest)),
            Err(why) => left_out.push(LeftOut { name: given, why: why.into() }),
        }
    }
    drop_impossible(&mut digests, left_out);
    digests
}

fn drop_impossible(digests: &mut [(String, Digest)], left_out: &mut Vec<LeftOut>) {
    for (given, digest) in digests {
        let odd = digest.drop_impossible();
        if !odd.is_empty() {
            let why = say::no_measurements(listed(odd));
            left_out.push(LeftOut { name: given.clone(), why });
        }
    }
}

/// Each run once, those of a machine together and the oldest first.
pub(crate) fn distinct(
    mut digests: Vec<(String, Digest)>,
    left_out: &mut Vec<LeftOut>,
) -> Vec<Digest> {
    unite(digests.iter_mut().map(|(_, d)| d).collect());
    // Of copies that which has a name is kept.
    digests.order_by(|(a, x), (b, y)| (x.name.is_none(), a).cmp(&(y.name.is_none(), b)));
    let mut runs: Vec<(String, Digest)> = vec![];
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (given, digest) in digests {
        let (noted, asked) = digest.identities();
        if let Some(same) = asked.iter().find_map(|identity| known.get(identity)) {
            let why = say::same_run(&runs[*same].0);
            left_out.push(LeftOut { name: given, why });
            continue;
        }
        known.extend(noted.into_iter().map(|identity| (identity, runs.len())));
        runs.push((given, digest));
    }
    runs.order_by(|(a, x), (b, y)| {
        (&x.host, &x.key, &x.started, a).cmp(&(&y.host, &y.key, &y.started, b))
    });
    runs.into_iter().map(|(_, d)| d).collect()
}

/// The newest fit run on each machine of the same kind as `own` but itself, and what is odd about them.
pub fn peers(mut digests: Vec<Digest>, own: &Digest) -> (Option<Text>, Vec<Digest>) {
    unite(digests.iter_mut().collect());
    let other = |d: &Digest| {
        // One of the two may be known by its operating system only.
        let system = |a: &Digest, b: &Digest| a.os_id.as_ref() == Some(&b.host);
        let same = d.host == own.host
            || own.name.is_some() && d.name == own.name
            || system(d, own)
            || system(own, d);
        !same && (&d.started, &d.figures) != (&own.started, &own.figures)
    };
    digests.retain(|d| d.key == own.key && d.unfit.is_none() && !d.figures.is_empty() && other(d));
    let note = unnamed(&digests);
    let mut newest: BTreeMap<String, Digest> = BTreeMap::new();
    for d in digests {
        let known = newest.entry(d.host.clone()).or_insert_with(|| d.clone());
        if moment(&d) > moment(known) {
            *known = d;
        }
    }
    (note, newest.into_values().collect())
}

/// Hosts of which there should be a run and is none. Names of hosts have no case, and one may be given with its domain or without.
pub(crate) fn silent(expected: &[String], known: &BTreeSet<String>) -> Vec<LeftOut> {
    let short = |name: &str| Some(name.split_once('.')?.0.to_owned());
    let by_short: BTreeMap<String, &String> =
        known.iter().filter_map(|name| Some((short(name)?, name))).collect();
    let expected: BTreeSet<&String> = expected.iter().collect();
    let silent = expected.into_iter().filter_map(|name| {
        let plain = name.to_lowercase();
        if known.contains(&plain) {
            return None;
        }
        let other = short(&plain).and_then(|short| known.get(&short));
        let why = match other.or_else(|| by_short.get(&plain).copied()) {
            Some(other) => say::other_name(other),
            None => say::NEVER_ANSWERED.into(),
        };
        Some(LeftOut { name: name.clone(), why })
    });
    silent.collect()
}

/// Records without a name and an identity, of which nothing says whether they are of one machine.
pub(crate) fn unnamed(digests: &[Digest]) -> Option<Text> {
    let unnamed = digests.iter().filter(|d| d.name.is_none());
    let hosts = record::counts(unnamed.map(|d| &d.host));
    let single = hosts.values().filter(|count| **count == 1).count();
    let note = || say::unnamed(single);
    (single > 1).then(note)
}

/// Names that several machines have, machines that had several names, and machines that were looked at twice at once. Runs are in
/// the order of [`distinct`].
pub(crate) fn identities(runs: &[Digest]) -> Vec<Text> {
    let mut names: BTreeMap<&str, (BTreeSet<&Key>, BTreeSet<&str>)> = BTreeMap::new();
    let mut hosts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for d in runs {
        let (keys, ids) = names.entry(d.shown()).or_default();
        keys.insert(&d.key);
        ids.insert(&d.host);
        hosts.entry(&d.host).or_default().insert(d.shown());
    }
    let mut notes = vec![];
    for (name, (keys, ids)) in names {
        if ids.len() > 1 {
            notes.push(say::name_of_machines(name, ids.len()));
        } else if keys.len() > 1 {
            let kinds = keys.len();
            notes.push(say::name_of_kinds(name, kinds));
        }
    }
    for names in hosts.into_values().filter(|names| names.len() > 1) {
        let names: Vec<&str> = names.into_iter().collect();
        let names = names.join(", ");
        notes.push(say::renamed(names));
    }
    let mut at_once: BTreeSet<&str> = BTreeSet::new();
    for pair in runs.windows(2).filter(|p| p[0].host == p[1].host && p[0].key == p[1].key) {
        let took = pair[0].took.map_or(RUN, |took| took - SECOND);
        if let (Some(one), Some(other)) = (moment(&pair[0]), moment(&pair[1]))
            && ((other - one) as f64) < took.max(SECOND)
        {
            at_once.insert(pair[1].shown());
        }
    }
    let twins = at_once.into_iter().map(say::at_once);
    notes.extend(twins);
    notes.extend(by_image(runs));
    notes.extend(one_boot(runs));
    notes.extend(alternating_boots(runs));
    notes.extend(alternating(runs));
    notes
}

/// One boot under several names is of a machine that was renamed, unless its containers are taken for machines.
fn one_boot(runs: &[Digest]) -> Vec<Text> {
    let mut boots: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for d in runs {
        if let Some(boot) = &d.boot {
            boots.entry(boot).or_default().insert(&d.host, d.shown());
        }
    }
    let several = boots.into_values().filter(|hosts| hosts.len() > 1);
    let note = |hosts: BTreeMap<&str, &str>| {
        let names = listed(hosts.into_values().map(str::to_owned).collect());
        say::one_boot(names)
    };
    several.map(note).collect()
}

/// A boot that is seen again after another one is of another machine: a machine boots once at a time.
fn alternating_boots(runs: &[Digest]) -> Vec<Text> {
    let mut boots: BTreeMap<&str, Vec<(i64, &str, &str)>> = BTreeMap::new();
    for d in runs {
        let own = moment(d).zip(d.boot.as_deref()).map(|(at, boot)| (at, boot, d.shown()));
        boots.entry(&d.host).or_default().extend(own);
    }
    let mut notes = vec![];
    for mut own in boots.into_values() {
        own.sort_unstable();
        own.dedup_by_key(|(_, boot, _)| *boot);
        let distinct: BTreeSet<&str> = own.iter().map(|(_, boot, _)| *boot).collect();
        if let Some((.., name)) = own.last().filter(|_| distinct.len() < own.len()) {
            notes.push(say::boots_alternate(name));
        }
    }
    notes
}

/// Facts of the machine itself: what comes back after another value is of two machines.
const PARTS: [&str; 4] =
    ["bios.vendor", "memory.channels.filled", "memory.modules", "system.product"];
/// Times that a setting comes back, as of A-B-A-B: once is a setting that was tried.
const BACK: usize = 2;
/// Characters of a value that a sentence shows.
const SHOWN: usize = 40;

/// Whether a hash of its identity says that a machine is one.
fn is_identified(d: &Digest) -> bool {
    d.name.as_ref().is_some_and(|name| *name != d.host)
}

/// Runs without those on identified machines when these were of another kind than at the newest run.
pub(crate) fn of_newest_kind(mut runs: Vec<Digest>) -> Vec<Digest> {
    let mut newest: BTreeMap<String, (Option<i64>, Key)> = BTreeMap::new();
    for d in runs.iter().filter(|d| is_identified(d)) {
        let known = newest.entry(d.host.clone()).or_insert((None, d.key.clone()));
        if moment(d) >= known.0 {
            *known = (moment(d), d.key.clone());
        }
    }
    runs.retain(|d| !is_identified(d) || newest.get(&d.host).is_none_or(|(_, key)| *key == d.key));
    runs
}

/// Machines of which a fact goes to and fro between values.
fn alternating(runs: &[Digest]) -> Vec<Text> {
    let mut values: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    let unsure = |d: &&Digest| moment(d).is_some() && !is_identified(d);
    for d in runs.iter().filter(unsure) {
        for (fact, value) in &d.facts {
            let own = values.entry((&d.host, fact)).or_default();
            if own.last() != Some(&value.as_str()) {
                own.push(value);
            }
        }
    }
    let names: BTreeMap<&str, &str> = runs.iter().map(|d| (d.host.as_str(), d.shown())).collect();
    let mut found: BTreeMap<&str, Text> = BTreeMap::new();
    for ((host, fact), own) in values {
        let distinct: BTreeSet<&str> = own.iter().copied().collect();
        let least = if PARTS.contains(&fact) { 1 } else { BACK };
        if own.len() < distinct.len() + least {
            continue;
        }
        let short = |value: &str| value.chars().take(SHOWN).collect::<String>();
        let between: Vec<String> = distinct.into_iter().map(short).collect();
        let (name, between) = (names.get(host).unwrap_or(&host), between.join(" and "));
        found.entry(host).or_insert_with(|| say::fact_alternates(name, fact, between));
    }
    found.into_values().collect()
}

pub(crate) fn moment(d: &Digest) -> Option<i64> {
    d.started.as_deref().and_then(seconds_since_1970)
}
