//! Runs on one machine under one identity, whether root could read its product UUID or not: by the operating system's id, or by the
//! name. Clones of an image have one id until it is made anew (machine-id(5)); their boots and hardware distinguish them.
use crate::digest::Digest;
use crate::runs::{listed, moment};
use crate::say;
use record::Text;
use std::collections::{BTreeMap, BTreeSet};

/// Gives each run the identity of its machine, which may be that of other runs with the same operating system's id, or the same name.
pub(crate) fn unite(mut digests: Vec<&mut Digest>) {
    by_system(&mut digests);
    by_name(&mut digests);
}

/// A run that is known by its operating system's id only is of the machine whose other runs have it, too. Where several machines
/// have it, each is known by its name, or its boot.
fn by_system(digests: &mut [&mut Digest]) {
    let ids = digests.iter().enumerate().filter_map(|(i, d)| Some((d.os_id.clone()?, i)));
    for (id, own) in record::groups(ids.filter(|(id, _)| !id.is_empty())) {
        let named = own.iter().map(|i| &digests[*i].host).filter(|host| **host != id);
        let named: BTreeSet<String> = named.cloned().collect();
        let runs: Vec<&Digest> = own.iter().map(|i| &*digests[*i]).collect();
        let several = named.len() > 1 || named.is_empty() && are_several(&runs);
        for i in own {
            let d = &mut *digests[i];
            if d.host != id {
                continue;
            }
            match (named.first(), several) {
                (Some(host), false) => d.host.clone_from(host),
                (None, false) => {}
                (_, true) => {
                    let boot = || Some(format!("{id} {}", d.boot.as_ref()?));
                    d.host = d.name.clone().or_else(boot).unwrap_or(id.clone());
                }
            }
        }
    }
}

/// Seconds by which a boot may seem earlier, since clocks are set after it.
const CLOCK_SET: f64 = 60.0;
/// Names of one machine at most where uptimes are not known: it may be renamed once.
const NAMES: usize = 2;

/// Whether runs under one id are of several machines: of boots that overlap in time. Where boots or uptimes are not known, also of
/// kinds that overlap in time, and of many names. One kind after another is changed hardware.
fn are_several(runs: &[&Digest]) -> bool {
    let up = |d: &Digest| (d.uptime.unwrap_or(0.0) - CLOCK_SET).max(0.0) as i64;
    let boots = runs.iter().filter_map(|d| {
        let (boot, at) = d.boot.as_deref().zip(moment(d))?;
        Some((boot, at.saturating_sub(up(d)), at))
    });
    let kinds = runs.iter().filter_map(|d| moment(d).map(|at| (&d.key, at, at)));
    let names: BTreeSet<&String> = runs.iter().filter_map(|d| d.name.as_ref()).collect();
    let known = runs.iter().all(|d| d.boot.is_some() && d.uptime.is_some() && moment(d).is_some());
    overlap(boots) || !known && (overlap(kinds) || names.len() > NAMES)
}

/// Whether the spans of two things overlap in time: each from its first start to its last end.
fn overlap<T: Ord>(all: impl Iterator<Item = (T, i64, i64)>) -> bool {
    let mut spans: BTreeMap<T, (i64, i64)> = BTreeMap::new();
    for (what, start, end) in all {
        let (first, last) = spans.entry(what).or_insert((start, end));
        (*first, *last) = (start.min(*first), end.max(*last));
    }
    let mut spans: Vec<(i64, i64)> = spans.into_values().collect();
    spans.sort_unstable();
    spans.windows(2).any(|pair| pair[1].0 <= pair[0].1)
}

/// A run without an identity is of the machine whose other runs have the same name and one identity.
fn by_name(digests: &mut [&mut Digest]) {
    let mut by_name: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for d in digests.iter() {
        if let Some(name) = d.name.as_ref().filter(|name| **name != d.host) {
            by_name.entry(name.clone()).or_default().insert(d.host.clone());
        }
    }
    for d in digests {
        let ids = d.name.as_ref().filter(|name| **name == d.host).and_then(|n| by_name.get(n));
        if let Some(id) = ids.filter(|ids| ids.len() == 1).and_then(BTreeSet::first) {
            d.host.clone_from(id);
        }
    }
}

/// Machines that are known by their operating system's id, and those that share one. Runs are united.
pub(crate) fn by_image(runs: &[Digest]) -> Vec<Text> {
    let mut hosts: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for d in runs {
        let id = d.os_id.as_deref().unwrap_or_default();
        hosts.entry(id).or_default().insert(&d.host, d.shown());
    }
    hosts.remove("");
    let alone = hosts.iter().filter(|(id, hosts)| hosts.contains_key(*id)).count();
    let mut notes = vec![];
    if alone > 0 {
        notes.push(say::by_system(alone));
    }
    for hosts in hosts.into_values().filter(|hosts| hosts.len() > 1) {
        let names = listed(hosts.into_values().map(str::to_owned).collect());
        notes.push(say::clones(names));
    }
    notes
}
