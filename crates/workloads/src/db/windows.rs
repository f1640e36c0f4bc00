//! Windows of a fixed time: the number of events, their latencies and their cost, per thread and summed over threads. The load never
//! stops: each thread closes a window when its event ends after the window's end.
use hdrhistogram::Histogram;
use host::{
    clock::{Clock, thread_cpu_time},
    counters::{Counting, Counts, Event, Mode, ThisThread},
    usage,
};
use record::Reason;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// The largest recorded latency in nanoseconds: a minute.
const MAX_LATENCY: u64 = 60_000_000_000;
/// Significant digits of a latency.
const DIGITS: u8 = 3;

/// The times of windows: `warm_up` seconds after the start, then `seconds` each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Windows {
    pub(crate) warm_up: f64,
    pub(crate) seconds: f64,
    pub(crate) count: usize,
}

/// The resource use of a thread or a process.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Usage {
    /// Seconds of CPU time.
    pub(crate) cpu: f64,
    pub(crate) switches: u64,
    /// Cycles and instructions, where they can be counted.
    pub(crate) counted: Option<[u64; 2]>,
    /// Stalled cycles, where the processor counts them.
    pub(crate) stalled: Option<u64>,
    /// Whether only user mode was counted.
    pub(crate) user_only: bool,
}

impl Usage {
    pub(crate) fn new<S>(
        cpu: f64,
        switches: u64,
        counts: Option<&Counts<S>>,
        stall: Option<&Event>,
    ) -> Usage {
        let value = |name: &str| counts?.get(name).map(|count| count.scaled());
        Usage {
            cpu,
            switches,
            counted: value("cycles").zip(value("instructions")).map(|(c, i)| [c, i]),
            stalled: stall.and_then(|event| value(&event.name)),
            user_only: counts.is_some_and(|counts| counts.mode == Mode::User),
        }
    }
    /// The difference to an earlier moment.
    pub(crate) fn since(&self, before: &Usage) -> Usage {
        let pair =
            |(now, then): ([u64; 2], [u64; 2])| [0, 1].map(|i| now[i].saturating_sub(then[i]));
        let stalled = self.stalled.zip(before.stalled);
        Usage {
            cpu: self.cpu - before.cpu,
            switches: self.switches.saturating_sub(before.switches),
            counted: self.counted.zip(before.counted).map(pair),
            stalled: stalled.map(|(now, then)| now.saturating_sub(then)),
            user_only: self.user_only,
        }
    }
    /// The sum; it has counts only if both have.
    pub(crate) fn plus(&self, other: &Usage) -> Usage {
        Usage {
            cpu: self.cpu + other.cpu,
            switches: self.switches + other.switches,
            counted: self.counted.zip(other.counted).map(|(a, b)| [a[0] + b[0], a[1] + b[1]]),
            stalled: self.stalled.zip(other.stalled).map(|(a, b)| a + b),
            user_only: self.user_only || other.user_only,
        }
    }
}

/// The events of a window.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    /// Number of events by type.
    pub(crate) events: Vec<u64>,
    /// Latencies in nanoseconds by type.
    pub(crate) latencies: Vec<Histogram<u32>>,
    /// The resource use of all threads.
    pub(crate) usage: Option<Usage>,
    /// Threads that closed it.
    pub(crate) threads: usize,
}

impl Window {
    fn new(types: usize, min_latency: u64) -> Result<Window, Reason> {
        let histogram = || Histogram::new_with_bounds(min_latency.max(1), MAX_LATENCY, DIGITS);
        let latencies = (0..types).map(|_| histogram()).collect::<Result<_, _>>();
        let latencies =
            latencies.map_err(|e| Reason::new(format!("a histogram cannot be made: {e}")))?;
        Ok(Window { events: vec![0; types], latencies, usage: None, threads: 0 })
    }
}

/// The windows that all threads add to.
#[derive(Debug)]
pub(crate) struct SharedWindows {
    pub(crate) windows: Windows,
    types: usize,
    min_latency: u64,
    all: Vec<Mutex<Window>>,
    /// The event of stalled cycles.
    stall: Option<Event>,
    /// A thread failed, or the user interrupted: all stop.
    pub(crate) over: AtomicBool,
}

fn lock(window: &Mutex<Window>) -> MutexGuard<'_, Window> {
    window.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedWindows {
    /// For this number of event types; latencies below `min_latency` nanoseconds are not distinguished.
    pub(crate) fn new(
        windows: Windows,
        types: usize,
        min_latency: u64,
        stall: Option<Event>,
    ) -> Result<SharedWindows, Reason> {
        let new = || Window::new(types, min_latency).map(Mutex::new);
        let all = (0..windows.count).map(|_| new()).collect::<Result<_, _>>()?;
        Ok(SharedWindows { windows, types, min_latency, all, stall, over: AtomicBool::new(false) })
    }
    /// The windows that this number of threads closed.
    pub(crate) fn closed(self, threads: usize) -> Vec<Window> {
        let all =
            self.all.into_iter().map(|w| w.into_inner().unwrap_or_else(PoisonError::into_inner));
        all.filter(|w| w.threads == threads).collect()
    }
}

/// The counted events: cycles and instructions, and stalled cycles in a group of their own, which may be refused.
pub(crate) fn counter_groups(stall: Option<&Event>) -> Vec<Vec<Event>> {
    let pair = vec![Event::cycles(), Event::instructions()];
    [pair].into_iter().chain(stall.map(|event| vec![event.clone()])).collect()
}

/// Records the events of one thread.
#[allow(missing_debug_implementations, reason = "it borrows a clock")]
pub(crate) struct WindowRecorder<'a> {
    clock: &'a (dyn Clock + Sync),
    shared: &'a SharedWindows,
    cancel: &'a AtomicBool,
    /// When the current window, or the warm-up, ends.
    window_end: f64,
    /// Index of the current window; `None` in the warm-up and after the last one.
    window: Option<usize>,
    over: bool,
    own: Window,
    counting: Option<Counting<ThisThread>>,
    before: Usage,
}

impl<'a> WindowRecorder<'a> {
    pub(crate) fn new(
        clock: &'a (dyn Clock + Sync),
        shared: &'a SharedWindows,
        cancel: &'a AtomicBool,
    ) -> Result<WindowRecorder<'a>, Reason> {
        let groups = counter_groups(shared.stall.as_ref());
        let counting = Counting::open(ThisThread::new(), &groups, Mode::All);
        Ok(WindowRecorder {
            clock,
            shared,
            cancel,
            window_end: 0.0,
            window: None,
            over: false,
            own: Window::new(shared.types, shared.min_latency)?,
            counting: Some(counting).filter(|c| c.refused().is_none()),
            before: Usage::default(),
        })
    }
    /// All threads begin at this time.
    pub(crate) fn begin(&mut self, start: f64) {
        self.window_end = start + self.shared.windows.warm_up;
        if self.counting.as_mut().is_some_and(|c| c.start().is_err()) {
            self.counting = None;
        }
    }
    pub(crate) fn now(&self) -> f64 {
        self.clock.now()
    }
    /// Whether the last window is closed, or all threads stop.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over || self.must_stop()
    }
    fn must_stop(&self) -> bool {
        self.cancel.load(Relaxed) || self.shared.over.load(Relaxed)
    }
    /// Records an event that began at this time; returns the time, at which the next one begins.
    #[inline]
    pub(crate) fn event(&mut self, event_type: usize, began: f64) -> f64 {
        let now = self.no_event();
        if self.window.is_some() {
            self.own.events[event_type] += 1;
            self.own.latencies[event_type].saturating_record(((now - began) * 1e9) as u64);
        }
        now
    }
    /// Closes windows that have ended, without an event; returns the time.
    #[inline]
    pub(crate) fn no_event(&mut self) -> f64 {
        let now = self.clock.now();
        if now >= self.window_end {
            self.close_ended(now);
        }
        now
    }

    /// An event counts in the window in which it ends.
    fn close_ended(&mut self, now: f64) {
        while now >= self.window_end && !self.over {
            let next = match self.window {
                None => {
                    self.before = self.used();
                    0
                }
                Some(window) => {
                    self.close(window);
                    window + 1
                }
            };
            self.window = Some(next);
            self.window_end += self.shared.windows.seconds;
            if next >= self.shared.windows.count || self.must_stop() {
                self.over = true;
                self.window = None;
            }
        }
    }

    fn close(&mut self, window: usize) {
        let used = self.used();
        let own = &mut self.own;
        {
            let mut all = lock(&self.shared.all[window]);
            all.events.iter_mut().zip(&own.events).for_each(|(sum, events)| *sum += events);
            for (sum, latencies) in all.latencies.iter_mut().zip(&own.latencies) {
                // Equal bounds: it cannot fail.
                _ = sum.add(latencies);
            }
            let usage = used.since(&self.before);
            all.usage = Some(all.usage.map_or(usage, |sum| sum.plus(&usage)));
            all.threads += 1;
        }
        own.events.fill(0);
        own.latencies.iter_mut().for_each(Histogram::reset);
        self.before = used;
    }

    fn used(&self) -> Usage {
        let usage = usage::thread();
        let counts = self.counting.as_ref().map(|counting| counting.counts());
        let switches = usage.ctx_voluntary + usage.ctx_involuntary;
        Usage::new(thread_cpu_time(), switches, counts.as_ref(), self.shared.stall.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    /// A clock that advances by a step at each reading.
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
        let windows = Windows { warm_up: 1.0, seconds: 0.5, count: 4 };
        let shared = SharedWindows::new(windows, 2, 1, None).unwrap();
        let (clock, cancel) = (Steps(AtomicU64::new(0), 0.01), AtomicBool::new(false));
        let mut recorder = WindowRecorder::new(&clock, &shared, &cancel).unwrap();
        let mut now = recorder.now();
        recorder.begin(now);
        let mut events = 0;
        while !recorder.is_over() {
            now = recorder.event(events % 2, now);
            events += 1;
        }
        let all = shared.closed(1);
        assert_eq!(all.len(), 4);
        let counts: Vec<u64> = all.iter().map(|w| w.events.iter().sum()).collect();
        assert!(counts.iter().all(|n| (49..=51).contains(n)), "{counts:?}");
        assert!(events >= 300, "a hundred more in the warm-up, which are in no window");
        for (window, kind) in all.iter().flat_map(|w| (0..2).map(move |k| (w, k))) {
            assert_eq!(window.latencies[kind].len(), window.events[kind]);
            let median = window.latencies[kind].value_at_quantile(0.5) as f64 * 1e-9;
            assert!((median - 0.01).abs() < 1e-4, "{median}");
        }
    }

    #[test]
    fn a_pause_leaves_windows_empty_and_an_interrupt_ends_them() {
        let windows = Windows { warm_up: 0.0, seconds: 1.0, count: 5 };
        let shared = SharedWindows::new(windows, 1, 1, None).unwrap();
        let (clock, cancel) = (Steps(AtomicU64::new(0), 2.5), AtomicBool::new(false));
        let mut recorder = WindowRecorder::new(&clock, &shared, &cancel).unwrap();
        let mut now = recorder.now();
        recorder.begin(now);
        while !recorder.is_over() {
            now = recorder.event(0, now);
        }
        let counts: Vec<u64> = shared.closed(1).iter().map(|w| w.events[0]).collect();
        assert_eq!(
            counts,
            [0, 0, 1, 0, 0],
            "5 seconds of events that take 2.5 each: the second is after the last window"
        );
        let shared = SharedWindows::new(windows, 1, 1, None).unwrap();
        cancel.store(true, Relaxed);
        let mut recorder = WindowRecorder::new(&clock, &shared, &cancel).unwrap();
        recorder.begin(recorder.now());
        recorder.event(0, 0.0);
        assert!(recorder.is_over());
        assert!(shared.closed(1).is_empty());
    }

    #[test]
    fn a_thread_stops_within_a_window() {
        let windows = Windows { warm_up: 1e6, seconds: 1e6, count: 1 };
        let (clock, cancel) = (Steps(AtomicU64::new(0), 1.0), AtomicBool::new(false));
        for by_user in [true, false] {
            let shared = SharedWindows::new(windows, 1, 1, None).unwrap();
            let mut recorder = WindowRecorder::new(&clock, &shared, &cancel).unwrap();
            recorder.begin(recorder.now());
            recorder.event(0, 0.0);
            assert!(!recorder.is_over());
            let stop = if by_user { &cancel } else { &shared.over };
            stop.store(true, Relaxed);
            assert!(recorder.is_over());
            stop.store(false, Relaxed);
        }
    }
}
