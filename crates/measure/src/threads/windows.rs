//! Threads that work for windows of a fixed length, all at once: how much they do together in a second. There may be more
//! threads than CPUs; they then share CPUs, as processes do. Unlike `per_thread`, a sample is a time and not a number of steps.
use super::{Member, add_causes, run_alike};
use crate::{
    bench::{Bench, CoreFrequency},
    timing::{Limits, Timed, steps_for},
};
use host::{clock::Clock, disturb::Watcher};
use record::{CpuSet, Reason};

/// The samples of a round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Round {
    /// Work per second of all threads, window by window: not seconds per step, as elsewhere.
    pub rates: Timed,
    /// The core frequency of the first thread between the windows, in hertz; `None` if threads share CPUs.
    pub frequency: Option<f64>,
}

/// Seconds of work between two readings of the time.
const READING: f64 = 0.5e-3;
/// Windows at the beginning that do not count: caches, frequency and scheduler settle.
const WARM: usize = 1;

#[derive(Debug, Clone, Default)]
struct Sum {
    /// When the first thread began.
    begin: Option<f64>,
    rate: f64,
    causes: Vec<&'static str>,
}

/// Runs work in each of the places for rounds of windows of `limits.sample` seconds, until each has windows enough. `make`
/// prepares the work of a thread in a round, which does so many steps and returns how much that was. A thread in a place of
/// several CPUs runs on any of them.
///
/// # Errors
/// A thread cannot run in its place, or the work of one failed.
pub fn measure<T: Sync, W: FnMut(u64) -> Result<f64, Reason>>(
    places: &[CpuSet],
    bench: &mut Bench<'_>,
    rounds: &[T],
    limits: &Limits,
    make: impl Fn(usize, &T) -> Result<W, Reason> + Sync,
) -> Result<Vec<Round>, Reason> {
    let (clock, features) = (bench.clock, bench.features);
    let pinned = places.iter().all(|place| place.len() == 1);
    let prepare = |member: &Member<'_, Sum>| {
        let core = CoreFrequency::new(clock, &features, "add_chain").ok();
        Ok(core.filter(|_| pinned && member.index() == 0))
    };
    run_alike(places, bench, prepare, |member, core| {
        let mut watch = Watcher::open();
        let mut all = vec![];
        for round in rounds {
            let ready = || {
                let mut round_work = make(member.index(), round)?;
                let steps = steps(&mut round_work, limits, clock)?;
                Ok((round_work, steps))
            };
            let (mut round_work, steps) = member.sample(ready, |_, _| ())?.own;
            let mut one = Round { rates: Timed { steps, ..Timed::default() }, frequency: None };
            let mut hertz = vec![];
            let mut spent = 0.0;
            let mut stopped = false;
            for window in 0.. {
                hertz.extend(core.as_ref().map(|core| core.window(clock)));
                let work = || {
                    watch.mark();
                    // A thread that waits for a CPU loses time of the common window, not only of its own.
                    let begin = member.sum(|sum| *sum.begin.get_or_insert_with(|| clock.now()));
                    let mut done = 0.0;
                    let took = loop {
                        let more = round_work(steps);
                        let took = clock.now() - begin;
                        done += more?;
                        if took >= limits.sample {
                            break took;
                        }
                    };
                    Ok((done / took.max(1e-12), watch.since()))
                };
                let sampled = member.sample(work, |sum, (rate, causes)| {
                    sum.rate += rate;
                    add_causes(&mut sum.causes, causes.iter().copied());
                })?;
                if window < WARM {
                    continue;
                }
                spent += limits.sample;
                stopped = sampled.stop;
                // Threads that share CPUs are switched and moved all the time; that is what is measured.
                let causes = if pinned { sampled.sum.causes } else { vec![] };
                one.rates.push(sampled.sum.rate, causes);
                if stopped || one.rates.is_complete(limits, spent) {
                    break;
                }
            }
            one.frequency = stats::median(&hertz);
            all.push(one);
            if stopped {
                break;
            }
        }
        Ok(all)
    })
}

/// The steps of work between two readings of the time.
fn steps(
    work: &mut impl FnMut(u64) -> Result<f64, Reason>,
    limits: &Limits,
    clock: &dyn Clock,
) -> Result<u64, Reason> {
    let mut outcome = Ok(());
    let mut took = |steps: u64| {
        let begin = clock.now();
        match work(steps) {
            Ok(_) => clock.now() - begin,
            Err(why) => {
                outcome = Err(why);
                READING
            }
        }
    };
    let steps = steps_for(clock, &Limits { sample: READING, ..*limits }, &mut took).0;
    outcome.map(|()| steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::tests::with_bench;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    const LIMITS: Limits = Limits { sample: 2e-3, target: 0.0, budget: 10.0, least: 4, most: 4 };

    /// Counts its rounds and steps, and fails at one of them.
    fn counted(
        counts: &[AtomicUsize; 2],
        fails: bool,
    ) -> Result<impl FnMut(u64) -> Result<f64, Reason>, Reason> {
        counts[0].fetch_add(1, SeqCst);
        if fails {
            return Err(Reason::new("not this one"));
        }
        Ok(|steps| {
            (0..steps * 1000).for_each(|i| _ = std::hint::black_box(i));
            counts[1].fetch_add(steps as usize, SeqCst);
            Ok(steps as f64 * 7.0)
        })
    }

    #[test]
    fn every_round_has_its_windows_and_no_more_is_counted_than_was_done() {
        let counts = [const { AtomicUsize::new(0) }; 2];
        let rounds = with_bench(|bench, cpus| {
            let one: CpuSet = cpus.iter().take(1).collect();
            let make = |_, _: &usize| counted(&counts, false);
            let rounds = measure(&[one], bench, &[0, 1, 2], &LIMITS, make).unwrap();
            assert_eq!(bench.threads.len(), 1);
            rounds
        });
        assert_eq!(rounds.len(), 3);
        assert!(rounds.iter().all(|r| r.rates.samples.len() == 4 && r.frequency > Some(0.0)));
        let steps = counts[1].load(SeqCst) as f64;
        // A window lasts its seconds at least, so that rates times seconds are at most what was done.
        let counted: f64 =
            rounds.iter().flat_map(|r| &r.rates.samples).sum::<f64>() * LIMITS.sample;
        assert!(counted > 0.0 && counted <= steps * 7.0 * 1.001, "{counted} of {}", steps * 7.0);
    }

    #[test]
    fn more_threads_than_cpus_take_turns() {
        let counts = [const { AtomicUsize::new(0) }; 2];
        let rounds = with_bench(|bench, cpus| {
            let places = vec![cpus.clone(); cpus.len() + 2];
            let make = |_, _: &usize| counted(&counts, false);
            let rounds = measure(&places, bench, &[0], &LIMITS, make).unwrap();
            (rounds, cpus.len())
        });
        assert_eq!(rounds.0[0].rates.samples.len(), 4);
        assert_eq!(counts[0].load(SeqCst), rounds.1 + 2, "each began");
        let marked = rounds.0[0].rates.marks.len();
        assert!(rounds.1 == 1 || (marked == 0 && rounds.0[0].frequency.is_none()), "{marked}");
    }

    #[test]
    fn one_that_cannot_go_on_ends_all_of_them() {
        let counts = [const { AtomicUsize::new(0) }; 2];
        let fails = |index, round: &usize| counted(&counts, (index, *round) == (1, 1));
        let (why, cpus) = with_bench(|bench, cpus| {
            let places = vec![cpus.clone(); 3];
            (measure(&places, bench, &[0, 1, 2], &LIMITS, fails).err().unwrap(), cpus.len())
        });
        assert_eq!(why.why, "not this one", "on {cpus} CPUs");
        assert_eq!(counts[0].load(SeqCst), 6, "three began two rounds, and nobody a third");
        let none = |index, _: &usize| match index {
            0 => counted(&counts, false),
            _ => Err(Reason::new("no second one")),
        };
        let why = with_bench(|bench, cpus| {
            measure(&vec![cpus.clone(); 2], bench, &[0], &LIMITS, none).err().unwrap()
        });
        assert_eq!(why.why, "no second one");
    }
}
