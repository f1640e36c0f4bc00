//! Paired runs: in every round each side once, right after each other and in turn first, so that a machine that
//! drifts drifts for both.
use super::{
    original::{Original, Pair, Setup},
    ours::{MOVED, Ours},
    placement::{self, Around},
    process::Call,
    usage::Usage,
};
use crate::stopwatch::Stopwatch;
use std::{thread::sleep, time::Duration};

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

/// Measures all bouts that need the same probe, so that one run of ours serves them all.
pub(crate) fn measure(
    ours: &Ours,
    setup: &Setup,
    bouts: &mut [Bout],
    rounds: usize,
    wait: Duration,
) {
    let many = bouts.iter().any(|b| b.pair.ours.many());
    let mut setup = setup.clone();
    // Disturbed rounds are made up for, but only where there is time to wait for the others at all.
    let patience = if wait.is_zero() { 1 } else { 3 };
    for round in 0..rounds * patience {
        let mut active: Vec<&mut Bout> =
            bouts.iter_mut().filter(|b| b.goes_on(round, rounds, patience)).collect();
        if active.is_empty() {
            break;
        }
        let time = Stopwatch::start();
        let mut worst = calm(wait);
        // The first round needs ours first, to know how large a buffer theirs shall use.
        let sides = if round % 2 == 0 { [true, false] } else { [false, true] };
        let mut before = if many { check(ours) } else { None };
        for our_turn in sides {
            if our_turn {
                worst = worst.max(calm(wait));
                run_ours(ours, &mut setup, &mut active, round, many, &mut before);
            } else {
                worst = worst.max(run_theirs(ours, &setup, &mut active, round, wait, &mut before));
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
    let Some(first) = bouts.first() else { return };
    let mut arguments = vec!["--only", first.pair.ours.probe];
    let cpu = setup.cpu.clone();
    if !many {
        arguments.extend(["--cpus", &cpu]);
    }
    let wanted = parameters(bouts);
    if !wanted.is_empty() {
        arguments.extend(["--where", &wanted]);
    }
    let measured = ours.measure(&arguments);
    let others = measured.as_ref().ok().and_then(|(_, ran)| ran.others);
    let after = if many { check(ours) } else { None };
    for bout in bouts.iter_mut() {
        let found = match &measured {
            Ok((record, _)) => {
                setup.buffer = record.largest_buffer();
                record.find(&bout.pair.ours)
            }
            Err(why) => Err(why.clone()),
        };
        match found {
            Ok(found) => {
                let around = bout.pair.ours.many().then_some([*before, after]);
                let value = bout.pair.unit.of(&found) * bout.pair.unit.scale();
                bout.ours.push(Value { round, value, around, others });
                bout.how = found.how;
            }
            // A move in this round says nothing about the next.
            Err(why) if why == MOVED => {}
            Err(why) => bout.failed = Some(why),
        }
    }
    *before = after;
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
        assert_eq!(of("lat_mem_rd"), "lineage=intel,size=512,size=64,stride=64");
        assert_eq!(of("multichase"), "order=random,pages=base,pages=transparent,stride=64");
    }
}
