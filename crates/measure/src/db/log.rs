//! What a thread that asks a database notes: how many events, how long each took, and what it used, window after window. The
//! load never stops: whoever crosses the end of a window closes it for itself.
use hdrhistogram::Histogram;
use host::{
    clock::{Clock, thread_cpu_time},
    counters::{Counting, Event, Mode, ThisThread},
    usage,
};
use record::Reason;
use stats::Sample;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
};

/// The longest latency that is told apart, in nanoseconds: a minute.
const LONGEST: u64 = 60_000_000_000;
/// Significant digits of a latency.
const DIGITS: u8 = 3;

/// When windows begin and end: `warm` seconds after the start, then each so many seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Windows {
    pub(crate) warm: f64,
    pub(crate) seconds: f64,
    pub(crate) count: usize,
    /// So many there may be while their events vary by more than `spread`.
    pub(crate) most: usize,
    pub(crate) spread: f64,
}

impl Windows {
    /// So many, however they vary.
    #[cfg(test)]
    pub(crate) fn fixed(warm: f64, seconds: f64, count: usize) -> Windows {
        Windows { warm, seconds, count, most: count, spread: f64::INFINITY }
    }
}

/// What all threads did in one window.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    /// Events by kind.
    pub(crate) events: Vec<u64>,
    /// Nanoseconds that they took, by kind.
    pub(crate) took: Vec<Histogram<u32>>,
    /// Seconds of CPU that the threads used, all and in the kernel.
    pub(crate) cpu: f64,
    pub(crate) switches: u64,
    /// Cycles and instructions of them, and cycles in which they waited.
    pub(crate) counted: [u64; 2],
    pub(crate) stalled: u64,
    /// Threads that closed it, and those of them that counted.
    pub(crate) threads: usize,
    pub(crate) counting: usize,
    pub(crate) stalling: usize,
    /// Whether only user mode might be counted.
    pub(crate) user_only: bool,
}

/// A histogram for latencies of this kind.
fn histogram(least: u64) -> Result<Histogram<u32>, Reason> {
    Histogram::new_with_bounds(least.max(1), LONGEST, DIGITS)
        .map_err(|e| Reason::new(format!("a histogram cannot be made: {e}")))
}

impl Window {
    fn new(kinds: usize, least: u64) -> Result<Window, Reason> {
        let took = (0..kinds).map(|_| histogram(least)).collect::<Result<_, _>>()?;
        Ok(Window {
            events: vec![0; kinds],
            took,
            cpu: 0.0,
            switches: 0,
            counted: [0; 2],
            stalled: 0,
            threads: 0,
            counting: 0,
            stalling: 0,
            user_only: false,
        })
    }
}

/// The windows that all threads add to.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) windows: Windows,
    kinds: usize,
    least: u64,
    all: Vec<Mutex<Window>>,
    /// Windows there will be, as far as is known.
    last: AtomicUsize,
    /// What else each thread counts: cycles in which it waits, if the processor counts these.
    stall: Option<Event>,
    /// A thread failed, or the user stops: nobody goes on.
    pub(crate) over: AtomicBool,
}

impl Board {
    /// `least` is the shortest latency in nanoseconds that is told from shorter ones.
    pub(crate) fn new(windows: Windows, kinds: usize, least: u64) -> Result<Board, Reason> {
        let one = || Window::new(kinds, least).map(Mutex::new);
        let all = (0..windows.count.max(windows.most)).map(|_| one()).collect::<Result<_, _>>()?;
        let (last, over) = (AtomicUsize::new(windows.count), AtomicBool::new(false));
        Ok(Board { windows, kinds, least, all, last, stall: None, over })
    }
    /// Windows there will be, as far as is known: one more may be added until the last begins.
    pub(crate) fn last(&self) -> usize {
        self.last.load(Relaxed)
    }
    /// Adds a window, where those that so many threads have closed vary by more than is wanted. It is for one thread to ask, when
    /// the last begins.
    pub(crate) fn extend(&self, threads: usize) {
        let last = self.last();
        let events = |window: &Mutex<Window>| {
            let window = window.lock().unwrap_or_else(|e| e.into_inner());
            (window.threads == threads).then(|| window.events.iter().sum::<u64>() as f64)
        };
        let events: Vec<f64> = self.all.iter().take(last).filter_map(events).collect();
        let cv = Sample::new(&events).and_then(|sample| sample.cv());
        if last < self.windows.most && cv.is_some_and(|cv| cv > self.windows.spread) {
            self.last.store(last + 1, Relaxed);
        }
    }
    /// Threads count this, too.
    pub(crate) fn counting(self, stall: Option<Event>) -> Board {
        Board { stall, ..self }
    }
    /// The windows that so many threads have closed.
    pub(crate) fn closed(self, threads: usize) -> Vec<Window> {
        let all = self.all.into_iter().map(|w| w.into_inner().unwrap_or_else(|e| e.into_inner()));
        all.filter(|w| w.threads == threads).collect()
    }
}

/// What the thread has used so far.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    cpu: f64,
    switches: u64,
    counted: Option<[u64; 2]>,
    stalled: Option<u64>,
    user_only: bool,
}

/// What is counted: cycles and instructions, and by a group of its own, which may be refused, cycles of waiting.
pub(crate) fn groups(stall: Option<&Event>) -> Vec<Vec<Event>> {
    let pair = vec![Event::cycles(), Event::instructions()];
    [pair].into_iter().chain(stall.map(|event| vec![event.clone()])).collect()
}

/// One thread's notes.
#[allow(missing_debug_implementations, reason = "it borrows a clock")]
pub(crate) struct Log<'a> {
    clock: &'a (dyn Clock + Sync),
    board: &'a Board,
    cancel: &'a AtomicBool,
    start: f64,
    /// When the window ends, or the warm-up.
    edge: f64,
    /// Windows that are closed; nothing in the warm-up.
    window: Option<usize>,
    over: bool,
    own: Window,
    counting: Option<Counting<ThisThread>>,
    before: Used,
}

impl<'a> Log<'a> {
    pub(crate) fn new(
        clock: &'a (dyn Clock + Sync),
        board: &'a Board,
        cancel: &'a AtomicBool,
    ) -> Result<Log<'a>, Reason> {
        let groups = groups(board.stall.as_ref());
        let counting = Counting::open(ThisThread::new(), &groups, Mode::All);
        let counting = Some(counting).filter(|c| c.refused().is_none());
        let own = Window::new(board.kinds, board.least)?;
        let before = Used::default();
        Ok(Log {
            clock,
            board,
            cancel,
            start: 0.0,
            edge: 0.0,
            window: None,
            over: false,
            own,
            counting,
            before,
        })
    }
    /// All threads begin.
    pub(crate) fn begin(&mut self, start: f64) {
        self.start = start;
        self.edge = start + self.board.windows.warm;
        if self.counting.as_mut().is_some_and(|c| c.start().is_err()) {
            self.counting = None;
        }
    }
    /// Now.
    pub(crate) fn now(&self) -> f64 {
        self.clock.now()
    }
    /// Whether the last window is closed, or all shall stop: at once, for a window may be long.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over || self.cancel.load(Relaxed) || self.board.over.load(Relaxed)
    }
    /// An event of this kind has ended, which began then: the time, at which the next may begin.
    #[inline]
    pub(crate) fn ended(&mut self, kind: usize, began: f64) -> f64 {
        let now = self.clock.now();
        if now >= self.edge {
            self.roll(now);
        }
        if self.window.is_some() {
            self.own.events[kind] += 1;
            self.own.took[kind].saturating_record(((now - began) * 1e9) as u64);
        }
        now
    }

    /// No event has ended, or something that is none: the time.
    pub(crate) fn given_up(&mut self) -> f64 {
        let now = self.clock.now();
        if now >= self.edge {
            self.roll(now);
        }
        now
    }

    /// Closes what has ended by now. An event counts where it ends.
    fn roll(&mut self, now: f64) {
        while now >= self.edge && !self.over {
            let next = match self.window {
                None => 0,
                Some(window) => {
                    self.close(window);
                    window + 1
                }
            };
            if self.window.is_none() {
                self.before = self.used();
            }
            self.window = Some(next);
            self.edge += self.board.windows.seconds;
            let stop = self.cancel.load(Relaxed) || self.board.over.load(Relaxed);
            if next >= self.board.last() || stop {
                self.over = true;
                self.window = None;
            }
        }
    }

    fn close(&mut self, window: usize) {
        let used = self.used();
        let own = &mut self.own;
        {
            let mut all = self.board.all[window].lock().unwrap_or_else(|e| e.into_inner());
            for (sum, events) in all.events.iter_mut().zip(&own.events) {
                *sum += events;
            }
            for (sum, took) in all.took.iter_mut().zip(&own.took) {
                // They have the same bounds, so that it cannot fail.
                _ = sum.add(took);
            }
            all.cpu += used.cpu - self.before.cpu;
            all.switches += used.switches.saturating_sub(self.before.switches);
            all.threads += 1;
            if let (Some(now), Some(then)) = (used.counted, self.before.counted) {
                all.counting += 1;
                all.user_only |= used.user_only;
                for ((sum, now), then) in all.counted.iter_mut().zip(now).zip(then) {
                    *sum += now.saturating_sub(then);
                }
            }
            if let (Some(now), Some(then)) = (used.stalled, self.before.stalled) {
                all.stalling += 1;
                all.stalled += now.saturating_sub(then);
            }
        }
        own.events.fill(0);
        own.took.iter_mut().for_each(Histogram::reset);
        self.before = used;
    }

    fn used(&self) -> Used {
        let usage = usage::thread();
        let counts = self.counting.as_ref().map(|counting| counting.counts());
        let value = |name: &str| counts.as_ref()?.get(name).map(|count| count.scaled());
        let counted = value("cycles").zip(value("instructions")).map(|(c, i)| [c, i]);
        let stalled = self.board.stall.as_ref().and_then(|event| value(&event.name));
        let switches = usage.ctx_voluntary + usage.ctx_involuntary;
        let user_only = counts.as_ref().is_some_and(|counts| counts.mode == Mode::User);
        Used { cpu: thread_cpu_time(), switches, counted, stalled, user_only }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    /// Each reading is a step later.
    struct Steps(AtomicU64, f64);
    impl Clock for Steps {
        fn now(&self) -> f64 {
            self.0.fetch_add(1, Relaxed) as f64 * self.1
        }
        fn resolution(&self) -> f64 {
            self.1
        }
    }

    #[test]
    fn every_event_is_in_the_window_in_which_it_ended() {
        let windows = Windows::fixed(1.0, 0.5, 4);
        let board = Board::new(windows, 2, 1).unwrap();
        let (clock, cancel) = (Steps(AtomicU64::new(0), 0.01), AtomicBool::new(false));
        let mut log = Log::new(&clock, &board, &cancel).unwrap();
        let mut now = log.now();
        log.begin(now);
        let mut events = 0;
        while !log.is_over() {
            now = log.ended(events % 2, now);
            events += 1;
        }
        let all = board.closed(1);
        assert_eq!(all.len(), 4);
        let counts: Vec<u64> = all.iter().map(|w| w.events.iter().sum()).collect();
        assert!(counts.iter().all(|n| (49..=51).contains(n)), "{counts:?}");
        assert!(events >= 300, "a hundred more in the warm-up, which are in no window");
        for (window, kind) in all.iter().flat_map(|w| (0..2).map(move |k| (w, k))) {
            assert_eq!(window.took[kind].len(), window.events[kind]);
            let median = window.took[kind].value_at_quantile(0.5) as f64 * 1e-9;
            assert!((median - 0.01).abs() < 1e-4, "{median}");
        }
    }

    #[test]
    fn windows_that_vary_are_followed_by_more_of_them() {
        let windows = Windows { most: 4, spread: 0.02, ..Windows::fixed(0.0, 1.0, 2) };
        let with = |events: [u64; 2], threads: usize| {
            let board = Board::new(windows, 1, 1).unwrap();
            for (window, events) in board.all.iter().zip(events) {
                let mut window = window.lock().unwrap();
                (window.events[0], window.threads) = (events, 3);
            }
            [(); 3].map(|()| {
                board.extend(threads);
                board.last()
            })
        };
        assert_eq!(with([100, 110], 3), [3, 4, 4], "up to so many");
        assert_eq!(with([100, 101], 3), [2, 2, 2], "they hardly vary");
        assert_eq!(with([100, 110], 4), [2, 2, 2], "one of them is still open");
    }

    #[test]
    fn a_stall_leaves_windows_empty_and_an_interrupt_ends_them() {
        let windows = Windows::fixed(0.0, 1.0, 5);
        let board = Board::new(windows, 1, 1).unwrap();
        let (clock, cancel) = (Steps(AtomicU64::new(0), 2.5), AtomicBool::new(false));
        let mut log = Log::new(&clock, &board, &cancel).unwrap();
        let mut now = log.now();
        log.begin(now);
        while !log.is_over() {
            now = log.ended(0, now);
        }
        let counts: Vec<u64> = board.closed(1).iter().map(|w| w.events[0]).collect();
        assert_eq!(
            counts,
            [0, 0, 1, 0, 0],
            "5 seconds of events that take 2.5 each: the second is after the last window"
        );
        let board = Board::new(windows, 1, 1).unwrap();
        cancel.store(true, Relaxed);
        let mut log = Log::new(&clock, &board, &cancel).unwrap();
        log.begin(log.now());
        log.ended(0, 0.0);
        assert!(log.is_over());
        assert!(board.closed(1).is_empty());
    }

    #[test]
    fn whoever_shall_stop_does_so_within_a_window() {
        let windows = Windows::fixed(1e6, 1e6, 1);
        let (clock, cancel) = (Steps(AtomicU64::new(0), 1.0), AtomicBool::new(false));
        for by_user in [true, false] {
            let board = Board::new(windows, 1, 1).unwrap();
            let mut log = Log::new(&clock, &board, &cancel).unwrap();
            log.begin(log.now());
            log.ended(0, 0.0);
            assert!(!log.is_over());
            let told = if by_user { &cancel } else { &board.over };
            told.store(true, Relaxed);
            assert!(log.is_over());
            told.store(false, Relaxed);
        }
    }
}
