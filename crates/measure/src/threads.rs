//! The threaded sampler: threads that measure at the same time, by one protocol. Every thread prepares. All start a sample
//! together, add their results to one sum, and read it. All then take the same decision, so that no leader is waited for.
//!
//! Its variants: `per_thread` times each thread by itself, `elapsed` from the first start to the last end, `windows` counts
//! work in windows of a fixed length. Probes with a protocol of their own use `run` directly.
pub mod elapsed;
pub mod per_thread;
pub mod windows;

use crate::bench::Bench;
use host::threads::{Worker, run_unpinned};
use record::{CpuSet, Reason};
use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// State that the threads share.
#[derive(Debug, Clone, Default)]
struct Shared<S> {
    sum: S,
    failure: Option<Reason>,
    stop: bool,
}

/// One of the threads, while all of them run.
#[derive(Debug)]
pub struct Member<'a, S> {
    worker: &'a Worker<'a>,
    shared: &'a Mutex<Shared<S>>,
    cancel: &'a AtomicBool,
}

/// A sample of all threads.
#[derive(Debug)]
pub struct Sampled<T, S> {
    /// The result of this thread.
    pub own: T,
    /// The sum over all threads.
    pub sum: S,
    /// Whether sampling ends here: the user interrupted it, or a thread lost its CPU.
    pub stop: bool,
}

impl<S: Clone + Default> Member<'_, S> {
    /// Its place among the threads, from 0.
    pub fn index(&self) -> usize {
        self.worker.index
    }
    /// The CPU it is pinned to; of several that it may run on, the first.
    pub fn cpu(&self) -> u32 {
        self.worker.cpu
    }
    /// Waits for all threads.
    pub fn barrier(&self) {
        self.worker.barrier();
    }
    /// Ends sampling on all threads after the current sample if this one lost its CPU. It shares another thread's CPU
    /// then, and each barrier takes time slices. The whole group fails when it has ended.
    pub fn stop_if_moved(&self) {
        if host::cpus::current_cpu().is_some_and(|found| found != self.cpu()) {
            self.shared().stop = true;
        }
    }
    /// The sum of the current sample.
    pub fn sum<T>(&self, read: impl FnOnce(&mut S) -> T) -> T {
        read(&mut self.shared().sum)
    }
    fn shared(&self) -> MutexGuard<'_, Shared<S>> {
        self.shared.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// Runs `work` on all threads at the same time, and `add`s each result to the sum.
    ///
    /// # Errors
    /// The work of a thread failed. All threads return an error then.
    pub fn sample<T>(
        &self,
        work: impl FnOnce() -> Result<T, Reason>,
        add: impl FnOnce(&mut S, &T),
    ) -> Result<Sampled<T, S>, Reason> {
        if self.index() == 0 {
            let stop = self.cancel.load(Relaxed);
            *self.shared() = Shared { stop, ..Shared::default() };
        }
        self.barrier();
        let own = work();
        match &own {
            Ok(own) => self.sum(|sum| add(sum, own)),
            Err(why) => drop(self.shared().failure.get_or_insert_with(|| why.clone())),
        }
        self.barrier();
        let Shared { sum, failure, stop } = self.shared().clone();
        // The first thread clears the sum of the next sample only after every thread has read this one.
        self.barrier();
        let own = own?;
        failure.map_or(Ok(Sampled { own, sum, stop }), Err)
    }
}

/// Runs one thread in each place: first `prepare` on all of them, then `measure`. Returns what the threads measured, in the
/// order of the places. The threads are noted in the record if each has one CPU.
///
/// # Errors
/// A thread cannot run in its place, or `prepare` or `measure` failed on one of them.
pub fn run<S: Clone + Default + Send, P, R: Send>(
    places: &[CpuSet],
    bench: &mut Bench<'_>,
    prepare: impl Fn(&Member<'_, S>) -> Result<P, Reason> + Sync,
    measure: impl Fn(&Member<'_, S>, P) -> Result<R, Reason> + Sync,
) -> Result<Vec<R>, Reason> {
    let (cancel, shared) = (bench.cancel, Mutex::new(Shared::default()));
    let results = run_unpinned(places, |worker| {
        let member = Member { worker, shared: &shared, cancel };
        // A thread that left alone would keep the others at a barrier for ever.
        let ready = member.sample(|| prepare(&member), |_, _| ())?;
        measure(&member, ready.own)
    })?;
    let pinned = places.iter().all(|place| place.len() == 1);
    let mut all = vec![];
    for (thread, result) in results {
        if pinned {
            bench.ran(thread);
        }
        all.push(result?);
    }
    Ok(all)
}

/// [`run`] with threads that decide alike, and so measure the same: what the first of them returned.
///
/// # Errors
/// Those of [`run`], or there is no thread.
pub fn run_alike<S: Clone + Default + Send, P, R: Send>(
    places: &[CpuSet],
    bench: &mut Bench<'_>,
    prepare: impl Fn(&Member<'_, S>) -> Result<P, Reason> + Sync,
    measure: impl Fn(&Member<'_, S>, P) -> Result<R, Reason> + Sync,
) -> Result<R, Reason> {
    let all = run(places, bench, prepare, measure)?;
    all.into_iter().next().ok_or_else(|| Reason::new("no thread measured anything"))
}

/// A place for each of these CPUs.
pub fn pinned(cpus: impl IntoIterator<Item = u32>) -> Vec<CpuSet> {
    cpus.into_iter().map(|cpu| [cpu].into_iter().collect()).collect()
}

/// Adds what disturbed a thread's sample to what disturbed the others', each once.
pub fn add_causes(all: &mut Vec<&'static str>, causes: impl IntoIterator<Item = &'static str>) {
    all.extend(causes);
    all.sort_unstable();
    all.dedup();
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use host::clock::Monotonic;
    use kernels::Features;
    use record::Machine;

    /// Calls `work` with a bench and the CPUs of this process.
    pub(crate) fn with_bench<T>(work: impl FnOnce(&mut Bench<'_>, &CpuSet) -> T) -> T {
        let (clock, machine, cancel) =
            (Monotonic::new(), Machine::default(), AtomicBool::new(false));
        let mut tick = |_| ();
        let mut bench = Bench::new(&clock, &machine, Features::portable(), &cancel, &mut tick);
        work(&mut bench, &host::cpus::affinity().unwrap())
    }

    #[test]
    fn all_threads_read_the_same_sums() {
        let sums = with_bench(|bench, cpus| {
            run(
                &vec![cpus.clone(); 3],
                bench,
                |member| Ok(member.index()),
                |member, index| {
                    let sample =
                        |n| member.sample(|| Ok(index + n), |sum: &mut usize, own| *sum += own);
                    (0..20).map(|n| sample(n).map(|all| all.sum)).collect::<Result<Vec<_>, _>>()
                },
            )
        });
        let expected: Vec<usize> = (0..20).map(|n| 3 + 3 * n).collect();
        assert_eq!(sums.unwrap(), vec![expected; 3]);
    }

    #[test]
    fn a_failure_ends_all_threads() {
        let failed = |at: usize| {
            with_bench(|bench, cpus| {
                let fails = |now: usize, index: usize| match now == at && index == 1 {
                    true => Err(Reason::new(format!("failed at {at}"))),
                    false => Ok(()),
                };
                run(
                    &vec![cpus.clone(); 3],
                    bench,
                    |member: &Member<'_, ()>| fails(0, member.index()),
                    |member, ()| {
                        (1..4).try_for_each(|now| {
                            member.sample(|| fails(now, member.index()), |_, _| ()).map(|_| ())
                        })
                    },
                )
            })
        };
        for at in [0, 1, 3] {
            assert_eq!(failed(at).unwrap_err().why, format!("failed at {at}"));
        }
        assert!(failed(4).is_ok());
    }
}
