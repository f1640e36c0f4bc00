//! Detours: reads the clock in a loop, and the kernel's counters after every detour.
//!
//! Two calls after every detour read the thread's own switches and faults. The tables of interrupts are text for all CPUs and
//! take far longer, so at most a hundredth of the time is spent on them. A detour can be attributed if the tables were read
//! after the detour before it and right after it; detours of less than half a microsecond are not attributed. Where the thread
//! was preempted, `run_delay` of `/proc/thread-self/schedstat` (nanoseconds) says how long others ran. The watched time
//! includes none of these reads.
use super::{Counter, NoiseSettings, TURN};
use host::{
    accounts::{self, Quota, ThreadEvents},
    clock,
    interrupts::{Counts, KINDS, Tables},
    usage::{self, ThreadSchedstat},
};
use record::{Cause, Detour, Detours, Histogram, Reason, Sort};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Time is split into windows of this many seconds, or longer so that there are no more than [`WINDOWS`].
const WINDOW: f64 = 0.1;
const WINDOWS: f64 = 200.0;
/// The least detour that counts, in seconds, and how many times the shortest step of the counter: as hiccups and osjitter do.
const THRESHOLD: f64 = 100e-9;
const STEPS: f64 = 8.0;
/// Share of the time that reading tables may take, and seconds that it may take at first. It is time right after a detour, in which
/// what comes at intervals does not come, so that the share of such noise is found too large by as much.
const LOOKING: f64 = 0.01;
const AT_FIRST: f64 = 0.0005;
/// Detours shorter than this, in seconds, are not looked at: no interrupt comes and goes in less, and on some machines there are
/// thousands of them.
const SHORT: f64 = 500e-9;
/// The longest detours that are kept one by one.
const LARGEST: usize = 32;
/// Different sets of counters that moved; further ones are kept as one.
const MOST_CAUSES: usize = 64;
/// Buckets an octave of lengths: 4.4 % wide.
const PER_OCTAVE: u32 = 16;

/// Bits of a set of counters: kinds of interrupts first.
const SOFTIRQ: u32 = 1 << KINDS.len();
const SWITCH: u32 = SOFTIRQ << 1;
const QUOTA: u32 = SOFTIRQ << 2;
const MIGRATION: u32 = SOFTIRQ << 3;
const FAULT: u32 = SOFTIRQ << 4;
const SEVERAL: u32 = SOFTIRQ << 5;

/// The words of such a set.
fn words(moved: u32) -> Vec<String> {
    let others = [
        (SOFTIRQ, "softirq"),
        (SWITCH, "switch"),
        (QUOTA, "quota"),
        (MIGRATION, "migration"),
        (FAULT, "fault"),
        (SEVERAL, "several"),
    ];
    let hard = (0..KINDS.len()).map(|k| (1 << k, KINDS[k]));
    let all = hard.chain(others).filter(|(bit, _)| moved & bit != 0);
    all.map(|(_, word)| word.to_owned()).collect()
}

/// The result: the share of detours in each window, and the details.
pub(crate) struct WatchResult {
    pub(crate) lost: Vec<f64>,
    pub(crate) detours: Detours,
}

/// Counts of the CPU and the thread at one moment.
struct Totals {
    counters: BTreeMap<String, f64>,
    uncounted: BTreeMap<String, Reason>,
}

/// Changes since the last detour.
#[derive(Debug, Clone, Copy, Default)]
struct DetourChange {
    /// Whether interrupts were looked at for it.
    looked: bool,
    /// The counters that changed, as bits.
    moved: u32,
    /// Seconds of the detour that the thread waited for its CPU; nothing where nothing was switched or nobody knows.
    waited: Option<f64>,
}

struct DetourObserver {
    cpu: Option<u32>,
    tables: Option<Tables>,
    quota: Option<Quota>,
    /// Periods that the group was throttled in.
    throttled: u64,
    own: ThreadEvents,
    /// The thread's waiting for its CPU by the scheduler's account; nothing where it keeps none.
    queue: Option<ThreadSchedstat>,
    /// Seconds of it, as of `own`.
    waited: f64,
    /// The tables as they were when the last detour had ended; nothing if a detour went by unlooked since.
    before: Option<Counts>,
    /// Ticks that reading tables took.
    spent: u64,
}

impl DetourObserver {
    fn open(cpu: Option<u32>) -> DetourObserver {
        let quota = Quota::open();
        let throttled = quota.as_ref().map_or(0, |q| q.now().times);
        let tables = cpu.and_then(|_| Tables::open());
        let (own, queue) = (ThreadEvents::now(), ThreadSchedstat::open());
        DetourObserver {
            cpu,
            tables,
            quota,
            throttled,
            own,
            queue,
            waited: 0.0,
            before: None,
            spent: 0,
        }
    }
    /// Seconds that this thread has waited so far.
    fn waited(&self) -> Option<f64> {
        self.queue.as_ref().and_then(ThreadSchedstat::now).map(|queue| queue.waited)
    }
    fn look(&mut self) -> Option<Counts> {
        self.tables.as_mut()?.counts(self.cpu?)
    }
    /// Counts from now on.
    fn mark(&mut self) {
        self.before = self.look();
        self.waited = self.waited().unwrap_or(0.0);
        self.own = ThreadEvents::now();
    }
    /// Changes since the last detour ended.
    fn after(&mut self, seconds: f64, may_look: bool, counter: &Counter<'_>) -> DetourChange {
        let own = ThreadEvents::now();
        let (mut moved, mut waited) = (0, None);
        if own.switches != self.own.switches {
            moved |= SWITCH;
            waited = self.waited().map(|now| {
                let waited = now - self.waited;
                self.waited = now;
                waited.clamp(0.0, seconds)
            });
            let throttled = self.quota.as_ref().map_or(0, |q| q.now().times);
            if throttled != self.throttled {
                moved |= QUOTA;
            }
            self.throttled = throttled;
        }
        if own.cpu != self.own.cpu {
            moved |= MIGRATION;
        }
        if own.faults != self.own.faults {
            moved |= FAULT;
        }
        if seconds < SHORT && moved == 0 {
            self.own = own;
            return DetourChange::default();
        }
        let began = counter.now();
        // Reading before a detour is for nothing without reading after it.
        let now = if may_look || self.before.is_some() { self.look() } else { None };
        let looked = now.is_some() && self.before.is_some();
        if let (Some(now), Some(before)) = (&now, &self.before) {
            for (k, (now, before)) in now.hard.iter().zip(&before.hard).enumerate() {
                moved |= u32::from(now != before) << k;
            }
            if now.soft != before.soft {
                moved |= SOFTIRQ;
            }
        }
        self.before = now.filter(|_| may_look);
        self.spent += counter.now().saturating_sub(began);
        self.own = ThreadEvents::now();
        // Who was switched away from while it looked has waited outside of any detour.
        if self.own.switches != own.switches {
            self.waited = self.waited().unwrap_or(0.0);
        }
        DetourChange { looked, moved, waited }
    }
    /// Everything that is counted from beginning to end.
    fn totals(&mut self) -> Totals {
        let (mut counters, mut uncounted) = (BTreeMap::new(), BTreeMap::new());
        let own = usage::thread();
        let mut put = |name: &str, value: f64| {
            counters.insert(name.to_owned(), value);
        };
        put("switches.involuntary", own.ctx_involuntary as f64);
        put("switches.voluntary", own.ctx_voluntary as f64);
        put("faults", (own.minor_faults + own.major_faults) as f64);
        put("on_cpu", clock::thread_cpu_time());
        if let Some(quota) = &self.quota {
            let now = quota.now();
            put("quota.times", now.times as f64);
            put("quota.seconds", now.seconds);
        }
        if let Some(seconds) = accounts::pressure() {
            put("pressure.cpu", seconds);
        }
        let mut lacking = |name: &str, why: &str, remedy: &str| {
            uncounted.insert(name.to_owned(), Reason::mended_by(why, remedy));
        };
        match usage::thread_schedstat() {
            Some(queue) => put("waited", queue.waited),
            None => lacking(
                "waited",
                "no accounts of waiting for a CPU are kept or seen here, so preemption has all of each detour with a switch, interrupts around it included",
                "mount /proc, or a kernel with CONFIG_SCHED_INFO",
            ),
        }
        let Some(cpu) = self.cpu else { return Totals { counters, uncounted } };
        match usage::cpu_times().and_then(|times| times.per_cpu.get(&cpu).copied()) {
            Some(times) => {
                put("stat.irq", times.irq);
                put("stat.softirq", times.softirq);
                put("stat.steal", times.steal);
            }
            None => {
                lacking("stat", "/proc/stat cannot be read, so steal is not known", "mount /proc")
            }
        }
        let lines = self.tables.as_mut().map(|tables| tables.by_line(cpu)).unwrap_or_default();
        if lines.is_empty() {
            let why = "/proc/interrupts cannot be read, or has no column for this CPU";
            lacking("interrupts", why, "mount /proc, or run outside of the container");
        }
        lines.iter().for_each(|(name, count)| put(name, *count as f64));
        match accounts::system_management_interrupts(cpu) {
            Ok(count) => put("smi", count as f64),
            Err(why) => drop(uncounted.insert("smi".into(), why)),
        }
        Totals { counters, uncounted }
    }
}

/// Detours by what moved in them, as they come.
#[derive(Default)]
struct DetourCauses {
    causes: BTreeMap<(bool, u32), Cause>,
    largest: Vec<(f64, f64, u32)>,
}

impl DetourCauses {
    fn add(&mut self, at: f64, seconds: f64, DetourChange { looked, moved, waited }: DetourChange) {
        let known = self.causes.contains_key(&(looked, moved));
        let moved = if known || self.causes.len() < MOST_CAUSES { moved } else { SEVERAL };
        let octave = (seconds * 1e9).max(1.0).log2() as u32;
        let cause = self.causes.entry((looked, moved)).or_default();
        let of = cause.octaves.entry(octave).or_default();
        of.0 += 1;
        of.1 += seconds;
        if let Some(waited) = waited {
            *cause.waited.entry(octave).or_default() += waited;
        }
        if self.largest.len() < LARGEST {
            self.largest.push((seconds, at, moved));
            return;
        }
        let least = self.largest.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(least) = least.filter(|l| l.0 < seconds) {
            *least = (seconds, at, moved);
        }
    }
    fn fill(mut self, detours: &mut Detours) {
        self.largest.order_by(|a, b| a.1.total_cmp(&b.1));
        let detour =
            |(seconds, at, moved): (f64, f64, u32)| Detour { at, seconds, moved: words(moved) };
        detours.largest = self.largest.into_iter().map(detour).collect();
        let cause = |((looked, moved), cause)| Cause { looked, moved: words(moved), ..cause };
        detours.causes = self.causes.into_iter().map(cause).collect();
    }
}

/// Watches the calling thread, which is on `cpu`, or anywhere; `ready` is called when the watching is about to begin.
pub(crate) fn watch(
    cpu: Option<u32>,
    settings: &NoiseSettings,
    counter: &Counter<'_>,
    cancel: &AtomicBool,
    ready: impl FnOnce(),
) -> WatchResult {
    let mut eyes = DetourObserver::open(cpu);
    // What runs first finds everything cold, and memory that was never touched.
    drop(eyes.totals());
    let tried = counter.watch(u64::MAX, counter.now() + counter.ticks(0.002));
    let least = counter.seconds(if tried.least == u64::MAX { 0 } else { tried.least });
    let threshold = settings.threshold.unwrap_or_else(|| THRESHOLD.max(STEPS * least));
    ready();
    let begun = counter.clock().now();
    let totals = eyes.totals();
    eyes.mark();
    let limit = counter.ticks(threshold).max(1);
    let window = counter.ticks(WINDOW.max(settings.seconds / WINDOWS));
    let start = counter.now();
    let end = start + counter.ticks(settings.seconds);
    let turn = counter.ticks(TURN * settings.duty);
    let mut detours =
        Detours { threshold, least, lengths: Histogram::new(PER_OCTAVE), ..Detours::default() };
    let mut found = DetourCauses::default();
    let (mut lost, mut shortest, mut watched, mut taken) = (vec![], u64::MAX, 0, 0);
    let (mut longest, mut total, mut least) = (0, 0, tried.least);
    let (mut window_end, mut turn_end) = (start + window, start + turn);
    loop {
        let seen = counter.watch(limit, end.min(window_end).min(turn_end));
        watched += seen.to.saturating_sub(seen.first);
        detours.looks += seen.looks;
        least = least.min(seen.least);
        let detour = seen.gap();
        if detour >= limit {
            taken += detour;
            total += detour;
            (shortest, longest) = (shortest.min(detour), longest.max(detour));
            detours.count += 1;
            let seconds = counter.seconds(detour);
            detours.lengths.add(seconds);
            let passed = seen.to.saturating_sub(start);
            let may = counter.seconds(eyes.spent) < AT_FIRST + LOOKING * counter.seconds(passed);
            let at = counter.seconds(seen.from.saturating_sub(start));
            found.add(at, seconds, eyes.after(seconds, may, counter));
        }
        let over = seen.to >= end || cancel.load(Ordering::Relaxed);
        if seen.to >= window_end || over {
            // The rest of the last window may be short, and is no sample then unless it is the only one.
            if watched >= window / 2 || over && lost.is_empty() {
                lost.push(taken as f64 / watched.max(1) as f64);
            }
            detours.watched += counter.seconds(watched);
            (watched, taken) = (0, 0);
            window_end = seen.to + window;
        }
        if over {
            break;
        }
        if seen.to >= turn_end {
            if settings.duty < 1.0 {
                host::clock::sleep(Duration::from_secs_f64(TURN * (1.0 - settings.duty)));
                eyes.mark();
            }
            turn_end = counter.now() + turn;
        }
    }
    detours.elapsed = counter.clock().now() - begun;
    detours.total = counter.seconds(total);
    detours.least = counter.seconds(if least == u64::MAX { 0 } else { least });
    detours.shortest = (detours.count > 0).then(|| counter.seconds(shortest));
    detours.longest = (detours.count > 0).then(|| counter.seconds(longest));
    let now = eyes.totals();
    for (name, value) in now.counters {
        // A line that had counted nothing before is not among what was before.
        let passed = value - totals.counters.get(&name).copied().unwrap_or(0.0);
        detours.counters.insert(name, passed.max(0.0));
    }
    // Of lines, of which there may be hundreds, those that moved.
    let line = |name: &str| name.starts_with("irq.") || name.starts_with("softirqs.");
    detours.counters.retain(|name, n| *n > 0.0 || !line(name));
    detours.uncounted = now.uncounted;
    found.fill(&mut detours);
    WatchResult { lost, detours }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Binding;
    use host::clock::Monotonic;

    fn watched(seconds: f64, cpu: Option<u32>) -> WatchResult {
        let clock = Monotonic::new();
        let counter = Counter::new(&clock);
        let settings =
            NoiseSettings { binding: Binding::Bound, seconds, duty: 1.0, threshold: None };
        watch(cpu, &settings, &counter, &AtomicBool::new(false), || ())
    }

    #[test]
    fn detours_add_up() {
        let cpu = host::cpus::affinity().unwrap().first().unwrap();
        let _pinned = host::cpus::pin(cpu).unwrap();
        let WatchResult { lost, detours } = watched(0.3, Some(cpu));
        assert!(detours.count > 0, "a third of a second without a tick: {detours:?}");
        assert_eq!(detours.lengths.count(), detours.count);
        assert_eq!(detours.causes.iter().map(Cause::count).sum::<u64>(), detours.count);
        let seconds: f64 = detours.causes.iter().map(Cause::seconds).sum();
        assert!((seconds / detours.total - 1.0).abs() < 1e-6);
        assert!(
            detours.total < detours.watched && detours.watched <= detours.elapsed,
            "{detours:?}"
        );
        assert!(
            detours.shortest >= Some(detours.threshold * 0.99)
                && detours.longest >= detours.shortest
        );
        assert!(detours.threshold >= 100e-9 && detours.least <= detours.threshold);
        assert!(!lost.is_empty() && lost.iter().all(|l| (0.0..=1.0).contains(l)));
        assert!(detours.largest.is_sorted_by(|a, b| a.at <= b.at));
        assert!(detours.largest.len() as u64 <= detours.count);
    }

    #[test]
    fn a_thread_that_is_not_bound_has_no_column() {
        let WatchResult { detours, .. } = watched(0.05, None);
        assert!(detours.causes.iter().all(|c| !c.looked));
        assert!(detours.counters.contains_key("on_cpu"));
        assert!(!detours.counters.keys().any(|name| name.starts_with("interrupts.")));
    }

    /// Two threads on one CPU: each waits while the other runs, and for no longer than its detours are.
    #[test]
    fn what_others_had_is_within_the_gaps_that_they_caused() {
        let cpu = host::cpus::affinity().unwrap().first().unwrap();
        let stop = AtomicBool::new(false);
        let detours = std::thread::scope(|scope| {
            scope.spawn(|| {
                let _pinned = host::cpus::pin(cpu).unwrap();
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
            let _pinned = host::cpus::pin(cpu).unwrap();
            let WatchResult { detours, .. } = watched(0.3, Some(cpu));
            stop.store(true, Ordering::Relaxed);
            detours
        });
        if detours.uncounted.contains_key("waited") {
            return eprintln!("skipped: {}", detours.uncounted["waited"]);
        }
        let switched: Vec<&Cause> = detours.causes.iter().filter(|c| c.has("switch")).collect();
        assert!(!switched.is_empty(), "{detours:?}");
        for cause in &switched {
            assert!(cause.waited.keys().eq(cause.octaves.keys()), "{cause:?}");
            for (octave, waited) in &cause.waited {
                assert!(*waited <= cause.octaves[octave].1 * (1.0 + 1e-9), "{cause:?}");
            }
        }
        let sum = |of: fn(&Cause) -> f64| switched.iter().map(|c| of(c)).sum::<f64>();
        let waited = sum(|c| c.waited.values().sum());
        assert!(waited > 0.5 * sum(Cause::seconds), "{waited} of {switched:?}");
        assert!(detours.causes.iter().all(|c| c.has("switch") || c.waited.is_empty()));
    }

    #[test]
    fn causes_are_bounded_and_the_largest_are_kept() {
        let mut found = DetourCauses::default();
        for n in 0..1000u32 {
            let after = DetourChange { looked: true, moved: n, waited: Some(0.5e-6) };
            found.add(f64::from(n), f64::from(n + 1) * 1e-6, after);
        }
        let mut detours = Detours::default();
        found.fill(&mut detours);
        assert!(detours.causes.len() <= MOST_CAUSES + 1, "{}", detours.causes.len());
        assert_eq!(detours.causes.iter().map(Cause::count).sum::<u64>(), 1000);
        let waited: f64 = detours.causes.iter().flat_map(|c| c.waited.values()).sum();
        assert!((waited - 500e-6).abs() < 1e-9, "{waited}");
        assert_eq!(detours.largest.len(), LARGEST);
        assert!(detours.largest.iter().all(|g| g.seconds > 968e-6));
    }

    #[test]
    fn each_bit_has_its_word() {
        assert_eq!(words(0), Vec::<String>::new());
        assert_eq!(words(1 | SOFTIRQ | SWITCH), ["timer", "softirq", "switch"]);
        assert_eq!(words(FAULT | MIGRATION | QUOTA | SEVERAL).len(), 4);
    }
}
