//! Threads that start together, pinned or confined to CPUs, with a barrier.
use crate::{cpus, syscall};
use record::{CpuSet, Reason, Thread};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    thread,
};

/// Spins before a waiting worker yields its CPU: some tens of microseconds, more than a barrier takes when every worker
/// has a CPU, less than a time slice when they share one.
const SPINS: u32 = 1 << 10;

/// Bytes of address space of a thread that starts: Rust's usual stack of 2 MiB, its guard, and a stack for signals. The runtime
/// aborts the process if the last one cannot be mapped, and a stack may come from a thread that has ended.
const PER_THREAD: usize = (2 << 20) + (128 << 10);

/// One of the threads.
#[derive(Debug)]
pub struct Worker<'a> {
    /// Its place in the list of CPUs, from 0.
    pub index: usize,
    /// The CPU it is pinned to, or the first CPU of its place.
    pub cpu: u32,
    barrier: &'a Barrier,
}

impl Worker<'_> {
    /// Waits until every worker is here. What they wrote before is then visible to all.
    ///
    /// If another worker ended before the barrier, the thread unwinds, and [`run_pinned`] gives the reason.
    pub fn barrier(&self) {
        if !self.barrier.wait() {
            // Unlike `panic!` this prints nothing: the cause is reported where it happened.
            resume_unwind(Box::new(Abandoned));
        }
    }
}

/// Panic payload of a thread that stopped because another one did.
#[derive(Debug)]
struct Abandoned;

/// A counter on cache lines of its own (128 bytes: adjacent lines are fetched in pairs), so that arrivals do not disturb
/// waiting threads.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counter(AtomicUsize);

/// A barrier that notices when a worker has ended without reaching it.
#[derive(Debug)]
struct Barrier {
    size: usize,
    arrived: Counter,
    round: Counter,
    left: Counter,
}

impl Barrier {
    fn new(size: usize) -> Barrier {
        let counter = Counter::default;
        Barrier { size, arrived: counter(), round: counter(), left: counter() }
    }
    /// Waits for all workers; `false` if one has ended.
    fn wait(&self) -> bool {
        let round = self.round.0.load(SeqCst);
        if self.arrived.0.fetch_add(1, SeqCst) + 1 == self.size {
            self.arrived.0.store(0, SeqCst);
            self.round.0.store(round + 1, SeqCst);
            return true;
        }
        let mut spins = 0;
        loop {
            let ended = self.left.0.load(SeqCst) > 0;
            // In this order: a worker that ended after this round had changed `round` before.
            if self.round.0.load(SeqCst) != round {
                return true;
            }
            if ended {
                return false;
            }
            spins += 1;
            if spins < SPINS {
                kernels::arch::pause();
            } else {
                thread::yield_now();
            }
        }
    }
    fn leave(&self) {
        self.left.0.fetch_add(1, SeqCst);
    }
}

/// Runs `work` on a thread pinned to each of `cpus`; all start together. Gives, in the order of `cpus`, the CPU of each thread
/// at its end, and the result.
///
/// Fails if a CPU cannot be used or is lost meanwhile, a worker panics, or one ends while another waits for it.
pub fn run_pinned<R: Send>(
    cpus: &[u32],
    work: impl Fn(&Worker<'_>) -> R + Sync,
) -> Result<Vec<(Thread, R)>, Reason> {
    let places: Vec<CpuSet> = cpus.iter().map(|cpu| [*cpu].into_iter().collect()).collect();
    run_unpinned(&places, work)
}

/// The same with one thread for each set of CPUs, in which the scheduler places it. The first CPU of a set counts as
/// requested. Fails as [`run_pinned`] does.
pub fn run_unpinned<R: Send>(
    places: &[CpuSet],
    work: impl Fn(&Worker<'_>) -> R + Sync,
) -> Result<Vec<(Thread, R)>, Reason> {
    let cpus: Vec<u32> = places.iter().map(|place| place.first().unwrap_or(0)).collect();
    let cpus = &cpus[..];
    // One more, for what the threads ask for as they start.
    syscall::check_address_space((cpus.len() + 1) * PER_THREAD)
        .map_err(|error| not_started(&error))?;
    let barrier = Barrier::new(cpus.len());
    let member = |index: usize, cpu: u32| {
        // Unwind safe: if anything panics no result is given out, and `barrier` is atomic.
        let result = catch_unwind(AssertUnwindSafe(|| {
            let refused = |error| WorkerFailure::Refused(cpus::refusal(cpu, &error));
            let place = &places[index];
            let pinned = match place.len() {
                // The thread ends with its work, so its old mask need not be restored.
                2.. => cpus::confine(0, place).map(|()| None).map_err(refused)?,
                _ => Some(cpus::pin(cpu).map_err(refused)?),
            };
            let worker = Worker { index, cpu, barrier: &barrier };
            worker.barrier();
            let result = work(&worker);
            let found = cpus::current_cpu().ok_or_else(|| {
                WorkerFailure::Refused(Reason::new(
                    "the kernel does not tell which CPU a thread runs on",
                ))
            })?;
            drop(pinned);
            if !place.contains(found) {
                return Err(WorkerFailure::Refused(moved_off_cpu(cpu, found)));
            }
            Ok((Thread { asked: cpu, found, node: None }, result))
        }));
        barrier.leave();
        result.unwrap_or_else(|payload| Err(WorkerFailure::of(&*payload)))
    };
    let ends = thread::scope(|scope| {
        let spawned: Vec<_> = cpus
            .iter()
            .enumerate()
            .map(|(index, cpu)| {
                let name = thread::Builder::new().name(format!("worker {index}"));
                let handle = name.spawn_scoped(scope, move || member(index, *cpu));
                if handle.is_err() {
                    barrier.leave();
                }
                handle
            })
            .collect();
        let join = |handle: std::io::Result<thread::ScopedJoinHandle<'_, _>>| match handle {
            Ok(handle) => handle.join().unwrap_or_else(|payload| Err(WorkerFailure::of(&*payload))),
            Err(error) => Err(WorkerFailure::Refused(not_started(&error))),
        };
        spawned.into_iter().map(join).collect::<Vec<_>>()
    });
    verdict(cpus, ends)
}

/// The remedy for a process or thread that the system did not start.
pub(crate) const MORE_PROCESSES: &str =
    "raise the limit of processes (ulimit -u, pids.max) or of address space (ulimit -v)";

/// The reason for a thread that the system did not start.
pub fn not_started(error: &std::io::Error) -> Reason {
    Reason::mended_by(format!("no thread could be started: {error}"), MORE_PROCESSES)
}

/// The reason for a thread whose CPU went offline or left the cpuset: its measurement belongs to no CPU.
pub fn moved_off_cpu(cpu: u32, found: u32) -> Reason {
    Reason::mended_by(
        format!("CPU {cpu} was taken away meanwhile: its thread was found on CPU {found}"),
        "keep CPUs online and cpusets as they are while cpulens runs, then run it again",
    )
}

/// The reason why a worker has no result.
#[derive(Debug)]
enum WorkerFailure {
    Refused(Reason),
    Panicked(String),
    Abandoned,
}

impl WorkerFailure {
    fn of(payload: &(dyn Any + Send)) -> WorkerFailure {
        if payload.is::<Abandoned>() {
            return WorkerFailure::Abandoned;
        }
        WorkerFailure::Panicked(panic_message(payload).to_owned())
    }
}

/// The message of a panic.
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message")
}

/// All results, or the first cause; abandoned threads are not the cause.
fn verdict<R>(cpus: &[u32], ends: Vec<Result<R, WorkerFailure>>) -> Result<Vec<R>, Reason> {
    let mut results = vec![];
    let mut abandoned = None;
    for (end, cpu) in ends.into_iter().zip(cpus) {
        match end {
            Ok(result) => results.push(result),
            Err(WorkerFailure::Refused(reason)) => return Err(reason),
            Err(WorkerFailure::Panicked(text)) => {
                return Err(Reason::new(format!("the thread on CPU {cpu} panicked: {text}")));
            }
            Err(WorkerFailure::Abandoned) => abandoned = Some(cpu),
        }
    }
    match abandoned {
        Some(cpu) => Err(Reason::new(format!(
            "the thread on CPU {cpu} waited for one that had already ended"
        ))),
        None => Ok(results),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn allowed() -> Vec<u32> {
        cpus::affinity().unwrap().iter().collect()
    }

    #[test]
    fn each_worker_runs_on_its_own_cpu() {
        let cpus = allowed();
        let done = run_pinned(&cpus, |worker| {
            worker.barrier();
            (worker.index, cpus::current_cpu())
        })
        .unwrap();
        for (index, (thread, result)) in done.iter().enumerate() {
            assert_eq!(*result, (index, Some(cpus[index])));
            assert_eq!((thread.asked, thread.found), (cpus[index], cpus[index]));
        }
        assert_eq!(done.len(), cpus.len());
    }

    #[test]
    fn a_crowd_stays_within_its_places() {
        let all: CpuSet = allowed().into_iter().collect();
        let done = run_unpinned(&[all.clone(), all.clone(), all.clone()], |worker| {
            worker.barrier();
            cpus::affinity().unwrap()
        })
        .unwrap();
        assert_eq!(done.len(), 3);
        assert!(done.iter().all(|(thread, mask)| all.contains(thread.found) && *mask == all));
        let nowhere: CpuSet = [60_000, 60_001].into_iter().collect();
        assert!(run_unpinned(&[nowhere], |_| ()).is_err());
    }

    #[test]
    fn a_team_of_one_and_a_team_of_none_work() {
        let done = run_pinned(&allowed()[..1], |worker| {
            (0..100).for_each(|_| worker.barrier());
            7
        });
        assert_eq!(done.unwrap()[0].1, 7);
        assert_eq!(run_pinned(&[], |_| 7).unwrap(), []);
    }

    #[test]
    fn nobody_passes_a_barrier_before_the_last_arrives() {
        // More workers than CPUs: all but one wait without a CPU to themselves.
        let cpus = [allowed()[0]; 4];
        let order = Mutex::new(vec![]);
        run_pinned(&cpus, |worker| {
            for round in 0..20 {
                order.lock().unwrap().push(round);
                worker.barrier();
            }
        })
        .unwrap();
        let order = order.into_inner().unwrap();
        assert!(order.is_sorted() && order.len() == 80, "{order:?}");
    }

    #[test]
    fn a_panic_releases_the_others_and_is_reported() {
        let cpus = [allowed()[0]; 3];
        let reason = run_pinned(&cpus, |worker| {
            worker.barrier();
            assert!(worker.index != 1, "the second one breaks");
            worker.barrier();
        })
        .unwrap_err();
        assert!(reason.why.contains("the second one breaks"), "{reason}");
    }

    #[test]
    fn one_that_ends_early_releases_the_others() {
        let cpus = [allowed()[0]; 3];
        let reason = run_pinned(&cpus, |worker| {
            if worker.index != 1 {
                worker.barrier();
            }
        })
        .unwrap_err();
        assert!(reason.why.contains("already ended"), "{reason}");
    }

    /// The kernel moves a thread whose CPU goes offline; no other thread may wait for it.
    #[test]
    fn a_thread_that_was_moved_has_no_result() {
        let cpus = allowed();
        let [first, second, ..] = cpus[..] else { return eprintln!("skipped: one CPU") };
        let reason = run_pinned(&[first, second], |worker| {
            let moved = (worker.index == 1).then(|| cpus::pin(first).unwrap());
            std::mem::forget(moved);
            worker.barrier();
        })
        .unwrap_err();
        assert!(reason.why.contains(&format!("CPU {second} was taken away")), "{reason}");
        assert!(reason.remedy.is_some());
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_a_reason_with_a_remedy() {
        let reason = run_pinned(&[allowed()[0], 60_000], |worker| worker.barrier()).unwrap_err();
        assert!(reason.why.contains("CPU 60000") && reason.remedy.is_some(), "{reason}");
    }
}
