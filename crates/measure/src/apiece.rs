//! Threads that do the same at once, each timed for itself: setting up, the timed work, and clearing away, sample by
//! sample. Unlike `together`, which times one common effort from the first start to the last end.
use crate::{
    bench::Bench,
    timing::{self, Limits, Timed},
};
use host::{disturb::Watcher, threads::run_pinned};
use record::Reason;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// What one thread does.
pub trait Part {
    /// Before a sample of that many steps, untimed.
    fn prepare(&mut self, _steps: u64) {}
    /// The timed work; returns how many units it did. A thread that only keeps others company returns 0, and its time does
    /// not count.
    fn work(&mut self, steps: u64) -> u64;
    /// After a sample, untimed; what else was seen of it, if anything.
    fn after(&mut self) -> Option<f64> {
        None
    }
}

/// Work that needs nothing before or after it.
impl<F: FnMut(u64)> Part for F {
    fn work(&mut self, steps: u64) -> u64 {
        self(steps);
        steps
    }
}

/// How it is timed.
#[derive(Debug, Clone, Copy)]
pub struct How {
    /// When there is enough.
    pub limits: Limits,
    /// Steps in a sample; nothing to find as many as make a sample long enough.
    pub steps: Option<u64>,
    /// Whether page faults are what is measured, and so disturb nothing.
    pub faults: bool,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Apiece {
    /// Seconds per unit: the threads' seconds over the threads' units, sample by sample.
    pub timed: Timed,
    /// Units per second of all threads together, each thread's by its own time, sample by sample.
    pub rates: Vec<f64>,
    /// Mean of what the threads saw after each sample, where they say anything.
    pub seen: Vec<f64>,
}

/// What threads tell each other of a sample.
#[derive(Default)]
struct Sum {
    seconds: f64,
    units: u64,
    rate: f64,
    seen: Vec<f64>,
    why: Vec<&'static str>,
}

/// Runs a part on each of the CPUs until there are samples enough. All threads decide alike, from the same sums.
///
/// # Errors
/// A thread cannot run where it should, or `make` has a reason why its part cannot be.
pub fn measure<P: Part>(
    cpus: &[u32],
    bench: &mut Bench<'_>,
    how: &How,
    make: impl Fn(usize) -> Result<P, Reason> + Sync,
) -> Result<Apiece, Reason> {
    let (clock, cancel) = (bench.clock, bench.cancel);
    let (sum, stop, failed) =
        (Mutex::new(Sum::default()), AtomicBool::new(false), AtomicBool::new(false));
    let lock = || sum.lock().unwrap_or_else(|e| e.into_inner());
    let results = run_pinned(cpus, |worker| {
        let part = make(worker.index);
        if part.is_err() {
            failed.store(true, Relaxed);
        }
        worker.barrier();
        // All threads leave together, or the others would wait at a barrier for ever.
        if failed.load(Relaxed) {
            return part.map(|_| None);
        }
        let mut part = part?;
        let mut watch = Watcher::new();
        let mut sample = |steps: u64| {
            part.prepare(steps);
            if worker.index == 0 {
                *lock() = Sum::default();
                stop.store(cancel.load(Relaxed), Relaxed);
            }
            worker.barrier();
            watch.mark();
            let begin = clock.now();
            let units = part.work(steps);
            let end = clock.now();
            let why = watch.since();
            let seen = part.after();
            {
                let mut sum = lock();
                if units > 0 {
                    sum.seconds += end - begin;
                    sum.units += units;
                    sum.rate += units as f64 / (end - begin).max(1e-12);
                    sum.why.extend(why.iter().filter(|w| !how.faults || **w != "page fault"));
                }
                sum.seen.extend(seen);
            }
            worker.barrier();
            let all = lock();
            let mut why = all.why.clone();
            why.sort_unstable();
            why.dedup();
            let seen = (!all.seen.is_empty())
                .then(|| all.seen.iter().sum::<f64>() / all.seen.len() as f64);
            // No unit at all is no number, which the run reports as such.
            let took = (all.seconds / all.units as f64, all.rate, why, seen);
            drop(all);
            // Nobody clears the sum before everybody has read it.
            worker.barrier();
            took
        };
        let steps = match how.steps {
            Some(steps) => {
                // What runs first finds everything cold.
                sample(steps);
                steps
            }
            None => {
                let took = &mut |steps| sample(steps).0 * steps as f64;
                timing::steps_for(clock, &how.limits, took).0
            }
        };
        let mut all = Apiece { timed: Timed { steps, ..Timed::default() }, ..Apiece::default() };
        let mut spent = 0.0;
        loop {
            let (seconds, rate, why, seen) = sample(steps);
            spent += seconds * steps as f64;
            all.timed.push(seconds, why);
            all.rates.push(rate);
            all.seen.extend(seen);
            let (limits, count) = (&how.limits, all.timed.samples.len());
            let over = spent >= limits.budget && count >= limits.least.min(3);
            if count >= limits.most || over || stop.load(Relaxed) || all.timed.settled(limits) {
                return Ok(Some(all));
            }
        }
    })?;
    let mut first = None;
    for (thread, result) in results {
        bench.ran(thread);
        if let Some(all) = result? {
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
    use std::sync::atomic::AtomicU64;

    fn with_bench<T>(work: impl FnOnce(&mut Bench<'_>, &[u32]) -> T) -> T {
        let (clock, machine, cancel) =
            (Monotonic::new(), Machine::default(), AtomicBool::new(false));
        let mut tick = |_| ();
        let mut bench = Bench::new(&clock, &machine, Features::portable(), &cancel, &mut tick);
        // One CPU twice: more threads than CPUs must work as well.
        let cpu = host::cpus::affinity().unwrap().first().unwrap();
        work(&mut bench, &[cpu, cpu])
    }
    fn how(steps: Option<u64>) -> How {
        let limits = Limits { sample: 1e-5, target: 0.0, budget: 10.0, least: 5, most: 5 };
        How { limits, steps, faults: false }
    }

    /// Counts its calls; the second thread only keeps the first company.
    struct Counted<'a>(usize, &'a [AtomicU64; 3]);
    impl Part for Counted<'_> {
        fn prepare(&mut self, _: u64) {
            self.1[0].fetch_add(1, Relaxed);
        }
        fn work(&mut self, steps: u64) -> u64 {
            self.1[1].fetch_add(1, Relaxed);
            if self.0 == 0 { steps } else { 0 }
        }
        fn after(&mut self) -> Option<f64> {
            self.1[2].fetch_add(1, Relaxed);
            (self.0 == 0).then_some(7.0)
        }
    }

    #[test]
    fn a_faster_thread_counts_for_more_of_the_rate() {
        let made = with_bench(|bench, cpus| {
            let slow = |i: usize| {
                move |_| std::thread::sleep(std::time::Duration::from_millis([1, 20][i]))
            };
            measure(cpus, bench, &how(Some(1)), |i| Ok(slow(i))).unwrap()
        });
        // Of two alike it is twice what one does in the mean time.
        let products = made.rates.iter().zip(&made.timed.samples).map(|(rate, time)| rate * time);
        assert!(products.into_iter().any(|p| p > 2.2), "{made:?}");
    }

    #[test]
    fn every_thread_prepares_works_and_clears_away_for_each_sample() {
        let counts = [const { AtomicU64::new(0) }; 3];
        let made = with_bench(|bench, cpus| {
            let made = measure(cpus, bench, &how(Some(4)), |i| Ok(Counted(i, &counts))).unwrap();
            assert_eq!(bench.threads.len(), 1, "one CPU, listed once");
            made
        });
        assert_eq!((made.timed.samples.len(), made.timed.steps), (5, 4));
        assert_eq!(made.seen, [7.0; 5]);
        let products = made.rates.iter().zip(&made.timed.samples).map(|(rate, time)| rate * time);
        assert!(products.into_iter().all(|p| (p - 1.0).abs() < 1e-9), "{made:?}");
        // Two threads, five samples and the one that finds everything cold.
        assert!(counts.iter().all(|c| c.load(Relaxed) == 12), "{counts:?}");
    }

    #[test]
    fn one_part_that_cannot_be_ends_all_of_them() {
        let refuse = |index: usize| match index {
            0 => Ok(|_: u64| ()),
            _ => Err(Reason::new("no second one")),
        };
        let why = with_bench(|b, cpus| measure(cpus, b, &how(Some(1)), refuse).unwrap_err());
        assert_eq!(why.why, "no second one");
    }

    #[test]
    fn steps_are_found_where_none_are_given() {
        let work = |_| Ok(|n: u64| (0..n * 100).for_each(|i| _ = std::hint::black_box(i)));
        let made = with_bench(|b, cpus| measure(cpus, b, &how(None), work).unwrap());
        assert!(made.timed.steps >= 1 && made.seen.is_empty());
        assert!(made.timed.samples.iter().all(|s| *s > 0.0));
    }
}
