//! Paired runs: in every round each side once, right after each other and in turn first, so that a machine that
//! drifts drifts for both. Or both at once, each on a CPU of its own which they swap: then what neighbours do to memory
//! meets both alike.
use super::{
    original::{Original, Pair, Setup},
    ours::{MOVED, Ours, Record},
    placement::{self, Around},
    process::{Call, Ran},
    shared,
    usage::Usage,
};
use crate::stopwatch::Stopwatch;
use std::{
    thread::{scope, sleep},
    time::Duration,
};

/// Up to this many percent of the CPUs' time, other programs are held to be idle.
pub(crate) const CALM: u64 = 5;
const LOOK: Duration = Duration::from_millis(300);

/// A pair that is measured, and its values by round.
#[derive(Debug)]
pub(crate) struct Bout {
    pub(crate) original: &'static Original,
    pub(crate) pair: &'static Pair,
    pub(crate) ours: Vec<Value>,
    pub(crate) theirs: Vec<Value>,
    /// What ours really ran.
    pub(crate) how: String,
    /// Why it was given up.
    pub(crate) failed: Option<String>,
}

/// One round's value of one side, in the pair's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Value {
    pub(crate) round: usize,
    pub(crate) value: f64,
    /// The placement checks around it; nothing for what runs on one CPU.
    pub(crate) around: Option<Around>,
    /// What other programs took meanwhile, in percent of all CPUs' time.
    pub(crate) others: Option<u64>,
}

impl Value {
    /// Whether it had the machine to itself, as far as is known.
    pub(crate) fn undisturbed(&self) -> bool {
        self.others.is_none_or(|percent| percent <= CALM)
    }
}

impl Bout {
    pub(crate) fn new(original: &'static Original, pair: &'static Pair) -> Bout {
        Bout { original, pair, ours: vec![], theirs: vec![], how: String::new(), failed: None }
    }
    /// Whether it needs another round: until there are enough that nothing disturbed, within patience.
    fn goes_on(&self, round: usize, wanted: usize, patience: usize) -> bool {
        let wanted = wanted.min(self.pair.most);
        let clean = |round| {
            [&self.ours, &self.theirs]
                .iter()
                .all(|side| side.iter().any(|v| v.round == round && v.undisturbed()))
        };
        self.failed.is_none()
            && round < wanted * patience
            && (0..round).filter(|r| clean(*r)).count() < wanted
    }
}

/// How rounds are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) rounds: usize,
    /// How long to wait for other programs before each run.
    pub(crate) wait: Duration,
    /// Both sides at once where one thread waits for memory, which is too little to be in the other's way.
    pub(crate) beside: bool,
    /// Both sides at once on one CPU, in turn, where one thread is enough.
    pub(crate) shared: bool,
    /// The original on both sides: what the machine alone makes of equal programs.
    pub(crate) control: bool,
}

/// Measures all bouts that need the same probe, so that one run of ours serves them all.
pub(crate) fn measure(ours: &Ours, setup: &Setup, bouts: &mut [Bout], manner: Manner) {
    let many = bouts.iter().any(|b| b.pair.ours.many());
    let two = setup.cpus.len() > 1 && bouts.iter().all(|b| b.pair.ours.waits());
    let at_once = manner.shared || manner.beside && two;
    let mut setup = setup.clone();
    if manner.shared {
        bouts.iter_mut().for_each(|b| b.failed = b.failed.take().or_else(|| unshared(b, &setup)));
    }
    // Disturbed rounds are made up for, but only where there is time to wait for the others at all.
    let patience = if manner.wait.is_zero() { 1 } else { 3 };
    for round in 0..manner.rounds * patience {
        let mut active: Vec<&mut Bout> =
            bouts.iter_mut().filter(|b| b.goes_on(round, manner.rounds, patience)).collect();
        if active.is_empty() {
            break;
        }
        let time = Stopwatch::start();
        let mut worst = calm(manner.wait);
        if at_once {
            // Streams shall be as large as our buffer, which the first run tells.
            if setup.buffer == 0 {
                run_ours(ours, &mut setup, &mut active, round, false, &mut None);
                active.iter_mut().for_each(|b| b.ours.clear());
            }
            both(ours, &setup, &mut active, round, manner.control, worst);
        } else {
            // The first round needs ours first, to know how large a buffer theirs shall use.
            let sides = if round % 2 == 0 { [true, false] } else { [false, true] };
            let mut before = if many { check(ours) } else { None };
            for our_turn in sides {
                let wait = manner.wait;
                let share = if !our_turn {
                    run_theirs(ours, &setup, &mut active, round, wait, &mut before)
                } else if manner.control {
                    mirrored(&mut active, |mirror| {
                        run_theirs(ours, &setup, mirror, round, wait, &mut before)
                    })
                } else {
                    let share = calm(wait);
                    run_ours(ours, &mut setup, &mut active, round, many, &mut before);
                    share
                };
                worst = worst.max(share);
            }
        }
        let took = time.elapsed().as_secs_f64();
        let worst = worst.map_or("(not readable)".into(), |w| format!("{w} %"));
        println!(
            "  round {}: {took:.0} s, others took at most {worst} of the CPUs between runs",
            round + 1
        );
    }
}

/// One round of both sides at once, on CPUs that they swap from round to round.
fn both(
    ours: &Ours,
    setup: &Setup,
    bouts: &mut [&mut Bout],
    round: usize,
    control: bool,
    others: Option<u64>,
) {
    let [mut here, there] = match setup.clock {
        Some(_) => [setup.clone(), setup.clone()],
        None => apart(setup, round),
    };
    let theirs = |setup: &Setup, bouts: &mut [&mut Bout]| {
        run_theirs(ours, setup, bouts, round, Duration::ZERO, &mut None)
    };
    if control {
        let mut others: Vec<Bout> = bouts.iter().map(|b| Bout::new(b.original, b.pair)).collect();
        scope(|s| {
            s.spawn(|| theirs(&there, &mut others.iter_mut().collect::<Vec<_>>()));
            mirrored(bouts, |mirror| theirs(&here, mirror));
        });
        for (bout, other) in bouts.iter_mut().zip(others) {
            bout.theirs.extend(other.theirs);
        }
    } else {
        let words = words(&here, bouts, false);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let measured = scope(|s| {
            let measured = s.spawn(|| ours.measure(&words));
            theirs(&there, bouts);
            measured.join()
        });
        let measured = measured.unwrap_or_else(|_| Err("cpulens could not be run".into()));
        keep(&measured, &mut here, bouts, round, [None, None]);
    }
    // Each counts the other as somebody else. What really is, was looked at before.
    for bout in bouts {
        let values = bout.ours.iter_mut().chain(&mut bout.theirs);
        values.filter(|v| v.round == round).for_each(|v| v.others = others);
    }
}

/// Why a pair cannot share a CPU.
fn unshared(bout: &Bout, setup: &Setup) -> Option<String> {
    if bout.pair.ours.many() {
        return Some("it needs more than the one CPU that both share".into());
    }
    let call = (bout.pair.call)(setup)?;
    let program = call.program();
    (!shared::needs_frequency(program)).then(|| {
        format!(
            "{} is linked statically and keeps its own clock: build it with shared libraries",
            program.display()
        )
    })
}

/// Two CPUs to run on at once, the other way round in every second round.
fn apart(setup: &Setup, round: usize) -> [Setup; 2] {
    let mut cpus: Vec<_> = setup.cpus.iter().rev().take(2).map(u32::to_string).collect();
    cpus.rotate_left(round % 2);
    [0, 1].map(|i| Setup { cpu: cpus[i].clone(), ..setup.clone() })
}

/// The original in our place.
fn mirrored<T>(bouts: &mut [&mut Bout], run: impl FnOnce(&mut [&mut Bout]) -> T) -> T {
    let mut shells: Vec<Bout> = bouts.iter().map(|b| Bout::new(b.original, b.pair)).collect();
    let said = run(&mut shells.iter_mut().collect::<Vec<_>>());
    for (bout, shell) in bouts.iter_mut().zip(shells) {
        bout.ours.extend(shell.theirs);
    }
    said
}

/// Waits until other programs leave the CPUs alone, but no longer than asked; says what they took at the end.
fn calm(wait: Duration) -> Option<u64> {
    let time = Stopwatch::start();
    loop {
        let share = busy();
        if share.is_none_or(|s| s <= CALM) || time.elapsed() >= wait {
            return share;
        }
    }
}

/// What other programs do at the moment, in percent of all CPUs' time, while we do nothing.
fn busy() -> Option<u64> {
    let before = Usage::now()?;
    sleep(LOOK);
    before.others(Usage::now()?)
}

fn check(ours: &Ours) -> Option<f64> {
    placement::check(ours).ok().flatten()
}

fn run_ours(
    ours: &Ours,
    setup: &mut Setup,
    bouts: &mut [&mut Bout],
    round: usize,
    many: bool,
    before: &mut Option<f64>,
) {
    let words = words(setup, bouts, many);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let measured = ours.measure(&words);
    let after = if many { check(ours) } else { None };
    keep(&measured, setup, bouts, round, [*before, after]);
    *before = after;
}

/// How cpulens is asked for what these bouts need of their one probe.
fn words(setup: &Setup, bouts: &[&mut Bout], many: bool) -> Vec<String> {
    let probe = bouts.first().map_or("", |b| b.pair.ours.probe);
    let mut words = vec!["--only".to_owned(), probe.to_owned()];
    if !many {
        words.extend(["--cpus".into(), setup.cpu.clone()]);
    }
    let wanted = parameters(bouts);
    if !wanted.is_empty() {
        words.extend(["--where".into(), wanted]);
    }
    words
}

/// Takes our values out of what was measured.
fn keep(
    measured: &Result<(Record, Ran), String>,
    setup: &mut Setup,
    bouts: &mut [&mut Bout],
    round: usize,
    checks: Around,
) {
    let others = measured.as_ref().ok().and_then(|(_, ran)| ran.others);
    for bout in bouts.iter_mut() {
        let found = match measured {
            Ok((record, _)) => {
                setup.buffer = record.largest_buffer();
                record.find(&bout.pair.ours)
            }
            Err(why) => Err(why.clone()),
        };
        match found {
            Ok(found) => {
                let around = bout.pair.ours.many().then_some(checks);
                let value = bout.pair.unit.of(&found) * bout.pair.unit.scale();
                bout.ours.push(Value { round, value, around, others });
                bout.how = found.how;
            }
            // A move in this round says nothing about the next.
            Err(why) if why == MOVED => {}
            Err(why) => bout.failed = Some(why),
        }
    }
}

/// The parameters that every one of these bouts names, with all their values: `order=random,pages=base`.
fn parameters(bouts: &[&mut Bout]) -> String {
    let mut pairs: Vec<&(&str, &str)> = bouts.iter().flat_map(|b| b.pair.ours.case).collect();
    pairs.retain(|(name, _)| {
        bouts.iter().all(|b| b.pair.ours.case.iter().any(|(other, _)| other == name))
    });
    pairs.sort_unstable();
    pairs.dedup();
    let words: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    words.join(",")
}

fn run_theirs(
    ours: &Ours,
    setup: &Setup,
    bouts: &mut [&mut Bout],
    round: usize,
    wait: Duration,
    before: &mut Option<f64>,
) -> Option<u64> {
    let mut done: Vec<Call> = vec![];
    let mut worst = None;
    for at in 0..bouts.len() {
        if bouts[at].failed.is_some() {
            continue;
        }
        let Some(call) = (bouts[at].pair.call)(setup) else {
            bouts[at].failed = Some("it cannot measure this on this machine".into());
            continue;
        };
        if done.contains(&call) {
            continue;
        }
        worst = worst.max(calm(wait));
        let ran = call.run();
        let others = ran.as_ref().ok().and_then(|ran| ran.others);
        let after = if bouts[at].pair.ours.many() { check(ours) } else { None };
        // One call may serve several pairs.
        for bout in bouts.iter_mut().filter(|b| b.failed.is_none()) {
            if (bout.pair.call)(setup).as_ref() != Some(&call) {
                continue;
            }
            let value = match &ran {
                Err(why) => Err(why.clone()),
                Ok(ran) => (bout.pair.read)(&ran.text).ok_or_else(|| {
                    let last = ran.text.lines().last().unwrap_or("nothing");
                    format!("{}: exit code {:?}, printed: {last}", call.words(), ran.code)
                }),
            };
            let around = bout.pair.ours.many().then_some([*before, after]);
            match value {
                Ok(value) => bout.theirs.push(Value { round, value, around, others }),
                Err(why) => bout.failed = Some(why),
            }
        }
        if after.is_some() {
            *before = after;
        }
        done.push(call);
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::originals::ALL;

    #[test]
    fn cases_are_asked_for_by_what_all_pairs_name() {
        let of = |name: &str| {
            let original = ALL.iter().find(|o| o.name == name).unwrap();
            let mut bouts: Vec<Bout> =
                original.pairs.iter().map(|p| Bout::new(original, p)).collect();
            parameters(&bouts.iter_mut().collect::<Vec<_>>())
        };
        assert_eq!(of("lat_mem_rd"), "lineage=intel,size=64,stride=64");
        assert_eq!(of("multichase"), "order=random,pages=base,pages=thp,stride=64");
    }

    #[test]
    fn sides_at_once_swap_their_cpus() {
        let cpus = vec![2, 5, 7];
        let (cpu, programs) = ("7".into(), vec![]);
        let setup = Setup { cpu, cpus, programs, ..Setup::default() };
        let on = |round| apart(&setup, round).map(|side| side.cpu);
        assert_eq!(on(0), ["7", "5"]);
        assert_eq!(on(1), ["5", "7"]);
        assert_eq!(on(2), on(0));
    }
}
