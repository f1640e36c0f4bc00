//! Many machines into one verdict: each against its peers, several figures at once, and "slow" only if it was slow twice.
mod again;
mod cost;
mod deviation;
mod expected;
mod flag;
mod kind;
mod lost;
mod odd;
mod slower;
mod together;

use crate::digest::Digest;
use crate::group::Key;
use crate::loss::Loss;
use crate::modes::Mode;
use crate::runs;
use crate::say;
use again::{Host, deal};
pub use cost::Cost;
use flag::flag;
use kind::judge;
use record::{Better, Sort, Text, Unit};
use serde::Serialize;
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// A fleet and what is wrong in it.
#[derive(Debug, Clone, Serialize)]
pub struct Fleet {
    /// Machines of which there is a run.
    pub hosts: usize,
    /// Runs on them.
    pub runs: usize,
    /// Machines of one kind.
    pub groups: Vec<Group>,
    /// Machines that are slower than their peers: the slow before the suspect, the surer first, then the worst.
    pub flagged: Vec<Flagged>,
    /// Machines of a kind that are slower than others of it and too many to be outliers, the largest difference first.
    pub slower: Vec<SlowMode>,
    /// Figures of kinds at which all machines are worse than is published of their processor.
    pub unhealthy: Vec<Unhealthy>,
    /// Settings that few machines of a kind have.
    pub odd: Vec<RareSetting>,
    /// Machines and runs that were not judged, each with its reason.
    pub left_out: Vec<LeftOut>,
    /// Remarks on groups or the whole fleet, as sentences.
    pub notes: Vec<Text>,
    /// The basis of the costs to workloads, as a full sentence.
    pub cost_basis: Text,
    /// Share of machines that would be called slow if runs did not belong to machines: runs are dealt out to machines of the
    /// group anew, 200 times. Nothing where fewer than half of the machines have two runs far enough apart.
    pub false_slow: Option<f64>,
}

/// Machines of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// Their common properties.
    pub key: Key,
    /// The number of machines.
    pub hosts: usize,
    /// The number of machines with at least one run in a fit environment.
    pub fit: usize,
    /// Their figures.
    pub figures: Vec<Figure>,
}

/// A figure of a group.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// Whether more or less is better.
    pub better: Better,
    /// The hills of its density, lowest first.
    pub modes: Vec<Mode>,
}

/// How sure it is that a machine is slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Slow at two runs at least two hours apart, by its figures or by what it loses.
    Slow,
    /// Slow at one run.
    Suspect,
}

/// What supports the verdict on one of several machines of a standing, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Support {
    /// A loss, or a setting that no healthy peer has.
    Named,
    /// Nothing contradicts it: an earlier run was as slow, or there is none.
    Alike,
    /// An earlier run was not, or by another share, as where a neighbour was there.
    Unlike,
}

/// A machine that is slower than its peers.
#[derive(Debug, Clone, Serialize)]
pub struct Flagged {
    /// The machine.
    pub host: String,
    /// The machine's name.
    pub name: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Index of its group.
    pub group: usize,
    /// How sure the verdict is.
    pub standing: Standing,
    /// The evidence beside the run that is slow.
    #[serde(skip)]
    pub(crate) support: Support,
    /// The earliest of the runs in a row at which it was slow.
    pub since: Option<String>,
    /// The slow figures, the worst first; none where it is slow by its losses only.
    pub off: Vec<SlowFigure>,
    /// What it loses and most peers do not: the machine's losses before those by programs, the largest first.
    pub losses: Vec<Loss>,
    /// The work that a workload loses, by what limits it, the most first.
    pub costs: Vec<Cost>,
    /// Facts that no healthy peer shares: the fact, its value, and the value of most healthy peers.
    pub differs: Vec<(String, String, String)>,
}

/// A figure that is worse than that of the peers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SlowFigure {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// The measured value.
    pub value: f64,
    /// The median of the peers in its mode, or the limit by what is published where there are too few.
    pub peers: f64,
    /// By which share it is worse.
    pub worse: f64,
}

/// A mode of a figure that is worse than the best one of the same kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SlowMode {
    /// Index of the group.
    pub group: usize,
    /// Slow where a fact names the mode, or nearly all of its machines were as slow two hours before.
    pub standing: Standing,
    /// The figure.
    pub metric: String,
    /// Its unit.
    pub unit: Unit,
    /// Whether more or less is better.
    pub better: Better,
    /// Median of these machines.
    pub value: f64,
    /// Median of the best mode.
    pub best: f64,
    /// By which share it is worse.
    pub worse: f64,
    /// The fact and value that these machines have and the others do not, if there is one.
    pub because: Option<(String, Text)>,
    /// Other facts that divide the machines in the same way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<String>,
    /// The work that a workload loses by it, if known.
    pub cost: Option<Cost>,
    /// These machines.
    pub machines: Vec<Member>,
    /// Machines of all modes.
    pub of: usize,
}

/// A figure at which no machine of a kind is as it should be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unhealthy {
    /// Index of the group.
    pub group: usize,
    /// The figure.
    pub metric: String,
    /// Its unit.
    pub unit: Unit,
    /// Median of the best mode.
    pub best: f64,
    /// The value beyond which it is worse than expected.
    pub expected: f64,
}

/// Settings that few machines of a kind have and nearly all others have otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RareSetting {
    /// Index of the group.
    pub group: usize,
    /// The fact, the value that these have, and that of nearly all others.
    pub facts: Vec<(String, String, String)>,
    /// The machines and their names.
    pub machines: Vec<(String, String)>,
}

/// A machine of a mode.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Member {
    /// The machine.
    pub host: String,
    /// The machine's name.
    pub name: String,
    /// Its own value.
    pub value: f64,
}

impl Fleet {
    /// Name and standing of each machine that is slow or suspect, alone or with others of its mode, by host.
    pub fn standings(&self) -> BTreeMap<&str, (&str, Standing)> {
        let mut all: BTreeMap<&str, (&str, Standing)> = BTreeMap::new();
        let alone = self.flagged.iter().map(|f| (&f.host, &f.name, f.standing));
        let together = self
            .slower
            .iter()
            .flat_map(|s| s.machines.iter().map(|m| (&m.host, &m.name, s.standing)));
        for (host, name, standing) in alone.chain(together) {
            let known = all.entry(host).or_insert((name, standing));
            known.1 = known.1.min(standing);
        }
        all
    }
}

/// A machine or run that was not judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LeftOut {
    /// The file or host.
    pub name: String,
    /// The reason.
    pub why: Text,
}

impl LeftOut {
    /// The reason after a name, of which the reader sees so much.
    pub fn after(&self, name: &str) -> Text {
        say::left_out(name, &self.why)
    }
    /// A run that was not judged.
    pub(crate) fn of(run: &Digest, why: impl Into<Text>) -> LeftOut {
        LeftOut { name: run.shown().into(), why: why.into() }
    }
}

/// A figure that so many of the machines have is one that all of them should have.
const NEARLY_ALL: f64 = 0.9;

/// Judges all runs, in any order. `expected` are hosts of which there should be one.
pub fn fleet(inputs: Vec<(String, Result<Digest, String>)>, expected: &[String]) -> Fleet {
    let mut left_out = vec![];
    let digests = runs::readable(inputs, &mut left_out);
    let mut notes = runs::clocks(&digests);
    let runs = runs::distinct(digests, &mut left_out);
    let count = runs.len();
    notes.extend(runs::identities(&runs));
    notes.extend(runs::unnamed(&runs));
    let known = runs.iter().flat_map(|d| [d.shown(), d.host.as_str()]);
    let known: BTreeSet<String> = known.map(str::to_lowercase).collect();
    let mut kinds: BTreeMap<Key, BTreeMap<String, Host>> = BTreeMap::new();
    for digest in runs::of_newest_kind(runs) {
        let group = kinds.entry(digest.key.clone()).or_default();
        group.entry(digest.host.clone()).or_default().runs.push(digest);
    }
    left_out.extend(runs::silent(expected, &known));
    odd::note_smt_off(&mut kinds);
    let mut fleet = Fleet {
        hosts: kinds.values().map(BTreeMap::len).sum(),
        runs: count,
        groups: vec![],
        flagged: vec![],
        slower: vec![],
        unhealthy: vec![],
        odd: odd::odd(&kinds),
        left_out,
        notes,
        cost_basis: say::COST_BASIS.into(),
        false_slow: None,
    };
    let mut rng = Rng::new(1);
    let (mut dealt, mut twice) = (0.0, 0);
    for (key, hosts) in kinds {
        let mut hosts: Vec<Host> = hosts.into_values().collect();
        let group = judge(key, &mut hosts, &mut fleet);
        // Runs that are judged by what is published do not depend on those of others.
        let by_peers = if group.figures.is_empty() { &[][..] } else { &hosts[..] };
        let (slow, of) = deal(by_peers, &mut rng);
        dealt += slow;
        twice += of;
        let number = fleet.groups.len();
        flag(&hosts, number, &mut fleet.flagged);
        fleet.groups.push(group);
    }
    // A slow machine has a line that says what only it has.
    let named: BTreeSet<String> = fleet.standings().into_keys().map(str::to_owned).collect();
    fleet.odd.retain(|odd| odd.machines.iter().any(|(host, _)| !named.contains(host)));
    fleet.false_slow = (twice > 0).then(|| dealt / twice as f64);
    let worst = |f: &Flagged| {
        // A loss of unknown size comes first, so that it is not passed over.
        let losses = f.losses.iter().map(|loss| loss.share.unwrap_or(f64::INFINITY));
        losses.chain(f.off.first().map(|off| off.worse)).fold(0.0, f64::max)
    };
    fleet.flagged.order_by(|a, b| {
        let sure = (a.standing, a.support).cmp(&(b.standing, b.support));
        sure.then(worst(b).total_cmp(&worst(a))).then(a.host.cmp(&b.host))
    });
    fleet.slower.order_by(|a, b| {
        let names = |s: &SlowMode| (s.group, s.metric.clone());
        a.standing
            .cmp(&b.standing)
            .then(b.worse.total_cmp(&a.worse))
            .then_with(|| names(a).cmp(&names(b)))
    });
    fleet.left_out.order_by(|a, b| a.name.cmp(&b.name));
    fleet
}
