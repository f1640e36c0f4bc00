//! Many machines into one verdict: each against its peers, several figures at once, and "slow" only if it was slow twice.
use crate::digest::{Digest, KERNELS};
use crate::group::Key;
use crate::looks;
use crate::modes::{Mode, modes};
use crate::profile::Profile;
use crate::time::seconds_since_1970;
use crate::tolerance;
use record::{Better, Unit};
use serde::Serialize;
use stats::{discovery, rng::Rng};
use std::collections::{BTreeMap, BTreeSet};

/// A fleet and what is wrong in it.
#[derive(Debug, Clone, Serialize)]
pub struct Fleet {
    /// Machines of which there is a look.
    pub hosts: usize,
    /// Looks at them.
    pub looks: usize,
    /// Machines of one kind.
    pub groups: Vec<Group>,
    /// Machines that are slower than their peers, the slow before the suspect, the worst first.
    pub flagged: Vec<Flagged>,
    /// Machines of a kind that are slower than others of it and too many to be outliers, the largest difference first.
    pub slower: Vec<Slower>,
    /// What was not judged, each with its reason.
    pub left_out: Vec<LeftOut>,
    /// What holds for groups or the whole fleet, in sentences.
    pub notes: Vec<String>,
    /// Share of machines that would be called slow if looks did not belong to machines: looks are dealt out to machines of the
    /// group anew, 200 times. Nothing where fewer than half of the machines have two looks far enough apart.
    pub false_slow: Option<f64>,
}

/// Machines of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// What they have in common.
    pub key: Key,
    /// How many they are.
    pub hosts: usize,
    /// How many of them were fit to be measured at one look or more.
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
    /// Which direction is good.
    pub better: Better,
    /// The hills of its density, lowest first.
    pub modes: Vec<Mode>,
}

/// How sure it is that a machine is slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Slow at two looks at least two hours apart.
    Slow,
    /// Slow at one look.
    Suspect,
}

/// A machine that is slower than its peers.
#[derive(Debug, Clone, Serialize)]
pub struct Flagged {
    /// Who it is.
    pub host: String,
    /// What people call it.
    pub name: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Index of its group.
    pub group: usize,
    /// How sure that is.
    pub standing: Standing,
    /// The earliest of the looks in a row at which it was slow.
    pub since: Option<String>,
    /// What it is slow at, the worst first.
    pub off: Vec<Off>,
    /// What it has and no healthy peer: the fact, its own value, and the value that most healthy peers have.
    pub differs: Vec<(String, String, String)>,
}

/// A figure that is worse than that of the peers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Off {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// What was measured.
    pub value: f64,
    /// The median of the peers in its mode, or what is expected where there are too few.
    pub peers: f64,
    /// By which share it is worse.
    pub worse: f64,
}

/// A mode of a figure that is worse than the best one of the same kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slower {
    /// Index of the group.
    pub group: usize,
    /// Slow where a fact names the mode, or nearly all of its machines were as slow two hours before.
    pub standing: Standing,
    /// The figure.
    pub metric: String,
    /// Its unit.
    pub unit: Unit,
    /// Which direction is good.
    pub better: Better,
    /// Median of these machines.
    pub value: f64,
    /// Median of the best mode.
    pub best: f64,
    /// By which share it is worse.
    pub worse: f64,
    /// The fact and value that these machines have and the others do not, if there is one.
    pub because: Option<(String, String)>,
    /// These machines.
    pub machines: Vec<Member>,
    /// Machines of all modes.
    pub of: usize,
}

/// A machine of a mode.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Member {
    /// Who it is.
    pub host: String,
    /// What people call it.
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

/// What was not judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LeftOut {
    /// The file or host.
    pub name: String,
    /// Why.
    pub why: String,
}

/// Seconds between two looks that confirm each other: in Azure's published data 46 % of the slow are slow again within half an
/// hour, for their neighbours are the same, and 8 % after two hours.
const LATER: i64 = 2 * 3600;
/// A machine is slower by at least this share, and by so many deviations of its peers.
const EFFECT: f64 = 0.05;
const DEVIATIONS: f64 = 5.0;
/// Of n machines the deviation is taken as larger by this over n: simulated, so that of healthy kinds of 5 to 20 machines (8 figures,
/// normal, coefficients of variation to 4.5 %) about one in a hundred has a machine that is flagged.
const FEW: f64 = 10.0;
/// Peers are never more alike than this share: two looks at one machine differ by as much.
const ALIKE: f64 = 0.005;
/// Share of false ones allowed among the flagged.
const FALSE_SHARE: f64 = 0.05;
/// A figure that so many of the machines have is one that all of them should have.
const NEARLY_ALL: f64 = 0.9;
/// Times that looks are dealt out anew.
const DEALS: usize = 200;

/// One machine: its looks, oldest first, and its group.
struct Host {
    looks: Vec<Digest>,
    /// Mode of each figure in which the machine is.
    mode: BTreeMap<String, usize>,
    off: Vec<Off>,
    /// Names of what was slow at a look long enough before the newest, and whether there is such a look.
    earlier: Option<BTreeSet<String>>,
}

impl Host {
    /// The newest look that was fit to be measured, else the newest.
    fn newest(&self) -> Option<&Digest> {
        self.looks.iter().rev().find(|d| d.unfit.is_none()).or(self.looks.last())
    }
}

/// Judges all looks, in any order. `expected` are hosts of which there should be one.
pub fn fleet(inputs: Vec<(String, Result<Digest, String>)>, expected: &[String]) -> Fleet {
    let mut left_out = vec![];
    let mut digests: Vec<(String, Digest)> = vec![];
    for (given, digest) in inputs {
        match digest {
            Ok(digest) => digests.push((given, digest)),
            Err(why) => left_out.push(LeftOut { name: given, why }),
        }
    }
    looks::drop_impossible(&mut digests, &mut left_out);
    let mut notes = looks::clocks(&digests);
    let looks = looks::distinct(digests, &mut left_out);
    let count = looks.len();
    notes.extend(looks::identities(&looks));
    notes.extend(looks::unnamed(&looks));
    let known: BTreeSet<String> =
        looks.iter().flat_map(|d| [d.shown().to_owned(), d.host.clone()]).collect();
    let mut kinds: BTreeMap<Key, BTreeMap<String, Host>> = BTreeMap::new();
    for digest in looks {
        let new = || Host { looks: vec![], mode: BTreeMap::new(), off: vec![], earlier: None };
        let group = kinds.entry(digest.key.clone()).or_default();
        group.entry(digest.host.clone()).or_insert_with(new).looks.push(digest);
    }
    let expected: BTreeSet<&String> = expected.iter().collect();
    for name in expected.into_iter().filter(|name| !known.contains(*name)) {
        left_out
            .push(LeftOut { name: name.clone(), why: "no look at it: it never answered".into() });
    }
    let mut fleet = Fleet {
        hosts: kinds.values().map(BTreeMap::len).sum(),
        looks: count,
        groups: vec![],
        flagged: vec![],
        slower: vec![],
        left_out,
        notes,
        false_slow: None,
    };
    let mut rng = Rng::new(1);
    let (mut dealt, mut twice) = (0.0, 0);
    for (key, hosts) in kinds {
        let mut hosts: Vec<Host> = hosts.into_values().collect();
        let group = judge(key, &mut hosts, &mut fleet);
        // Looks that are judged by what is published do not depend on those of others.
        let by_peers = if group.figures.is_empty() { &[][..] } else { &hosts[..] };
        let (slow, of) = deal(by_peers, &mut rng);
        dealt += slow;
        twice += of;
        let number = fleet.groups.len();
        flag(&hosts, number, &mut fleet.flagged);
        fleet.groups.push(group);
    }
    fleet.false_slow = (twice > 0).then(|| dealt / twice as f64);
    let worst = |f: &Flagged| f.off.first().map_or(0.0, |off| off.worse);
    fleet.flagged.sort_by(|a, b| {
        a.standing.cmp(&b.standing).then(worst(b).total_cmp(&worst(a))).then(a.host.cmp(&b.host))
    });
    fleet.slower.sort_by(|a, b| {
        let names = |s: &Slower| (s.group, s.metric.clone());
        a.standing
            .cmp(&b.standing)
            .then(b.worse.total_cmp(&a.worse))
            .then_with(|| names(a).cmp(&names(b)))
    });
    fleet.left_out.sort_by(|a, b| a.name.cmp(&b.name));
    fleet
}

/// Limits from the healthy machines of the largest group, with its place in [`Fleet::groups`]: of each figure those of its best
/// mode. `digests` are all looks.
pub fn golden<'a>(
    fleet: &Fleet,
    digests: impl Iterator<Item = &'a Digest>,
) -> Option<(usize, Profile)> {
    let largest =
        (0..fleet.groups.len()).max_by_key(|i| (fleet.groups[*i].fit, std::cmp::Reverse(*i)))?;
    let group = &fleet.groups[largest];
    let flagged: BTreeSet<&str> = fleet.flagged.iter().map(|f| f.host.as_str()).collect();
    let mut newest: BTreeMap<&str, &Digest> = BTreeMap::new();
    for d in digests
        .filter(|d| d.key == group.key && d.unfit.is_none() && !flagged.contains(d.host.as_str()))
    {
        let known = newest.entry(&d.host).or_insert(d);
        if d.started > known.started {
            *known = d;
        }
    }
    if newest.len() < tolerance::FEWEST {
        return None;
    }
    let title = format!("{} healthy machines: {}", newest.len(), group.key);
    let slower: BTreeSet<(&str, &str)> = fleet
        .slower
        .iter()
        .filter(|s| s.group == largest)
        .flat_map(|s| s.machines.iter().map(|m| (m.host.as_str(), s.metric.as_str())))
        .collect();
    let healthy = |d: &&Digest| {
        let all =
            d.figures.iter().filter(|h| !slower.contains(&(d.host.as_str(), h.name.as_str())));
        all.cloned().collect::<Vec<_>>()
    };
    let figures: Vec<Vec<crate::Headline>> = newest.values().map(healthy).collect();
    let limits = tolerance::profile(&title, figures.iter().map(Vec::as_slice));
    Some((largest, Profile { machine: Some(group.key.clone()), ..limits }))
}

/// Judges the newest look of each host of a group, and the earlier ones by the same peers.
fn judge(key: Key, hosts: &mut [Host], fleet: &mut Fleet) -> Group {
    for host in hosts.iter() {
        if let Some((look, why)) = host.looks.last().and_then(|d| Some((d, d.unfit.as_ref()?))) {
            let judged = host.newest().filter(|d| d.unfit.is_none());
            let why = match judged.and_then(|d| d.started.as_ref()) {
                Some(by) => {
                    format!("its newest look was not fit ({why}), it is judged by that of {by}")
                }
                None => format!("not fit to be measured: {why}"),
            };
            fleet.left_out.push(LeftOut { name: look.shown().into(), why });
        }
    }
    let fit: Vec<usize> = (0..hosts.len())
        .filter(|i| hosts[*i].newest().is_some_and(|d| d.unfit.is_none()))
        .collect();
    for look in fit.iter().filter_map(|i| hosts[*i].newest()).filter(|d| d.figures.is_empty()) {
        let why = "has no figure that machines are compared by".into();
        fleet.left_out.push(LeftOut { name: look.shown().into(), why });
    }
    let fit: Vec<usize> = fit
        .into_iter()
        .filter(|i| hosts[*i].newest().is_some_and(|d| !d.figures.is_empty()))
        .collect();
    without(&fit, hosts, fleet);
    let mut figures = vec![];
    if fit.len() < tolerance::FEWEST {
        by_expected(&fit, hosts, &key, &mut fleet.notes);
        return Group { key, hosts: hosts.len(), fit: fit.len(), figures };
    }
    let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for i in &fit {
        for h in hosts[*i].newest().iter().flat_map(|d| &d.figures) {
            named.entry(h.name.clone()).or_default().push(*i);
        }
    }
    let mut asked: Vec<(usize, f64, Off)> = vec![];
    for (name, who) in named.into_iter().filter(|(_, who)| who.len() >= tolerance::FEWEST) {
        let of = |i: usize| hosts[i].newest()?.figures.iter().find(|h| h.name == name);
        // Of two units or directions under one name that of most machines is it.
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        let kind = |i: usize| of(i).map(|h| format!("{:?} {:?}", h.unit, h.better));
        for kind in who.iter().filter_map(|i| kind(*i)) {
            *kinds.entry(kind).or_default() += 1;
        }
        let most = kinds.into_iter().max_by_key(|(_, n)| *n).map(|(kind, _)| kind);
        let (who, others): (Vec<usize>, Vec<usize>) =
            who.into_iter().partition(|i| kind(*i) == most);
        for look in others.iter().filter_map(|i| hosts[*i].newest()) {
            let why = format!("its {name} has another unit than its peers'");
            fleet.left_out.push(LeftOut { name: look.shown().into(), why });
        }
        let Some((unit, better)) = who.first().and_then(|i| of(*i)).map(|h| (h.unit, h.better))
        else {
            continue;
        };
        let values: Vec<f64> = who.iter().filter_map(|i| Some(of(*i)?.value)).collect();
        let facts: Vec<&BTreeMap<String, String>> =
            who.iter().filter_map(|i| Some(&hosts[*i].newest()?.facts)).collect();
        let (found, places) = modes(&values, &facts);
        beyond_expected(&name, &found, &who, hosts, &key, &mut fleet.notes);
        for (i, place) in who.iter().zip(&places) {
            if let Some(off) = of(*i).and_then(|h| deviation(h, &found[*place])) {
                asked.push((*i, off.0, off.1));
            }
        }
        let code = |m: &Mode| m.because.as_ref().is_some_and(|(fact, _)| fact == KERNELS);
        if found.iter().any(code) {
            let by = format!(
                "{name} was measured by several versions of the code, which are not compared"
            );
            fleet.notes.push(format!("{key}: {by}"));
        } else {
            fleet.slower.extend(slower(fleet.groups.len(), &name, &found, &who, &places, hosts));
        }
        for (i, place) in who.iter().zip(places) {
            hosts[*i].mode.insert(name.clone(), place);
        }
        figures.push(Figure { name, unit, better, modes: found });
    }
    let p: Vec<f64> = asked.iter().map(|(_, z, _)| tail(*z)).collect();
    let adjusted = discovery::adjusted(&p);
    for ((i, z, off), adjusted) in asked.into_iter().zip(adjusted) {
        if adjusted <= FALSE_SHARE && is_worse(z, &off) {
            hosts[i].off.push(off);
        }
    }
    for host in hosts.iter_mut() {
        host.off.sort_by(|a, b| b.worse.total_cmp(&a.worse).then_with(|| a.name.cmp(&b.name)));
        host.earlier = earlier(host, |look| slow_at(look, host, &figures));
    }
    Group { key, hosts: hosts.len(), fit: fit.len(), figures }
}

/// The modes of a figure that are worse than its best one. `places` are the modes of the machines `who`.
fn slower(
    group: usize,
    name: &str,
    modes: &[Mode],
    who: &[usize],
    places: &[usize],
    hosts: &[Host],
) -> Vec<Slower> {
    let figure = |d: &Digest| d.figures.iter().find(|h| h.name == name).cloned();
    let first = who.first().and_then(|i| hosts[*i].newest()).and_then(figure);
    let Some(crate::Headline { unit, better, .. }) = first else { return vec![] };
    let sign = if better == Better::Lower { 1.0 } else { -1.0 };
    let best = modes.iter().min_by(|a, b| (sign * a.median).total_cmp(&(sign * b.median)));
    let Some(best) = best.filter(|_| better != Better::Neither && modes.len() > 1) else {
        return vec![];
    };
    let of = |(place, mode): (usize, &Mode)| {
        let worse = sign * (mode.median - best.median) / best.median;
        let spread = mode.spread.max(best.spread).max(ALIKE * best.median);
        let apart = worse * best.median >= DEVIATIONS * spread || mode.because.is_some();
        if !apart || worse < EFFECT {
            return None;
        }
        let own = || who.iter().zip(places).filter(|(_, p)| **p == place).map(|(i, _)| &hosts[*i]);
        let machines: Vec<Member> = own()
            .filter_map(|host| {
                let look = host.newest()?;
                let value = figure(look)?.value;
                Some(Member { host: look.host.clone(), name: look.shown().into(), value })
            })
            .collect();
        let before = |host: &Host| {
            let earlier = before(host).filter_map(figure);
            earlier.map(|h| sign * (h.value - best.median) / best.median >= EFFECT).max()
        };
        let again = own().filter(|host| before(host) == Some(true)).count();
        let sure = mode.because.is_some() || again as f64 >= NEARLY_ALL * machines.len() as f64;
        Some(Slower {
            group,
            standing: if sure { Standing::Slow } else { Standing::Suspect },
            metric: name.into(),
            unit,
            better,
            value: mode.median,
            best: best.median,
            worse,
            because: mode.because.clone(),
            machines,
            of: who.len(),
        })
    };
    modes.iter().enumerate().filter_map(of).collect()
}

/// Machines without figures that nearly all peers have: what could not be measured is no verdict, and is listed.
fn without(fit: &[usize], hosts: &[Host], fleet: &mut Fleet) {
    let looks: Vec<&Digest> = fit.iter().filter_map(|i| hosts[*i].newest()).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for d in &looks {
        for name in d.figures.iter().map(|h| h.name.as_str()).collect::<BTreeSet<_>>() {
            *counts.entry(name).or_default() += 1;
        }
    }
    // Of few machines one may lack it, and two at least have it.
    let least =
        ((NEARLY_ALL * looks.len() as f64).ceil() as usize).min(looks.len().saturating_sub(1));
    let usual: Vec<&str> =
        counts.iter().filter(|(_, n)| **n >= least.max(2)).map(|(name, _)| *name).collect();
    let has = |d: &Digest, name: &str| d.figures.iter().any(|h| h.name == name);
    let complete: Vec<&Digest> =
        looks.iter().copied().filter(|d| usual.iter().all(|f| has(d, f))).collect();
    let values = values(&complete);
    for look in looks {
        let missing: Vec<&str> = usual.iter().copied().filter(|name| !has(look, name)).collect();
        if missing.is_empty() {
            continue;
        }
        let alone = differs(look, &values).into_iter();
        let alone: String =
            alone.map(|(fact, own, peers)| format!("; {fact} {own} (peers {peers})")).collect();
        fleet.left_out.push(LeftOut {
            name: look.shown().into(),
            why: format!("has no {}, which its peers have{alone}", missing.join(", ")),
        });
    }
}

fn is_worse(z: f64, off: &Off) -> bool {
    z >= DEVIATIONS && off.worse >= EFFECT
}

/// How many deviations of its mode a figure is worse, and by which share.
fn deviation(of: &crate::Headline, mode: &Mode) -> Option<(f64, Off)> {
    let sign = match of.better {
        Better::Lower => 1.0,
        Better::Higher => -1.0,
        Better::Neither => return None,
    };
    let off = sign * (of.value - mode.median);
    // The deviation of few machines is itself a chance.
    let unsure = 1.0 + FEW / mode.count as f64;
    let spread = unsure * mode.spread.max(ALIKE * mode.median);
    let worse = off / mode.median;
    let z = off / spread;
    let found =
        Off { name: of.name.clone(), unit: of.unit, value: of.value, peers: mode.median, worse };
    z.is_finite().then_some((z, found))
}

/// Probability that a standard normal value exceeds z, 1 for none above the middle (Abramowitz and Stegun, 26.2.17; its tail by Mills' ratio).
fn tail(z: f64) -> f64 {
    let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z <= 0.0 {
        1.0
    } else if z > 5.0 {
        density * (1.0 - 1.0 / (z * z)) / z
    } else {
        let t = 1.0 / (1.0 + 0.231_641_9 * z);
        let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
        density * series.iter().rev().fold(0.0, |sum, b| (sum + b) * t)
    }
}

/// Names of what was slow at the looks that are long enough before the newest; nothing where there is none.
fn earlier(host: &Host, slow_at: impl Fn(&Digest) -> Vec<String>) -> Option<BTreeSet<String>> {
    let mut looks = before(host).peekable();
    looks.peek()?;
    Some(looks.flat_map(slow_at).collect())
}

/// The looks that are long enough before the newest.
fn before(host: &Host) -> impl Iterator<Item = &Digest> {
    let at = |d: &Digest| d.started.as_deref().and_then(seconds_since_1970);
    let newest = host.newest().and_then(at);
    let long = move |d: &&Digest| newest.zip(at(d)).is_some_and(|(now, then)| now - then >= LATER);
    host.looks.iter().filter(|d| d.unfit.is_none()).filter(long)
}

fn slow_at(look: &Digest, host: &Host, figures: &[Figure]) -> Vec<String> {
    let slow = |h: &&crate::Headline| {
        let figure = figures.iter().find(|f| f.name == h.name);
        let mode = figure.and_then(|f| f.modes.get(*host.mode.get(&h.name).unwrap_or(&0)));
        mode.and_then(|mode| deviation(h, mode)).is_some_and(|(z, off)| is_worse(z, &off))
    };
    look.figures.iter().filter(slow).map(|h| h.name.clone()).collect()
}

/// A group that is too small: by what is published of the processor.
fn by_expected(fit: &[usize], hosts: &mut [Host], key: &Key, notes: &mut Vec<String>) {
    if !fit.is_empty() {
        let looks = fit.iter().filter_map(|i| hosts[*i].newest());
        let known: BTreeSet<&str> =
            looks.flat_map(|d| d.expected.keys().map(String::as_str)).collect();
        let few = format!("{key}: {} fit machines are too few for peers", fit.len());
        notes.push(match known.is_empty() {
            true => {
                format!("{few}; they are not judged, for nothing is published of the processor")
            }
            false => {
                let known: Vec<&str> = known.into_iter().collect();
                format!(
                    "{few}; of them is judged by what is published of the processor: {}",
                    known.join(", ")
                )
            }
        });
    }
    for i in fit {
        let host = &mut hosts[*i];
        host.off = host.newest().map_or(vec![], beyond);
        let names = |look: &Digest| beyond(look).into_iter().map(|off| off.name).collect();
        host.earlier = earlier(host, names);
    }
}

/// What is worse at a look than is published of the processor.
fn beyond(look: &Digest) -> Vec<Off> {
    let off = |h: &crate::Headline| {
        let limit = *look.expected.get(&h.name).filter(|limit| h.value > **limit)?;
        let worse = h.value / limit - 1.0;
        Some(Off { name: h.name.clone(), unit: h.unit, value: h.value, peers: limit, worse })
    };
    look.figures.iter().filter_map(off).collect()
}

/// Peers that are all slow make each other look healthy.
fn beyond_expected(
    name: &str,
    modes: &[Mode],
    who: &[usize],
    hosts: &[Host],
    key: &Key,
    notes: &mut Vec<String>,
) {
    let limits: Vec<f64> =
        who.iter().filter_map(|i| hosts[*i].newest()?.expected.get(name).copied()).collect();
    let Some(limit) = tolerance::middle(&limits).map(|(median, _)| median) else { return };
    if modes.iter().all(|mode| mode.median > limit) {
        notes.push(format!("{key}: no peer is healthy by expected values of {name}"));
    }
}

/// How many hosts of two looks would be slow if their earlier looks were those of others, on average, and how many hosts these are.
fn deal(hosts: &[Host], rng: &mut Rng) -> (f64, usize) {
    let twice: Vec<&Host> = hosts.iter().filter(|h| h.earlier.is_some()).collect();
    // Where only suspects were looked at again, their looks are no sample of those of all.
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

fn flag(hosts: &[Host], group: usize, flagged: &mut Vec<Flagged>) {
    let healthy: Vec<&Digest> = hosts
        .iter()
        .filter(|h| h.off.is_empty())
        .filter_map(|h| h.newest().filter(|d| d.unfit.is_none()))
        .collect();
    let values = values(&healthy);
    for host in hosts.iter().filter(|h| !h.off.is_empty()) {
        let Some(look) = host.newest() else { continue };
        let again =
            host.off.iter().any(|o| host.earlier.as_ref().is_some_and(|e| e.contains(&o.name)));
        let slow = |d: &&Digest| {
            d.figures.iter().any(|h| host.off.iter().any(|o| o.name == h.name && is_like(h, o)))
        };
        let fit = host.looks.iter().rev().filter(|d| d.unfit.is_none());
        let since = fit.take_while(slow).last();
        flagged.push(Flagged {
            host: look.host.clone(),
            name: look.shown().into(),
            labels: look.labels.clone(),
            group,
            standing: if again { Standing::Slow } else { Standing::Suspect },
            since: since.and_then(|d| d.started.clone()),
            off: host.off.clone(),
            differs: differs(look, &values),
        });
    }
}

/// How many healthy peers have each value of each fact.
type Values<'a> = BTreeMap<&'a str, BTreeMap<&'a str, usize>>;

/// Nothing where the healthy peers are too few.
fn values<'a>(healthy: &[&'a Digest]) -> Values<'a> {
    let mut values = Values::new();
    for (fact, value) in healthy.iter().flat_map(|d| &d.facts) {
        *values.entry(fact).or_default().entry(value).or_default() += 1;
    }
    if healthy.len() < tolerance::FEWEST { Values::new() } else { values }
}

/// Facts of a look that no healthy peer has, each with the value that most of them have.
fn differs(look: &Digest, values: &Values<'_>) -> Vec<(String, String, String)> {
    let alone = |(fact, own): (&String, &String)| {
        let peers = values.get(fact.as_str())?;
        let most = peers.iter().max_by_key(|(v, n)| (**n, std::cmp::Reverse(**v)))?;
        (!peers.contains_key(own.as_str())).then(|| (fact.clone(), own.clone(), (*most.0).into()))
    };
    look.facts.iter().filter_map(alone).collect()
}

/// Whether a figure of another look is worse by at least the least share, too.
fn is_like(h: &crate::Headline, off: &Off) -> bool {
    let worse = (h.value - off.peers) / off.peers;
    (if h.better == Better::Lower { worse } else { -worse }) >= EFFECT
}
