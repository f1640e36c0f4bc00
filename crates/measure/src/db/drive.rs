//! Threads that ask a database for as long as the windows last, all from the same moment on.
use super::{
    log::{Board, Log, Window, Windows},
    observer::{Parts, Seen, observe},
};
use crate::bench::Bench;
use database::engine::Running;
use host::{counters::Event, threads::run_unpinned};
use record::{CpuSet, Reason};
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
};

/// What one thread asks.
pub(crate) trait Load {
    /// An event or a few, each noted.
    ///
    /// # Errors
    /// The database refused for good, or is gone.
    fn turn(&mut self, log: &mut Log<'_>) -> Result<(), Reason>;
    /// All windows are over: what came of it, and whether the data are as they should be.
    ///
    /// # Errors
    /// The database refused, or is gone.
    fn end(self) -> Result<Ended, Reason>;
}

/// What a thread tells beside its windows; counts are of the warm-up, too.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Ended {
    /// Times that a transaction was tried again: deadlocks, lock timeouts, changed rows.
    pub(crate) retries: [u64; 3],
    pub(crate) rolled_back: u64,
    pub(crate) given_up: u64,
    /// New orders that were committed.
    pub(crate) orders: i64,
    /// What the database says that number is, where the thread has data of its own.
    pub(crate) grown: Option<i64>,
    /// Conditions that do not hold, and how many rows break them.
    pub(crate) broken: Vec<(usize, i64)>,
    /// Answers that were not the row that was asked for.
    pub(crate) wrong: u64,
    /// Share of its CPU time in which a thread that never sleeps found nothing to do; the least of all.
    pub(crate) idle: Option<f64>,
}

impl Ended {
    fn and(mut self, other: Ended) -> Ended {
        self.retries.iter_mut().zip(other.retries).for_each(|(sum, n)| *sum += n);
        self.rolled_back += other.rolled_back;
        self.given_up += other.given_up;
        self.orders += other.orders;
        self.grown = self.grown.zip(other.grown).map(|(a, b)| a + b);
        self.broken.extend(other.broken);
        self.wrong += other.wrong;
        self.idle = self.idle.into_iter().chain(other.idle).reduce(f64::min);
        self
    }
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Driven {
    pub(crate) windows: Vec<Window>,
    pub(crate) threads: usize,
    pub(crate) seen: Seen,
    pub(crate) ended: Ended,
    /// The event of cycles in which was waited.
    pub(crate) stall: Option<Event>,
}

/// Where threads run, and for how long.
#[derive(Debug, Clone)]
pub(crate) struct Drive {
    /// CPUs of each thread.
    pub(crate) places: Vec<CpuSet>,
    pub(crate) windows: Windows,
    /// Kinds of events.
    pub(crate) kinds: usize,
    /// The shortest latency in nanoseconds that is told from shorter ones.
    pub(crate) least: u64,
    pub(crate) parts: Parts,
    /// The event of cycles in which is waited, where the processor has one.
    pub(crate) stall: Option<Event>,
}

/// Drives the load that `make` makes for each thread, on that thread.
///
/// # Errors
/// A thread cannot run where it should, a load could not go on, or the server died.
pub(crate) fn drive<L: Load>(
    bench: &mut Bench<'_>,
    running: &[Box<dyn Running>],
    drive: &Drive,
    make: impl Fn(usize) -> Result<L, Reason> + Sync,
) -> Result<Driven, Reason> {
    let (clock, cancel) = (bench.clock, bench.cancel);
    let board = Board::new(drive.windows, drive.kinds, drive.least)?.counting(drive.stall.clone());
    let watched = (&drive.parts, drive.stall.as_ref());
    let (start, unready) = (OnceLock::new(), AtomicBool::new(false));
    let (results, seen) = thread::scope(|scope| {
        let observer =
            scope.spawn(|| observe(clock, running, (&board, drive.places.len()), watched, &start));
        let results = run_unpinned(&drive.places, |worker| -> Result<Ended, Reason> {
            let ready =
                make(worker.index).and_then(|load| Ok((load, Log::new(clock, &board, cancel)?)));
            if ready.is_err() {
                unready.store(true, SeqCst);
            }
            worker.barrier();
            // All leave together, or the others would wait for ever.
            if unready.load(SeqCst) {
                return ready.map(|_| Ended::default());
            }
            let (mut load, mut log) = ready?;
            log.begin(*start.get_or_init(|| clock.now()));
            let mut outcome = Ok(());
            while outcome.is_ok() && !log.is_over() {
                outcome = load.turn(&mut log);
            }
            if outcome.is_err() {
                board.over.store(true, SeqCst);
            }
            // Checks of one may not be in the windows of others.
            worker.barrier();
            outcome?;
            load.end()
        });
        // Whoever never began has not told the observer, nor whoever was stopped before the last window was over.
        if start.get().is_none() || cancel.load(SeqCst) {
            board.over.store(true, SeqCst);
        }
        (results, observer.join())
    });
    let seen = seen.map_err(|_| Reason::new("the thread that looks on panicked"))?;
    let mut ended: Option<Ended> = None;
    let mut first = None;
    for (thread, result) in results? {
        if drive.places.iter().all(|place| place.len() == 1) {
            bench.ran(thread);
        }
        match result {
            Ok(one) => ended = Some(ended.map_or(one.clone(), |all| all.and(one))),
            Err(why) => first = first.or(Some(why)),
        }
    }
    if seen.gone {
        return Err(died(first));
    }
    if let Some(why) = first {
        return Err(why);
    }
    let threads = drive.places.len();
    let ended = ended.ok_or_else(|| Reason::new("no thread asked anything"))?;
    let stall = drive.stall.clone();
    Ok(Driven { windows: board.closed(threads), threads, seen, ended, stall })
}

/// The server has gone: with what a thread was told of its end, which for a server of ours is how it ended and its last words.
fn died(told: Option<Reason>) -> Reason {
    let (what, remedy) = told.map_or((None, None), |told| (Some(told.why), told.remedy));
    Reason::mended_by(
        match what {
            Some(what) => format!("the database server died while it was measured: {what}"),
            None => "the database server died while it was measured".into(),
        },
        remedy.unwrap_or_else(|| {
            "look at its error log; the kernel's log says whether it ran out of memory (dmesg)"
                .into()
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_died_is_told_with_how_it_ended() {
        let plain = died(None);
        assert!(plain.why.ends_with("measured") && plain.remedy.is_some());
        let told = died(Some(Reason::new("the server was killed by signal 11: mariadbd")));
        assert!(told.why.ends_with("measured: the server was killed by signal 11: mariadbd"));
        assert_eq!(told.remedy, plain.remedy);
        let told = died(Some(Reason::mended_by("killed by signal 9", "dmesg | grep -i oom")));
        assert_eq!(told.remedy.as_deref(), Some("dmesg | grep -i oom"));
    }
}
