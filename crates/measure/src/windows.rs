//! Threads that each do their own work for a fixed time, all at once, window after window: how much they do together in a
//! second. There may be more of them than CPUs, which then take turns, as processes do of which more are started than there
//! is room for. Unlike `apiece`, a sample is a time and not a number of steps.
use crate::{
    bench::{Bench, CoreFrequency},
    timing::{Disturbance, Limits, Timed, steps_for},
};
use host::threads::run_unpinned;
use record::{CpuSet, Reason};
use stats::Sample;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

/// What one thread does in each of several rounds.
pub trait Shift {
    /// Gets ready for a round, untimed.
    ///
    /// # Errors
    /// Why it cannot.
    fn begin(&mut self, round: usize) -> Result<(), Reason>;
    /// So many steps, and how much that was.
    ///
    /// # Errors
    /// Why it could not.
    fn work(&mut self, steps: u64) -> Result<f64, Reason>;
}

/// What came of a round.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Round {
    /// What all threads did in a second, window by window: not seconds per step, as elsewhere.
    pub rates: Timed,
    /// The first thread's clock between the windows, in hertz; nothing where threads share CPUs.
    pub clock: Option<f64>,
}

/// Seconds of work between two looks at the clock.
const LOOK: f64 = 0.5e-3;
/// Windows that come first and do not count: caches, the clock governor and the scheduler settle.
const WARM: usize = 1;

/// What threads tell each other of a window.
#[derive(Default)]
struct Sum {
    /// When the first of them began.
    begin: Option<f64>,
    rate: f64,
    why: Vec<&'static str>,
}

/// Runs a shift in each of the places for so many rounds of windows of `limits.sample` seconds, until each has windows
/// enough. A thread in a place of several CPUs runs on any of them. All threads decide alike, from the same sums.
///
/// # Errors
/// A thread cannot run where it should, or a shift has a reason why it cannot go on.
pub fn measure<S: Shift>(
    places: &[CpuSet],
    bench: &mut Bench<'_>,
    rounds: usize,
    limits: &Limits,
    make: impl Fn(usize) -> Result<S, Reason> + Sync,
) -> Result<Vec<Round>, Reason> {
    let (clock, cancel, features) = (bench.clock, bench.cancel, bench.features);
    let pinned = places.iter().all(|place| place.len() == 1);
    let (sum, stop) = (Mutex::new(Sum::default()), AtomicBool::new(false));
    let lock = || sum.lock().unwrap_or_else(|e| e.into_inner());
    // The meeting before which the first shift failed.
    let failed = AtomicUsize::new(usize::MAX);
    let results = run_unpinned(places, |worker| -> Result<Vec<Round>, Reason> {
        let mut meeting = 0;
        // Everybody leaves after the same meeting, or the others would wait for ever.
        let mut meet = |so_far: Result<(), Reason>| -> Result<bool, Reason> {
            meeting += 1;
            if so_far.is_err() {
                failed.fetch_min(meeting, SeqCst);
            }
            worker.barrier();
            so_far.map(|()| failed.load(SeqCst) > meeting)
        };
        let mut shift = make(worker.index);
        let core = || CoreFrequency::new(clock, &features, "add_chain").ok();
        let core = if pinned && worker.index == 0 { core() } else { None };
        let mut watch = crate::bench::watcher();
        let mut all = vec![];
        for round in 0..rounds {
            let mut steps = 1;
            let ready = shift.as_mut().map_err(|why| why.clone()).and_then(|shift| {
                shift.begin(round)?;
                let look = Limits { sample: LOOK, ..*limits };
                let mut outcome = Ok(());
                let mut took = |steps: u64| {
                    let begin = clock.now();
                    match shift.work(steps) {
                        Ok(_) => clock.now() - begin,
                        Err(why) => {
                            outcome = Err(why);
                            LOOK
                        }
                    }
                };
                steps = steps_for(clock, &look, &mut took).0;
                outcome
            });
            if !meet(ready)? {
                return Ok(vec![]);
            }
            let Ok(shift) = &mut shift else { return Ok(vec![]) };
            let mut one = Round { rates: Timed { steps, ..Timed::default() }, clock: None };
            let mut hertz = vec![];
            let mut spent = 0.0;
            for window in 0.. {
                if worker.index == 0 {
                    *lock() = Sum::default();
                    stop.store(cancel.load(SeqCst), SeqCst);
                }
                hertz.extend(core.as_ref().map(|core| core.window(clock)));
                if !meet(Ok(()))? {
                    return Ok(vec![]);
                }
                watch.begin();
                // Who waits for a CPU loses time of the window, not only of its own.
                let begin = *lock().begin.get_or_insert_with(|| clock.now());
                let mut done = Ok(0.0);
                let took = loop {
                    let more = shift.work(steps);
                    let took = clock.now() - begin;
                    done = done.and_then(|done| Ok(done + more?));
                    if done.is_err() || took >= limits.sample {
                        break took;
                    }
                };
                let why = watch.end();
                {
                    let mut sum = lock();
                    sum.rate += done.as_ref().unwrap_or(&0.0) / took.max(1e-12);
                    sum.why.extend(why);
                }
                if !meet(done.map(|_| ()))? {
                    return Ok(vec![]);
                }
                let (rate, mut why) = {
                    let sum = lock();
                    (sum.rate, sum.why.clone())
                };
                why.sort_unstable();
                why.dedup();
                // Nobody clears the sum before everybody has read it.
                if !meet(Ok(()))? {
                    return Ok(vec![]);
                }
                if window < WARM {
                    continue;
                }
                spent += limits.sample;
                // Threads that take turns are switched and moved all the time; that is what is measured.
                one.rates.push(rate, if pinned { why } else { vec![] });
                let count = one.rates.samples.len();
                let over = spent >= limits.budget && count >= limits.least.min(3);
                if count >= limits.most || over || stop.load(SeqCst) || one.rates.settled(limits) {
                    break;
                }
            }
            one.clock = Sample::new(&hertz).map(|s| s.median());
            all.push(one);
            if stop.load(SeqCst) {
                break;
            }
        }
        Ok(all)
    })?;
    let mut first = None;
    for (thread, result) in results {
        if pinned {
            bench.ran(thread);
        }
        let all = result?;
        if !all.is_empty() {
            first.get_or_insert(all);
        }
    }
    first.ok_or_else(|| Reason::new("no thread measured anything"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;
    use kernels::Features;
    use record::Machine;

    fn with_bench<T>(work: impl FnOnce(&mut Bench<'_>, &CpuSet) -> T) -> T {
        let (clock, machine, cancel) =
            (Monotonic::new(), Machine::default(), AtomicBool::new(false));
        let mut tick = |_| ();
        let mut bench = Bench::new(&clock, &machine, Features::portable(), &cancel, &mut tick);
        work(&mut bench, &host::cpus::affinity().unwrap())
    }
    const LIMITS: Limits = Limits { sample: 2e-3, target: 0.0, budget: 10.0, least: 4, most: 4 };

    /// Counts its rounds and steps, and fails at one of them.
    struct Counted<'a>(&'a [AtomicUsize; 2], Option<usize>);
    impl Shift for Counted<'_> {
        fn begin(&mut self, round: usize) -> Result<(), Reason> {
            self.0[0].fetch_add(1, SeqCst);
            if self.1 == Some(round) { Err(Reason::new("not this one")) } else { Ok(()) }
        }
        fn work(&mut self, steps: u64) -> Result<f64, Reason> {
            (0..steps * 1000).for_each(|i| _ = std::hint::black_box(i));
            self.0[1].fetch_add(steps as usize, SeqCst);
            Ok(steps as f64 * 7.0)
        }
    }

    #[test]
    fn every_round_has_its_windows_and_no_more_is_counted_than_was_done() {
        let counts = [const { AtomicUsize::new(0) }; 2];
        let rounds = with_bench(|bench, cpus| {
            let one: CpuSet = cpus.iter().take(1).collect();
            let rounds =
                measure(&[one], bench, 3, &LIMITS, |_| Ok(Counted(&counts, None))).unwrap();
            assert_eq!(bench.threads.len(), 1);
            rounds
        });
        assert_eq!(rounds.len(), 3);
        assert!(rounds.iter().all(|r| r.rates.samples.len() == 4 && r.clock > Some(0.0)));
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
            let rounds =
                measure(&places, bench, 1, &LIMITS, |_| Ok(Counted(&counts, None))).unwrap();
            (rounds, cpus.len())
        });
        assert_eq!(rounds.0[0].rates.samples.len(), 4);
        assert_eq!(counts[0].load(SeqCst), rounds.1 + 2, "each began");
        let marked = rounds.0[0].rates.marks.len();
        assert!(rounds.1 == 1 || (marked == 0 && rounds.0[0].clock.is_none()), "{marked}");
    }

    #[test]
    fn one_that_cannot_go_on_ends_all_of_them() {
        let counts = [const { AtomicUsize::new(0) }; 2];
        let fails = |index: usize| Ok(Counted(&counts, (index == 1).then_some(1)));
        let (why, cpus) = with_bench(|bench, cpus| {
            let places = vec![cpus.clone(); 3];
            (measure(&places, bench, 3, &LIMITS, fails).unwrap_err(), cpus.len())
        });
        assert_eq!(why.why, "not this one", "on {cpus} CPUs");
        assert_eq!(counts[0].load(SeqCst), 6, "three began two rounds, and nobody a third");
        let none = |index: usize| match index {
            0 => Ok(Counted(&counts, None)),
            _ => Err(Reason::new("no second one")),
        };
        let why = with_bench(|bench, cpus| {
            measure(&vec![cpus.clone(); 2], bench, 1, &LIMITS, none).unwrap_err()
        });
        assert_eq!(why.why, "no second one");
    }
}
