//! What happens beside the threads that ask: a server's CPU time, switches and counters at the end of every window, and what
//! the machine did meanwhile. A thread of its own, which sleeps but for these moments.
use super::log::{Board, groups};
use database::engine::{Running, Works};
use host::{
    clock::Clock,
    counters::{Counting, Event, Mode, Process},
    usage::{self, CpuTimes},
};
use record::{CpuSet, Unit};
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// Seconds of a sleep: short enough to see an end in time, and so long that nobody's CPU is taken often.
const SHORTEST: f64 = 2e-3;
const LONGEST: f64 = 0.1;
/// Seconds before the first window at which an engine is asked what it has counted: its answer costs it time.
const AHEAD: f64 = 20e-3;
/// Share of the last window in which another may be added.
const IN_TIME: f64 = 0.5;

/// A server's totals at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moment {
    /// When it was looked at.
    pub(crate) at: f64,
    /// Seconds of CPU.
    pub(crate) cpu: f64,
    pub(crate) switches: u64,
    /// Cycles and instructions, where they may be counted, and cycles of waiting.
    pub(crate) counted: Option<[u64; 2]>,
    pub(crate) stalled: Option<u64>,
    /// Whether only user mode might be counted.
    pub(crate) user_only: bool,
}

/// What was seen, from the begin of the first window to the end of the last.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The server at the begin of the first window and at the end of each; nothing of an engine in our own threads.
    pub(crate) server: Vec<Moment>,
    /// Share of the CPUs' time that was spent by nobody's fault but others'.
    pub(crate) busy: Option<f64>,
    pub(crate) steal: Option<f64>,
    /// Times that one of the CPUs was throttled for heat.
    pub(crate) throttled: Option<u64>,
    /// The busiest of the clients' CPUs.
    pub(crate) client_busiest: Option<f64>,
    /// Seconds between the two looks at the machine.
    pub(crate) seconds: f64,
    /// What the engine counted of itself.
    pub(crate) counts: Vec<(&'static str, Unit, f64)>,
    /// The server has gone.
    pub(crate) gone: bool,
    /// The server works where it cannot be seen.
    pub(crate) elsewhere: bool,
}

/// The CPUs that take part.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    pub(crate) server: CpuSet,
    pub(crate) clients: CpuSet,
}

/// Looks on until the last window ends or the board says that it is over; adds windows while those of so many threads vary.
/// `start` is when all threads began.
pub(crate) fn observe(
    clock: &dyn Clock,
    running: &[Box<dyn Running>],
    (board, threads): (&Board, usize),
    (parts, stall): (&Parts, Option<&Event>),
    start: &OnceLock<f64>,
) -> Seen {
    let (windows, over) = (board.windows, &board.over);
    let elsewhere = running.iter().any(|one| one.works() == Works::Elsewhere);
    let mut seen = Seen { elsewhere, ..Seen::default() };
    let Some(start) = wait_for(over, || start.get().copied().ok_or(0.0)) else { return seen };
    let process = |one: &dyn Running| match one.works() {
        Works::InProcess(pid) => Some(pid),
        Works::InCaller | Works::Elsewhere => None,
    };
    // All of them or none: what cannot be seen of one is not known of all.
    let pids: Vec<u32> =
        running.iter().map(|one| process(&**one)).collect::<Option<_>>().unwrap_or_default();
    let counting: Vec<Counting<Process>> =
        pids.iter().filter_map(|pid| counting(*pid, stall)).collect();
    let (mut first, mut counts) = (None, vec![]);
    let everywhere: CpuSet = parts.server.iter().chain(parts.clients.iter()).collect();
    let throttles = || usage::throttles(&everywhere);
    let mut cool = None;
    let due = |when: f64| {
        let left = when - clock.now();
        if left > 0.0 { Err(left) } else { Ok(()) }
    };
    let mut next = 0..;
    while let Some(edge) = next.next().filter(|edge| *edge <= board.last()) {
        let when = start + windows.warm + windows.seconds * edge as f64;
        if edge == 0 {
            if wait_for(over, || due(when - AHEAD)).is_none() {
                return seen;
            }
            counts = all_counts(running);
            cool = throttles();
        }
        if wait_for(over, || due(when)).is_none() {
            return seen;
        }
        if !pids.is_empty() {
            match moment(clock, &pids, (&counting, stall)) {
                Some(moment) => seen.server.push(moment),
                None => {
                    seen.gone = true;
                    over.store(true, Relaxed);
                    return seen;
                }
            }
        }
        // Whoever comes late would find that some threads have gone.
        if edge + 1 == board.last() && clock.now() < when + windows.seconds * IN_TIME {
            board.extend(threads);
        }
        if edge == 0 {
            first = usage::cpu_times().map(|times| (clock.now(), times));
        }
    }
    if let (Some((then, before)), Some(after)) = (first, usage::cpu_times()) {
        seen.machine(clock.now() - then, &before, &after, parts);
    }
    seen.throttled = throttles().zip(cool).map(|(now, then)| now.saturating_sub(then));
    // What was not known before tells nothing of the time between.
    let since = |name: &str| counts.iter().find(|(n, ..)| *n == name).map(|c| c.2);
    let after = all_counts(running).into_iter();
    seen.counts =
        after.filter_map(|(name, unit, x)| Some((name, unit, x - since(name)?))).collect();
    seen
}

/// A process's cycles and instructions from now on, where they may be counted, and its cycles of waiting.
fn counting(pid: u32, stall: Option<&Event>) -> Option<Counting<Process>> {
    let mut counting = Counting::open(Process { pid }, &groups(stall), Mode::All);
    (counting.refused().is_none() && counting.start().is_ok()).then_some(counting)
}

/// The totals of these processes; nothing if one has gone.
fn moment(
    clock: &dyn Clock,
    pids: &[u32],
    (counting, stall): (&[Counting<Process>], Option<&Event>),
) -> Option<Moment> {
    let mut all = Moment { at: clock.now(), ..Moment::default() };
    for pid in pids {
        let used = usage::process_usage(*pid)?;
        all.cpu += used.cpu_seconds;
        all.switches += used.ctx_voluntary + used.ctx_involuntary;
    }
    if counting.len() == pids.len() {
        let counts: Vec<_> = counting.iter().map(|one| one.counts()).collect();
        let sum = |name: &str| -> Option<u64> {
            counts.iter().map(|counts| counts.get(name).map(|count| count.scaled())).sum()
        };
        all.counted = sum("cycles").zip(sum("instructions")).map(|(c, i)| [c, i]);
        all.stalled = stall.and_then(|event| sum(&event.name));
        all.user_only = counts.iter().any(|counts| counts.mode == Mode::User);
    }
    Some(all)
}

/// What all instances have counted of themselves.
fn all_counts(running: &[Box<dyn Running>]) -> Vec<(&'static str, Unit, f64)> {
    let mut sums: Vec<(&'static str, Unit, f64)> = vec![];
    for (name, unit, value) in running.iter().flat_map(|one| one.counts()) {
        match sums.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., sum)) => *sum += value,
            None => sums.push((name, unit, value)),
        }
    }
    sums
}

/// Sleeps until `ready` has something and does not tell how many seconds are left; nothing if `over` is set before.
fn wait_for<T>(over: &AtomicBool, ready: impl Fn() -> Result<T, f64>) -> Option<T> {
    loop {
        let left = match ready() {
            Ok(found) => return Some(found),
            Err(left) => left,
        };
        if over.load(Relaxed) {
            return None;
        }
        thread::sleep(Duration::from_secs_f64(left.clamp(SHORTEST, LONGEST)));
    }
}

impl Seen {
    fn machine(&mut self, seconds: f64, before: &CpuTimes, after: &CpuTimes, parts: &Parts) {
        self.seconds = seconds;
        let (mut busy, mut stolen, mut count) = (0.0, 0.0, 0);
        for cpu in
            parts.server.iter().chain(parts.clients.iter().filter(|c| !parts.server.contains(*c)))
        {
            let (Some(then), Some(now)) = (before.per_cpu.get(&cpu), after.per_cpu.get(&cpu))
            else {
                continue;
            };
            let used = now.busy - then.busy;
            busy += used;
            stolen += now.steal - then.steal;
            count += 1;
            if parts.clients.contains(cpu) && !parts.server.contains(cpu) {
                let share = used / seconds.max(1e-9);
                self.client_busiest =
                    Some(self.client_busiest.map_or(share, |most| share.max(most)));
            }
        }
        if count > 0 && seconds > 0.0 {
            self.busy = Some(busy);
            self.steal = Some(stolen / seconds / f64::from(count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::log::{Log, Windows};
    use database::{
        engine::{Dialect, Identity},
        session::{Error, Session},
    };
    use host::clock::Monotonic;
    use record::Reason;
    use std::sync::atomic::AtomicUsize;

    /// An engine that counts pages, once it has been asked so often in vain.
    struct Counts {
        works: Works,
        in_vain: usize,
        asked: AtomicUsize,
    }
    impl Running for Counts {
        fn identity(&self) -> Identity {
            Identity::default()
        }
        fn dialect(&self) -> Dialect {
            Dialect::Mysql
        }
        fn works(&self) -> Works {
            self.works
        }
        fn loaders(&self) -> usize {
            1
        }
        fn loader(&self, _: usize) -> Result<Box<dyn Session>, Error> {
            panic!("nobody loads")
        }
        fn session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
            panic!("nobody asks")
        }
        fn counts(&self) -> Vec<(&'static str, Unit, f64)> {
            let times = self.asked.fetch_add(1, Relaxed);
            let pages = ("disk_reads", Unit::Count, 1e6 + times as f64);
            if times < self.in_vain { vec![] } else { vec![pages] }
        }
        fn close(self: Box<Self>) -> Result<(), Reason> {
            Ok(())
        }
    }

    fn seen(works: Works, in_vain: usize) -> Seen {
        let running: Vec<Box<dyn Running>> =
            vec![Box::new(Counts { works, in_vain, asked: AtomicUsize::new(0) })];
        let clock = Monotonic::new();
        let windows = Windows::fixed(0.0, 1e-3, 1);
        let parts = Parts { server: CpuSet::default(), clients: CpuSet::default() };
        let start = OnceLock::from(clock.now());
        let board = Board::new(windows, 1, 1).unwrap();
        observe(&clock, &running, (&board, 1), (&parts, None), &start)
    }

    #[test]
    fn counts_are_of_the_windows_or_of_nothing() {
        assert_eq!(seen(Works::InCaller, 0).counts, [("disk_reads", Unit::Count, 1.0)]);
        assert_eq!(seen(Works::InCaller, 1).counts, [], "a total is no difference");
    }

    #[test]
    fn windows_are_added_while_threads_go_on() {
        // Any variation is too much. An observer that comes late, which it may on a busy machine, adds none.
        let windows = Windows { most: 8, spread: -1.0, ..Windows::fixed(0.0, 0.05, 3) };
        let closed = || {
            let board = Board::new(windows, 1, 1).unwrap();
            let parts = Parts { server: CpuSet::default(), clients: CpuSet::default() };
            let (clock, cancel) = (Monotonic::new(), AtomicBool::new(false));
            let start = OnceLock::from(clock.now());
            thread::scope(|scope| {
                scope.spawn(|| observe(&clock, &[], (&board, 1), (&parts, None), &start));
                let mut log = Log::new(&clock, &board, &cancel).unwrap();
                log.begin(start.get().copied().unwrap());
                while !log.is_over() {
                    log.ended(0, log.now());
                }
            });
            board.closed(1).len()
        };
        let all: Vec<usize> = (0..5).map(|_| closed()).collect();
        assert!(all.iter().all(|n| (3..=8).contains(n)), "{all:?}");
        assert!(all.iter().any(|n| *n > 3), "{all:?}");
    }

    #[test]
    fn who_cannot_be_seen_is_said_to_be_elsewhere() {
        assert!(seen(Works::Elsewhere, 0).elsewhere);
        assert!(!seen(Works::InCaller, 0).elsewhere);
    }
}
