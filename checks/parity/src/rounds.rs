//! Paired runs: in every round each side once, right after each other and in turn first, so that a machine that drifts drifts for
//! both. Or both at once on one CPU (`shared.rs`).
use crate::{
    call::{Call, others_since},
    original::{Pair, Setup},
    ours::{Found, MOVED, Ours, find, largest_buffer},
    shared,
};
use host::clock::{Clock, Monotonic};
use measure::cpu_contention::Snapshot;
use std::{
    collections::BTreeSet,
    path::Path,
    thread::{scope, sleep},
    time::Duration,
};

/// Up to this many percent of the CPUs' time, other programs are held to be idle.
pub(crate) const CALM: f64 = 5.0;
const LOOK: Duration = Duration::from_millis(300);

/// A pair that is measured, and its values by round.
#[derive(Debug)]
pub(crate) struct PairRun<'a> {
    pub(crate) pair: &'a Pair,
    pub(crate) ours: Vec<Value>,
    pub(crate) theirs: Vec<Value>,
    /// The variant that ours ran.
    pub(crate) how: String,
    /// The reason why it was given up.
    pub(crate) failed: Option<String>,
}

/// One round's value of one side, in the pair's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Value {
    pub(crate) round: usize,
    pub(crate) value: f64,
    /// The round trip of a line before and after it; nothing for what runs on one CPU.
    pub(crate) around: Option<PlacementChecks>,
    /// CPU time of other programs meanwhile, in percent of all CPUs' time.
    pub(crate) others: Option<f64>,
}

/// Seconds; nothing where the CPUs moved during the check itself.
pub(crate) type PlacementChecks = [Option<f64>; 2];

impl Value {
    /// Whether it had the machine to itself, as far as is known.
    pub(crate) fn undisturbed(&self) -> bool {
        self.others.is_none_or(|percent| percent <= CALM)
    }
}

impl PairRun<'_> {
    pub(crate) fn new(pair: &Pair) -> PairRun<'_> {
        PairRun { pair, ours: vec![], theirs: vec![], how: String::new(), failed: None }
    }
    /// Whether it needs another round: until there are enough that nothing disturbed, within patience.
    fn goes_on(&self, round: usize, options: &RoundOptions) -> bool {
        let wanted = options.rounds.min(self.pair.most);
        let undisturbed = |side: &[Value]| -> BTreeSet<usize> {
            side.iter().filter(|v| v.undisturbed()).map(|v| v.round).collect()
        };
        let both = undisturbed(&self.ours).intersection(&undisturbed(&self.theirs)).count();
        self.failed.is_none() && round < wanted * options.patience() && both < wanted
    }
}

/// Options of the rounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundOptions {
    pub(crate) rounds: usize,
    /// Seconds to wait for other programs before each run.
    pub(crate) wait: f64,
    /// The original on both sides: what the machine alone makes of equal programs.
    pub(crate) control: bool,
}

impl RoundOptions {
    /// Disturbed rounds are made up for, but only where there is time to wait for the others at all.
    fn patience(&self) -> usize {
        if self.wait > 0.0 { 3 } else { 1 }
    }
}

/// Measures all pair_runs that need the same probe, so that one run of ours serves them all.
pub(crate) fn measure(
    ours: &Ours,
    setup: &Setup,
    pair_runs: &mut [PairRun<'_>],
    options: &RoundOptions,
) {
    let mut setup = setup.clone();
    let many = pair_runs.iter().any(|b| b.pair.needs_all_cpus());
    if setup.clock.is_some() {
        pair_runs.iter_mut().for_each(|b| b.failed = cannot_share(b.pair, &setup));
    }
    for round in 0..options.rounds * options.patience() {
        let mut active: Vec<&mut PairRun<'_>> =
            pair_runs.iter_mut().filter(|b| b.goes_on(round, options)).collect();
        if active.is_empty() {
            break;
        }
        let clock = Monotonic::new();
        let began = clock.now();
        let mut worst = calm(options.wait);
        if setup.clock.is_some() {
            at_once(ours, &mut setup, &mut active, options.control, (round, worst));
        } else {
            // The first round needs ours first, to know how large a buffer theirs shall use.
            let sides = if round % 2 == 0 { [true, false] } else { [false, true] };
            let mut before = if many { ours.round_trip() } else { None };
            for our_turn in sides {
                worst = worst.into_iter().chain(calm(options.wait)).reduce(f64::max);
                let mut check = || {
                    let after = if many { ours.round_trip() } else { None };
                    [std::mem::replace(&mut before, after), after]
                };
                match (our_turn, options.control) {
                    (true, false) => run_ours(ours, &mut setup, &mut active, round, &mut check),
                    _ => run_theirs(&setup, &mut active, (round, our_turn), &mut check),
                }
            }
        }
        let worst = worst.map_or("(not readable)".into(), |w| format!("{w:.0} %"));
        let took = clock.now() - began;
        println!("  round {}: {took:.0} s, others had at most {worst} between runs", round + 1);
    }
}

/// One round of both sides at once.
fn at_once(
    ours: &Ours,
    setup: &mut Setup,
    pair_runs: &mut [&mut PairRun<'_>],
    control: bool,
    (round, others): (usize, Option<f64>),
) {
    let mut unchecked = || [None, None];
    // Streams shall be as large as our buffer, which the first run tells.
    if setup.buffer == 0 {
        run_ours(ours, setup, pair_runs, round, &mut unchecked);
        pair_runs.iter_mut().for_each(|b| b.ours.clear());
    }
    let mut twins: Vec<PairRun<'_>> = pair_runs.iter().map(|b| PairRun::new(b.pair)).collect();
    let mut beside: Vec<&mut PairRun<'_>> = twins.iter_mut().collect();
    let mut same = setup.clone();
    scope(|s| {
        s.spawn(|| run_theirs(setup, &mut beside, (round, false), &mut || [None, None]));
        match control {
            true => run_theirs(setup, pair_runs, (round, true), &mut unchecked),
            false => run_ours(ours, &mut same, pair_runs, round, &mut unchecked),
        }
    });
    for (pair_run, twin) in pair_runs.iter_mut().zip(twins) {
        pair_run.theirs.extend(twin.theirs);
        pair_run.failed = pair_run.failed.take().or(twin.failed);
        // Each counts the other as somebody else. What really is, was looked at before.
        let values = pair_run.ours.iter_mut().chain(&mut pair_run.theirs);
        values.filter(|v| v.round == round).for_each(|v| v.others = others);
    }
}

/// The reason why a pair cannot share a CPU.
fn cannot_share(pair: &Pair, setup: &Setup) -> Option<String> {
    if pair.needs_all_cpus() {
        return Some("it needs more than the one CPU that both share".into());
    }
    let call = pair.call(setup)?;
    let program = Path::new(&call.words[0]);
    (!shared::takes_clock(program)).then(|| {
        format!("{} is linked statically: build it with shared libraries", program.display())
    })
}

/// Waits until other programs leave the CPUs alone, but no longer than asked; the percentage that they took at the end.
fn calm(wait: f64) -> Option<f64> {
    let clock = Monotonic::new();
    let until = clock.now() + wait;
    loop {
        let before = Snapshot::now()?;
        sleep(LOOK);
        let share = others_since(&before);
        if share.is_none_or(|s| s <= CALM) || clock.now() >= until {
            return share;
        }
    }
}

fn run_ours(
    ours: &Ours,
    setup: &mut Setup,
    pair_runs: &mut [&mut PairRun<'_>],
    round: usize,
    check: &mut dyn FnMut() -> PlacementChecks,
) {
    let words = words(setup, pair_runs);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let measured = ours.measure(&words);
    let around = check();
    for pair_run in pair_runs.iter_mut() {
        let found = match &measured {
            Ok((record, ran)) => {
                setup.buffer = largest_buffer(record);
                find(record, pair_run.pair).map(|found| (found, ran.others))
            }
            Err(why) => Err(why.clone()),
        };
        match found {
            Ok((Found { value, how }, others)) => {
                let around = pair_run.pair.needs_all_cpus().then_some(around);
                pair_run.ours.push(Value { round, value, around, others });
                pair_run.how = how;
            }
            // A move in this round says nothing about the next.
            Err(why) if why == MOVED => {}
            Err(why) => pair_run.failed = Some(why),
        }
    }
}

/// How cpulens is asked for what these pair_runs need of their one probe: the parameters that every one of them names, with all their
/// values (`order=random,pages=base`).
fn words(setup: &Setup, pair_runs: &[&mut PairRun<'_>]) -> Vec<String> {
    let probe = pair_runs.first().map_or("", |b| &b.pair.probe);
    let mut words = vec!["--only".to_owned(), probe.to_owned()];
    if !pair_runs.iter().any(|b| b.pair.needs_all_cpus()) {
        words.extend(["--cpus".into(), setup.cpu.to_string()]);
    }
    let named: BTreeSet<_> = pair_runs.iter().flat_map(|b| &b.pair.case).collect();
    let by_all =
        named.iter().filter(|(name, _)| pair_runs.iter().all(|b| b.pair.case.contains_key(*name)));
    let pairs: Vec<String> = by_all.map(|(name, value)| format!("{name}={value}")).collect();
    if !pairs.is_empty() {
        words.extend(["--where".into(), pairs.join(",")]);
    }
    words
}

/// Runs the originals, as themselves or, as a control, in our place; one call may serve several pairs.
fn run_theirs(
    setup: &Setup,
    pair_runs: &mut [&mut PairRun<'_>],
    (round, in_our_place): (usize, bool),
    check: &mut dyn FnMut() -> PlacementChecks,
) {
    let mut done: Vec<Call> = vec![];
    for at in 0..pair_runs.len() {
        if pair_runs[at].failed.is_some() {
            continue;
        }
        let Some(call) = pair_runs[at].pair.call(setup) else {
            pair_runs[at].failed = Some("it cannot measure this on this machine".into());
            continue;
        };
        if done.contains(&call) {
            continue;
        }
        let ran = call.run();
        let around = check();
        let served = |b: &&mut &mut PairRun<'_>| b.pair.call(setup).as_ref() == Some(&call);
        for pair_run in pair_runs.iter_mut().filter(|b| b.failed.is_none()).filter(served) {
            let value = ran.as_ref().map_err(Clone::clone).and_then(|ran| {
                pair_run.pair.read(&ran.text).map(|value| (value, ran.others)).ok_or_else(|| {
                    let last = ran.text.lines().last().unwrap_or("nothing");
                    format!("{}: exit code {:?}: {last}", call.words.join(" "), ran.code)
                })
            });
            let around = pair_run.pair.needs_all_cpus().then_some(around);
            let side = if in_our_place { &mut pair_run.ours } else { &mut pair_run.theirs };
            match value {
                Ok((value, others)) => side.push(Value { round, value, around, others }),
                Err(why) => pair_run.failed = Some(why),
            }
        }
        done.push(call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::original::tests::every_pair;

    #[test]
    fn cases_are_asked_for_by_what_all_pairs_name() {
        let pairs = every_pair();
        let where_of = |name: &str| {
            let mut pair_runs: Vec<PairRun<'_>> =
                pairs.iter().filter(|p| p.original == name).map(PairRun::new).collect();
            let pair_runs: Vec<&mut PairRun<'_>> = pair_runs.iter_mut().collect();
            words(&Setup::default(), &pair_runs).pop().unwrap()
        };
        assert_eq!(where_of("lat_mem_rd"), "lineage=intel,size=64,stride=64");
        assert_eq!(where_of("multichase"), "order=random,pages=base,pages=thp,stride=64");
    }
}
