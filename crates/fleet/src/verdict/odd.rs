//! Settings that few machines of a kind have and nearly all others have otherwise, whether a figure is worse with them or not: a
//! mitigation costs system calls, which a check does not measure, and a machine without SMT is of another kind.
use super::again::Host;
use super::flag::values_of;
use super::{NEARLY_ALL, RareSetting};
use crate::digest::Digest;
use crate::group::Key;
use crate::loss::smt_off;
use crate::tolerance;
use std::collections::{BTreeMap, BTreeSet};

/// Few are one machine, or this share of a kind.
const FEW: f64 = 0.02;

/// Name, own value, and that of nearly all others.
type Differing = (String, String, String);
/// Facts by the machines that have them, of which each is its identity and name.
type Found = BTreeMap<BTreeSet<(String, String)>, Vec<Differing>>;

/// The rare settings in each kind of machine.
pub(super) fn odd(kinds: &BTreeMap<Key, BTreeMap<String, Host>>) -> Vec<RareSetting> {
    let mut all = vec![];
    for (group, (key, hosts)) in kinds.iter().enumerate() {
        let runs: Vec<&Digest> = hosts.values().filter_map(Host::newest).collect();
        let mut found = settings(&runs);
        if let Some(other) = like(key, runs.len(), kinds) {
            let parts = key.parts().into_iter().zip(other.parts()).filter(|(own, of)| own != of);
            let parts = parts.map(|((part, own), (_, of))| (part.to_owned(), own, of));
            found.entry(runs.iter().map(|d| who(d)).collect()).or_default().extend(parts);
        }
        all.extend(found.into_iter().map(|(machines, facts)| {
            let machines = Vec::from_iter(machines);
            RareSetting { group, facts, machines }
        }));
    }
    all
}

/// The hosts with a setting that few of these runs have.
pub(super) fn rare(runs: &[&Digest]) -> BTreeSet<String> {
    settings(runs).into_keys().flatten().map(|(host, _)| host).collect()
}

fn who(run: &Digest) -> (String, String) {
    (run.host.clone(), run.shown().to_owned())
}

/// Whether so many of a kind are few.
fn are_few(some: usize, of: usize) -> bool {
    of >= tolerance::FEWEST && (some == 1 || some as f64 <= FEW * of as f64)
}

fn settings(runs: &[&Digest]) -> Found {
    let n = runs.len();
    let least = ((NEARLY_ALL * n as f64).ceil() as usize).min(n.saturating_sub(1));
    let mut found = Found::new();
    for (fact, values) in values_of(runs) {
        let Some((usual, _)) = values.iter().find(|(_, count)| **count >= least) else { continue };
        for (own, count) in &values {
            if own == usual || !are_few(*count, n) {
                continue;
            }
            let have = |d: &&&Digest| d.facts.get(fact).is_some_and(|value| value == own);
            let machines = runs.iter().filter(have).map(|d| who(d)).collect();
            let differing = (fact.to_owned(), (*own).to_owned(), (*usual).to_owned());
            found.entry(machines).or_default().push(differing);
        }
    }
    found
}

/// Machines of few kinds with less CPUs than the kind of many that is like them have SMT off: it is a loss of each run.
pub(super) fn note_smt_off(kinds: &mut BTreeMap<Key, BTreeMap<String, Host>>) {
    let full = |(key, hosts): (&Key, &BTreeMap<String, Host>)| {
        let cpus = like(key, hosts.len(), kinds)?.cpus;
        (cpus > key.cpus).then(|| (key.clone(), cpus))
    };
    let all: Vec<(Key, usize)> = kinds.iter().filter_map(full).collect();
    for (key, cpus) in all {
        let runs = kinds.get_mut(&key).into_iter().flat_map(BTreeMap::values_mut);
        runs.flat_map(|host| &mut host.runs).for_each(|d| d.losses.push(smt_off(key.cpus, cpus)));
    }
}

/// The kind of many machines from which a kind of few differs by threads of a core or by nodes only: settings of the firmware.
fn like<'a>(
    key: &Key,
    hosts: usize,
    kinds: &'a BTreeMap<Key, BTreeMap<String, Host>>,
) -> Option<&'a Key> {
    let same = |other: &Key| {
        let Key { cpus, nodes, .. } = key.clone();
        other != key && Key { cpus, nodes, ..other.clone() } == *key
    };
    let many = kinds.iter().filter(|(other, all)| same(other) && are_few(hosts, all.len()));
    many.max_by_key(|(_, all)| all.len()).map(|(other, _)| other)
}
