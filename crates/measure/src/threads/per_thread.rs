//! Each thread is timed by itself: it prepares, does the timed work, and clears away, sample by sample.
use super::{Member, add_causes, pinned, run_alike};
use crate::{
    bench::Bench,
    timing::{self, Limits, Timed},
};
use host::disturb::Watcher;
use record::Reason;

/// The work of one thread.
pub trait ThreadWork {
    /// Before a sample of that many steps, untimed.
    fn prepare(&mut self, _steps: u64) {}
    /// The timed work; returns how many units it did. The time of a thread that returns 0 does not count.
    fn work(&mut self, steps: u64) -> u64;
    /// Clears away after a sample, untimed; returns a further value of the sample, if there is one.
    fn after(&mut self) -> Option<f64> {
        None
    }
}

/// Work that needs nothing before or after it.
impl<F: FnMut(u64)> ThreadWork for F {
    fn work(&mut self, steps: u64) -> u64 {
        self(steps);
        steps
    }
}

/// How the work is timed.
#[derive(Debug, Clone, Copy)]
pub struct Repetition {
    /// When there are samples enough.
    pub limits: Limits,
    /// Steps in a sample; `None` to find as many as make a sample long enough.
    pub steps: Option<u64>,
    /// Whether page faults are what is measured; they do not disturb then.
    pub faults: bool,
}

/// The samples of all threads.
#[derive(Debug, Clone, Default)]
pub struct PerThread {
    /// Seconds per unit: the threads' seconds over the threads' units, sample by sample.
    pub timed: Timed,
    /// Units per second of all threads together, each thread's by its own time, sample by sample.
    pub rates: Vec<f64>,
    /// Mean of the further values of each sample, if there are any.
    pub values: Vec<f64>,
}

#[derive(Debug, Clone, Default)]
struct Sum {
    seconds: f64,
    units: u64,
    rate: f64,
    values: Vec<f64>,
    causes: Vec<&'static str>,
}

/// One thread's part of a sample.
struct ThreadPart {
    seconds: f64,
    units: u64,
    causes: Vec<&'static str>,
    value: Option<f64>,
}

/// Runs work on each of the CPUs until there are samples enough.
///
/// # Errors
/// A thread cannot run on its CPU, or `make` failed on one of them.
pub fn measure<P: ThreadWork>(
    cpus: &[u32],
    bench: &mut Bench<'_>,
    repetition: &Repetition,
    make: impl Fn(usize) -> Result<P, Reason> + Sync,
) -> Result<PerThread, Reason> {
    let clock = bench.clock;
    let limits = &repetition.limits;
    let prepare = |member: &Member<'_, Sum>| make(member.index());
    run_alike(&pinned(cpus.iter().copied()), bench, prepare, |member, mut thread_work| {
        let mut watch = Watcher::open();
        let mut sample = |steps: u64| {
            thread_work.prepare(steps);
            let work = || {
                watch.mark();
                let begin = clock.now();
                let units = thread_work.work(steps);
                let end = clock.now();
                let causes = watch.since();
                Ok(ThreadPart { seconds: end - begin, units, causes, value: thread_work.after() })
            };
            member.sample(work, |sum, own| {
                if own.units > 0 {
                    sum.seconds += own.seconds;
                    sum.units += own.units;
                    sum.rate += own.units as f64 / own.seconds.max(1e-12);
                    let counts = |cause: &&str| !repetition.faults || *cause != "page fault";
                    add_causes(&mut sum.causes, own.causes.iter().copied().filter(counts));
                }
                sum.values.extend(own.value);
            })
        };
        // No unit at all gives a number that is not finite, which the run reports.
        let per_unit = |sum: &Sum| sum.seconds / sum.units as f64;
        let steps = match repetition.steps {
            Some(steps) => {
                // The first run finds everything cold.
                sample(steps)?;
                steps
            }
            None => {
                let took = &mut |steps| {
                    sample(steps).map_or(f64::INFINITY, |all| per_unit(&all.sum) * steps as f64)
                };
                timing::steps_for(clock, limits, took).0
            }
        };
        let mut all =
            PerThread { timed: Timed { steps, ..Timed::default() }, ..PerThread::default() };
        let mut spent = 0.0;
        loop {
            let sampled = sample(steps)?;
            let sum = sampled.sum;
            spent += per_unit(&sum) * steps as f64;
            all.timed.push(per_unit(&sum), sum.causes);
            all.rates.push(sum.rate);
            if !sum.values.is_empty() {
                all.values.push(sum.values.iter().sum::<f64>() / sum.values.len() as f64);
            }
            if sampled.stop || all.timed.is_complete(limits, spent) {
                return Ok(all);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// One CPU twice: more threads than CPUs must work as well.
    fn with_bench<T>(work: impl FnOnce(&mut Bench<'_>, &[u32]) -> T) -> T {
        crate::threads::tests::with_bench(|bench, cpus| work(bench, &[cpus.first().unwrap(); 2]))
    }
    fn five_samples(steps: Option<u64>) -> Repetition {
        let limits = Limits { sample: 1e-5, target: 0.0, budget: 10.0, least: 5, most: 5 };
        Repetition { limits, steps, faults: false }
    }

    /// Counts its calls; the second thread only keeps the first company.
    struct Counted<'a>(usize, &'a [AtomicU64; 3]);
    impl ThreadWork for Counted<'_> {
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
            measure(cpus, bench, &five_samples(Some(1)), |i| Ok(slow(i))).unwrap()
        });
        // Of two alike it is twice what one does in the mean time.
        let products = made.rates.iter().zip(&made.timed.samples).map(|(rate, time)| rate * time);
        assert!(products.into_iter().any(|p| p > 2.2), "{made:?}");
    }

    #[test]
    fn every_thread_prepares_works_and_clears_away_for_each_sample() {
        let counts = [const { AtomicU64::new(0) }; 3];
        let made = with_bench(|bench, cpus| {
            let made =
                measure(cpus, bench, &five_samples(Some(4)), |i| Ok(Counted(i, &counts))).unwrap();
            assert_eq!(bench.threads.len(), 1, "one CPU, listed once");
            made
        });
        assert_eq!((made.timed.samples.len(), made.timed.steps), (5, 4));
        assert_eq!(made.values, [7.0; 5]);
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
        let why =
            with_bench(|b, cpus| measure(cpus, b, &five_samples(Some(1)), refuse).unwrap_err());
        assert_eq!(why.why, "no second one");
    }

    #[test]
    fn steps_are_found_where_none_are_given() {
        let work = |_| Ok(|n: u64| (0..n * 100).for_each(|i| _ = std::hint::black_box(i)));
        let made = with_bench(|b, cpus| measure(cpus, b, &five_samples(None), work).unwrap());
        assert!(made.timed.steps >= 1 && made.values.is_empty());
        assert!(made.timed.samples.iter().all(|s| *s > 0.0));
    }
}
