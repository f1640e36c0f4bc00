//! Counts by interval, as `perf stat -I` prints them: the counters are read while the command runs.
//! Source: perf-stat(1), --interval-print.
use super::Request;
use host::{
    clock::{self, Clock},
    counters::{Counting, Scope},
};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// The longest sleep, so that the end of a command is seen at once.
const LOOK: Duration = Duration::from_millis(5);

/// Counts between two readings.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    /// Seconds since counting began, of its begin.
    pub from: f64,
    /// Seconds since the start at which it ends.
    pub to: f64,
    /// Counts by event, scaled where counters were shared; events that cannot be counted are missing.
    pub counts: BTreeMap<String, f64>,
}

/// Reads the counters, which began at zero when the clock read `began`, at every interval until the command is over; the last
/// interval may be shorter.
pub(super) fn read<S: Scope + Clone>(
    counting: &Counting<S>,
    (request, clock, began): (&Request, &dyn Clock, f64),
    over: &AtomicBool,
    seen: &dyn Fn(Interval),
) {
    let Some(every) = request.every else { return };
    let (mut from, mut before) = (0.0, BTreeMap::new());
    loop {
        let due = from + every;
        let mut ended = over.load(Ordering::Acquire);
        let mut to = clock.now() - began;
        while !ended && to < due {
            clock::sleep(LOOK.min(Duration::from_secs_f64(due - to)));
            ended = over.load(Ordering::Acquire);
            to = clock.now() - began;
        }
        let now = totals(counting);
        // A scaled count is an estimate and may fall.
        let since = |(name, count): (&String, &f64)| {
            let more = count - before.get(name).copied().unwrap_or(0.0);
            (name.clone(), more.max(0.0))
        };
        seen(Interval { from, to, counts: now.iter().map(since).collect() });
        if ended {
            return;
        }
        (from, before) = (to, now);
    }
}

fn totals<S: Scope + Clone>(counting: &Counting<S>) -> BTreeMap<String, f64> {
    let events = counting.counts().events.into_iter();
    events.filter_map(|(event, count)| Some((event.name, count.ok()?.scaled() as f64))).collect()
}
