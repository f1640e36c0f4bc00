//! Wrong results: every kernel against its known answer, on every CPU at once.
//!
//! Method: a pinned thread on each chosen CPU runs each variant of each kernel that its machine has, for fixed work whose
//! result is known, and compares result and memory bit by bit. The threads begin with different kernels, so that different
//! instructions run at once. The time of a pass over all kernels is a sample, the median of a CPU. It runs with `run --verify`
//! for a tenth of the time of the other cases, and at thorough depth.
//! Limits: an error that comes less than once in the time is not seen. Filling and comparing the memory of loads and stores
//! needs integer instructions, whose errors then count as theirs. Address bits are not checked.
//! Source: Dixit et al., Silent Data Corruptions at Scale (2021); Hochschild et al., Cores that don't count (HotOS 2021).
use crate::prelude::*;
use kernels::{
    Features, Run,
    answers::{self, Answer},
};
use measure::threads::Member;
use record::Reading;
use std::{collections::BTreeMap, sync::atomic::Ordering::Relaxed};

/// Results that differ from known answers.
pub static PROBE: Probe = Probe {
    share_of_plan: Some(SHARE),
    comes_along,
    ..Probe::new(490, 1, "Verification of results", cases, run)
};

/// Set among the probes' options by `run --verify`.
#[derive(Debug)]
pub struct VerifyOption;

/// The prefix of the names of readings of wrong results.
pub const WRONG: &str = "verify.wrong.";
/// Share of the other cases' time.
const SHARE: f64 = 0.1;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let wanted = setting.is_named(ProbeId::Verify)
        || comes_along(setting)
        || setting.depth == Depth::Thorough;
    let seconds = setting.depth.pick(4.0, 15.0, 60.0);
    Ok(wanted.then(|| setting.case(setting.cpus.clone(), &[], seconds)).into_iter().collect())
}

fn comes_along(setting: &Setting<'_>) -> bool {
    setting.probe_options.get::<VerifyOption>().is_some()
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let work = work(&bench.features);
    let seconds = case.estimate * bench.time_scale;
    let (clock, cancel) = (bench.clock, bench.cancel);
    let places = threads::pinned(case.place.cpus.iter());
    let prepare = |_: &Member<'_, ()>| Ok(Answer::memory());
    let tallies = threads::run(&places, bench, prepare, |member, mut memory| {
        let mut tally = Tally::default();
        let (begin, mut now) = (clock.now(), clock.now());
        while tally.passes.is_empty() || now < begin + seconds && !cancel.load(Relaxed) {
            tally.pass(&work, member.index(), &mut memory);
            let end = clock.now();
            tally.passes.push(end - now);
            now = end;
        }
        Ok(tally)
    })?;
    bench.readings.extend(readings(&work, case.place.cpus.iter().zip(&tallies)));
    let mut series = Series::new(Metric::TimePerPass, Unit::Seconds, Better::Lower);
    series.samples = tallies.iter().filter_map(|tally| stats::median(&tally.passes)).collect();
    Ok(vec![series])
}

/// A variant of a kernel, and the result that it must have.
struct Check {
    answer: &'static Answer,
    variant: &'static str,
    run: Run,
}

fn work(features: &Features) -> Vec<Check> {
    let checks = |answer: &'static Answer| {
        let variants = answer.variants(features).into_iter();
        variants.map(move |(variant, run)| Check { answer, variant, run })
    };
    answers::ALL.iter().flat_map(checks).collect()
}

/// The results of one CPU.
#[derive(Debug, Default)]
struct Tally {
    /// Seconds of each pass.
    passes: Vec<f64>,
    /// Wrong results by the number of the check.
    wrong: BTreeMap<usize, u64>,
}

impl Tally {
    /// Every check once, from this one on.
    fn pass(&mut self, work: &[Check], first: usize, memory: &mut [Line]) {
        for turn in 0..work.len() {
            let number = (first + turn) % work.len();
            let Check { answer, run, .. } = &work[number];
            if answer.error(*run, memory) != 0 {
                *self.wrong.entry(number).or_default() += 1;
            }
        }
    }
}

/// The number of results of each class that were checked, and which were wrong.
fn readings<'a>(work: &[Check], tallies: impl Iterator<Item = (u32, &'a Tally)>) -> Vec<Reading> {
    let mut all: BTreeMap<String, u64> = BTreeMap::new();
    for (cpu, tally) in tallies {
        for check in work {
            *all.entry(format!("verify.checked.{}", check.answer.class)).or_default() +=
                tally.passes.len() as u64;
        }
        for (number, wrong) in &tally.wrong {
            let Check { answer, variant, .. } = &work[*number];
            let name = format!("{WRONG}{}.{}.{variant}.cpu{cpu}", answer.class, answer.name);
            all.insert(name, *wrong);
        }
    }
    let reading = |(name, count)| Reading::new(name, Unit::Count, count as f64);
    all.into_iter().map(reading).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;
    use record::Machine;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_wrong_result_is_counted_with_its_class_its_kernel_and_its_cpu() {
        let mut work = work(&Features::portable());
        let mut memory = Answer::memory();
        let (mut good, mut bad) = (Tally::default(), Tally::default());
        good.pass(&work, 7, &mut memory);
        good.passes.push(1.0);
        let divide = work.iter().position(|c| c.answer.name == "compute/div").unwrap();
        work[divide].run = |_, _| 0;
        for first in [0, 30] {
            bad.pass(&work, first, &mut memory);
            bad.passes.push(1.0);
        }
        let readings = readings(&work, [(3, &good), (5, &bad)].into_iter());
        let value = |name: &str| readings.iter().find(|r| r.name == name).map(|r| r.value);
        let name = format!("verify.wrong.divide.compute/div.{}.cpu5", work[divide].variant);
        assert_eq!(value(&name), Some(2.0));
        let wrong = readings.iter().filter(|r| r.name.starts_with(WRONG));
        assert_eq!(wrong.count(), 1);
        let multiplications = work.iter().filter(|c| c.answer.class == "multiply").count();
        assert_eq!(value("verify.checked.multiply"), Some(3.0 * multiplications as f64));
    }

    #[test]
    fn every_class_is_checked_on_every_cpu_and_nothing_here_is_wrong() {
        let (clock, machine, cancel) =
            (Monotonic::new(), Machine::default(), AtomicBool::new(false));
        let cpus = host::cpus::affinity().unwrap();
        let mut tick = |_| ();
        let mut bench = Bench::new(&clock, &machine, Features::portable(), &cancel, &mut tick);
        let setting = Setting::new(&machine, cpus.clone(), Depth::Thorough);
        let mut case = cases(&setting).unwrap().remove(0);
        case.estimate = 0.0;
        let series = run(&case, &mut bench).unwrap();
        assert_eq!(series[0].samples.len(), cpus.len());
        let names: Vec<&str> = bench.readings.iter().map(|r| r.name.as_str()).collect();
        let classes = "aes atomic divide floating_point integer load_store multiply vector";
        let checked = classes.split(' ').map(|class| format!("verify.checked.{class}"));
        assert_eq!(names, checked.collect::<Vec<_>>());
        assert!(bench.readings.iter().all(|r| r.value >= cpus.len() as f64));
    }
}
