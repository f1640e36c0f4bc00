//! CPUs are stated to share a last-level cache, but their round trips say otherwise.
//!
//! Schedulers and programs place threads that share data by the stated caches. Virtual machines state one cache for all
//! their CPUs, while the hypervisor may put them on any die, and change that at any moment: 25 ns and 122 ns one way were
//! seen within seconds. Signs: on a virtual machine, CPUs with two round-trip times far apart, each seen twice with little
//! between them; groups of CPUs, near inside and far between; or a round trip of four loads from that cache, nearly as long
//! as one from memory. Cases measured under CPU contention are excluded, because waiting for a CPU takes longer than any
//! cache line, and so are times at which both CPUs were threads of one core, whose line stays in the core's own caches.
use crate::evidence::RoundTrips;
use crate::matrices::{Cell, Matrix};
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{count, number, time};
use record::{Message, Relation, Text};
use stats::modes::{Mode, modes};

/// Two times of a line within one cache differ by less: by slice and by direction up to 1.5 on large meshes; between dies
/// by 2 and more (docs/validation/memory.md: 5).
const FAR: f64 = 1.8;
/// A line between two cores takes as long as one to three loads from the cache that both share, by compare-and-swap.
const OF_CACHE: f64 = 4.0;
/// And far less than a load from memory; between dies or sockets up to this many of those.
const OF_MEMORY: f64 = 0.7;
const AT_MOST: f64 = 3.0;
/// Farther apart than any two dies: who waited that long did not wait for a line, but for a CPU.
const TOO_FAR: f64 = 10.0;
/// Values of one place lie within this ratio, and the next place's lie beyond it: 50 to 63 ns and 205 to 238 were seen.
const ONE_PLACE: f64 = 1.5;
/// A place counts if it was seen twice, and two places explain what was seen but for this share of it.
const SEEN: usize = 2;
const STRAY: f64 = 0.25;

pub(crate) static RULE: Rule = Rule::without_cost(
    say::CACHE_TITLE,
    &[Demand::Sharing, Demand::Latency],
    check,
    say::CACHE_COST,
    Some(Message::verbatim("cpulens spread --prove -- COMMAND")),
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let round_trips = evidence.round_trips()?;
    // Without a hypervisor nobody moves CPUs: a pair that takes two times was disturbed.
    let moves = evidence.hypervisor().is_some();
    let places = |all: &[f64]| places(all).filter(|_| moves);
    let twice = round_trips.by_cpus.values().filter_map(|all| places(all));
    let moved = twice.clone().find(|(near, far)| near.count.min(far.count) >= SEEN);
    let signs = [moved.map(|p| said(&p)), divided(evidence), slow(evidence, &round_trips)];
    let Some(sign) = signs.into_iter().flatten().next() else {
        // Seen once it may have been a moment's disturbance, and is neither a finding nor nothing.
        return match twice.clone().next() {
            Some(place) => {
                Err(Reason::mended_by(say::cache_once(said(&place)), say::CACHE_ONCE_REMEDY))
            }
            None => Ok(None),
        };
    };
    let (why, advice) = match evidence.hypervisor() {
        Some(name) => (say::cache_why_hypervisor(name), say::CACHE_ADVICE_HYPERVISOR),
        None => (say::CACHE_WHY.into(), say::CACHE_ADVICE),
    };
    Ok(Some(Finding::new(say::cache_claim(sign, why), advice, say::CACHE_VERIFY)))
}

/// The two places that times of the same CPUs come from, if it is two and both were seen more than a moment, or one of them
/// once. Nothing where they lie in between.
fn places(all: &[f64]) -> Option<(Mode, Mode)> {
    let mut found = modes(all, ONE_PLACE);
    let near = *found.iter().find(|m| m.count >= SEEN).or(found.first())?;
    found.retain(|m| m.level >= near.level && m.level < TOO_FAR * near.level);
    let far = *found.iter().rev().find(|m| m.count >= SEEN).or(found.last())?;
    let strays = all.len() - near.count - if far.level > near.level { far.count } else { 0 };
    let two = far.level > FAR * near.level && strays as f64 <= STRAY * all.len() as f64;
    (two && tight(all, &near) && tight(all, &far)).then_some((near, far))
}

/// Whether all values around a mode lie within one place, so that it is a level and no slope.
fn tight(all: &[f64], mode: &Mode) -> bool {
    let near = |x: &&f64| (1.0 / ONE_PLACE..ONE_PLACE).contains(&(**x / mode.level));
    all.iter().filter(near).count() >= mode.count
}

fn said((near, far): &(Mode, Mode)) -> Text {
    say::cache_two_times(
        time(near.level),
        count(near.count, "observation"),
        time(far.level),
        count(far.count, "observation"),
    )
}

/// CPUs of one cache that fall into groups, near inside and far between, every pair in one state.
fn divided(evidence: &Evidence<'_>) -> Option<Text> {
    let matrix = evidence.pairs().ok().filter(|m| evidence.undisturbed(m.run))?;
    let shared = Relation::LastLevel.name();
    // Threads of a core are nearer than its cache makes them.
    let one_core = evidence.one_core();
    let one = |c: &&Cell| c.relation == shared && c.states.len() == 1 && c.median >= one_core;
    let cells: Vec<&Cell> = matrix.cells.iter().filter(one).collect();
    let found = modes(&cells.iter().map(|c| c.median).collect::<Vec<_>>(), FAR);
    let (near, far) = (*found.first()?, *found.last()?);
    let seen = near.count >= SEEN && far.count >= SEEN && far.level < TOO_FAR * near.level;
    let is_near = |c: &Cell| c.median < (near.level * far.level).sqrt();
    (found.len() == 2 && seen && grouped(matrix, &cells, &is_near)).then(|| {
        say::cache_divided(
            time(near.level),
            count(near.count, "pair"),
            time(far.level),
            count(far.count, "pair"),
        )
    })
}

/// Whether near pairs are those inside some groups and far ones those between them; where not every pair was measured groups
/// cannot be determined, and the two levels have to do.
fn grouped(matrix: &Matrix, cells: &[&Cell], near: &dyn Fn(&Cell) -> bool) -> bool {
    let Ok(clusters) = &matrix.clusters else { return true };
    let inside = |groups: &[record::CpuSet], c: &Cell| {
        groups.iter().any(|g| g.contains(c.from) && g.contains(c.to))
    };
    clusters.iter().any(|k| cells.iter().all(|c| inside(&k.groups, c) == near(c)))
}

/// A line that takes as long as if it came from memory, at every look.
fn slow(evidence: &Evidence<'_>, round_trips: &RoundTrips) -> Option<Text> {
    let (cache, memory) = (evidence.level("L3")?, evidence.level("memory")?);
    let values: Vec<f64> = round_trips.by_cpus.values().flatten().copied().collect();
    let sample = stats::Sample::new(&values).filter(|s| s.len() >= SEEN)?;
    let (least, most) = (sample.min() / 2.0, sample.max() / 2.0);
    let measured = (least / cache).is_finite() && (most / memory).is_finite();
    let slow = least > OF_CACHE * cache && least > OF_MEMORY * memory && most < AT_MOST * memory;
    let one_way = sample.median() / 2.0;
    (measured && slow)
        .then(|| say::cache_slow(time(one_way), number(one_way / cache), number(one_way / memory)))
}
