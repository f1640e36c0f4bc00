//! Timing of one quantity: samples long enough for the clock, repeated until the median is known.
use host::clock::Clock;
use record::{Disturbed, Series};
use stats::Sample;
use std::borrow::Cow;

/// When a series is long and good enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// A sample takes at least this long, in seconds, and at least 100 times the clock's resolution.
    pub sample: f64,
    /// Half-width of the 95 % interval of the median, relative to it, at which sampling stops.
    pub target: f64,
    /// Seconds after which sampling stops all the same.
    pub budget: f64,
    /// The fewest samples before the interval may end it; a spent budget ends it after three.
    pub least: usize,
    /// The most samples.
    pub most: usize,
}

impl Limits {
    /// One sample of at least so many seconds.
    pub const fn once(sample: f64) -> Limits {
        Limits { sample, target: 1.0, budget: 0.0, least: 1, most: 1 }
    }
}

/// A sample is at least this many times the clock's resolution, so that reading the clock adds under 1 %
/// (the rule of divan and Criterion).
pub const RESOLUTIONS: f64 = 100.0;

/// Notices what else happens to a thread while it is being timed.
pub trait Disturbance {
    /// A sample begins.
    fn begin(&mut self);
    /// A sample has ended: everything that happened since `begin`.
    fn end(&mut self) -> Vec<&'static str>;
}

impl Disturbance for host::disturb::Watcher {
    fn begin(&mut self) {
        self.mark();
    }
    fn end(&mut self) -> Vec<&'static str> {
        self.since()
    }
}

/// The timed samples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Timed {
    /// Seconds per step, in order.
    pub samples: Vec<f64>,
    /// Disturbed samples.
    pub marks: Vec<Disturbed>,
    /// Steps in each sample.
    pub steps: u64,
}

impl Timed {
    /// Appends a sample and its marks.
    pub fn push(
        &mut self,
        seconds_per_step: f64,
        why: impl IntoIterator<Item: Into<Cow<'static, str>>>,
    ) {
        let sample = self.samples.len() as u32;
        self.marks.extend(why.into_iter().map(|why| Disturbed { sample, why: why.into() }));
        self.samples.push(seconds_per_step);
    }
    /// Each sample as `of` it.
    pub fn map(mut self, of: impl Fn(f64) -> f64) -> Timed {
        self.samples.iter_mut().for_each(|s| *s = of(*s));
        self
    }
    /// The series with these samples.
    pub fn into_series(self, series: Series) -> Series {
        Series { samples: self.samples, disturbed: self.marks, steps: self.steps, ..series }
    }
    /// Whether there are samples enough after so many seconds.
    pub fn is_complete(&self, limits: &Limits, spent: f64) -> bool {
        let count = self.samples.len();
        let is_over = spent >= limits.budget && count >= limits.least.min(3);
        count >= limits.most || is_over || self.settled(limits)
    }
    /// Whether the undisturbed samples place the median within `target`.
    pub fn settled(&self, limits: &Limits) -> bool {
        if self.samples.len() < limits.least {
            return false;
        }
        let clean: Vec<f64> = (0u32..)
            .zip(&self.samples)
            .filter(|(i, _)| !self.marks.iter().any(|m| m.sample == *i))
            .map(|(_, x)| *x)
            .collect();
        Sample::new(&clean)
            .and_then(|s| {
                s.median_interval(0.95).map(|i| i.half_width_relative(s.median()) <= limits.target)
            })
            .unwrap_or(false)
    }
}

/// Finds how many steps make a sample, and seconds per step in the last run: `work(n)` is run with growing `n` until it takes long
/// enough.
/// These runs also warm caches, branch predictors and the clock governor; they are not samples.
pub fn calibrate<T>(
    clock: &dyn Clock,
    limits: &Limits,
    mut work: impl FnMut(u64) -> T,
) -> (u64, f64) {
    let took = &mut |steps| {
        let begin = clock.now();
        std::hint::black_box(work(steps));
        clock.now() - begin
    };
    steps_for(clock, limits, took)
}

/// The search behind [`calibrate`], for other ways to time: `took` runs that many steps and says how many
/// seconds they took. Returns the steps of a sample, and seconds per step in the last run.
pub fn steps_for(
    clock: &dyn Clock,
    limits: &Limits,
    took: &mut dyn FnMut(u64) -> f64,
) -> (u64, f64) {
    let enough = limits.sample.max(RESOLUTIONS * clock.resolution());
    let mut steps = 1u64;
    loop {
        let seconds = took(steps);
        if seconds >= enough * 0.95 || steps >= 1 << 40 {
            return (steps, seconds / steps as f64);
        }
        // A reading near the resolution says little: grow by at most 16, and by at least 1.5 to end soon.
        let factor = if seconds > 0.0 { (enough * 1.1 / seconds).clamp(1.5, 16.0) } else { 16.0 };
        steps = ((steps as f64 * factor).ceil() as u64).max(steps + 1);
    }
}

/// Times `work`, which does the given number of steps.
///
/// `between` runs after every sample, outside the timed region; sampling stops early when it returns false.
pub fn time(
    clock: &dyn Clock,
    disturbed: &mut dyn Disturbance,
    limits: &Limits,
    work: &mut dyn FnMut(u64),
    between: &mut dyn FnMut() -> bool,
) -> Timed {
    let (steps, _) = calibrate(clock, limits, &mut *work);
    let mut timed = Timed { steps, ..Timed::default() };
    let start = clock.now();
    loop {
        disturbed.begin();
        let begin = clock.now();
        work(steps);
        let end = clock.now();
        timed.push((end - begin) / steps as f64, disturbed.end());
        if timed.is_complete(limits, clock.now() - start) || !between() {
            return timed;
        }
    }
}

/// Work of whole turns that may be set up anew before each sample, untimed. A closure is work that needs no setting up.
pub trait Prepared {
    /// Sets up.
    fn prepare(&mut self) {}
    /// Does so many steps.
    fn work(&mut self, steps: u64);
}

impl<F: FnMut(u64)> Prepared for F {
    fn work(&mut self, steps: u64) {
        self(steps);
    }
}

/// lmbench's way: `count` intervals of at least `seconds` each, whatever they are, each prepared and of whole turns of
/// `turn` steps. The steps are found on a tenth of one, which also warms up, and again where an interval turns out shorter
/// than 95 % of what is asked for.
///
/// `between` runs after every interval, outside the timed region; it ends them early by returning false.
pub fn intervals(
    clock: &dyn Clock,
    disturbed: &mut dyn Disturbance,
    (seconds, count, turn): (f64, usize, u64),
    subject: &mut dyn Prepared,
    between: &mut dyn FnMut() -> bool,
) -> Timed {
    let tenth = Limits::once(seconds / 10.0);
    subject.prepare();
    let took = &mut |steps| {
        let begin = clock.now();
        subject.work(steps);
        clock.now() - begin
    };
    let (_, each) = steps_for(clock, &tenth, took);
    let turn = turn.max(1);
    // A clock that stands still must not ask for the work of years.
    let steps_of = |each: f64| {
        let steps = seconds * 1.02 / each.max(seconds * 1e-9);
        (steps / turn as f64).ceil().max(1.0) as u64 * turn
    };
    let mut timed = Timed { steps: steps_of(each), ..Timed::default() };
    let mut again = 3;
    while timed.samples.len() < count {
        subject.prepare();
        disturbed.begin();
        let begin = clock.now();
        subject.work(timed.steps);
        let took = clock.now() - begin;
        let why = disturbed.end();
        if took < seconds * 0.95 && again > 0 {
            again -= 1;
            timed = Timed { steps: steps_of(took / timed.steps as f64), ..Timed::default() };
            continue;
        }
        timed.push(took / timed.steps as f64, why);
        if !between() {
            break;
        }
    }
    timed
}

/// Which of several works takes the least time per step here: each is tried until it takes long enough, then all in
/// turn, twice more, so that one disturbance does not decide. Nothing for none.
pub fn fastest(
    clock: &dyn Clock,
    seconds: f64,
    works: usize,
    work: &mut dyn FnMut(usize, u64),
) -> Option<usize> {
    let trial = Limits::once(seconds);
    let mut took = |this: usize, steps: u64| {
        let begin = clock.now();
        work(this, steps);
        clock.now() - begin
    };
    let mut tried: Vec<(u64, f64)> =
        (0..works).map(|this| steps_for(clock, &trial, &mut |n| took(this, n))).collect();
    for _ in 0..if works > 1 { 2 } else { 0 } {
        for (this, (steps, least)) in tried.iter_mut().enumerate() {
            *least = least.min(took(this, *steps) / *steps as f64);
        }
    }
    (0..works).min_by(|a, b| tried[*a].1.total_cmp(&tried[*b].1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A thread that nothing disturbs.
    struct Undisturbed;

    impl Disturbance for Undisturbed {
        fn begin(&mut self) {}
        fn end(&mut self) -> Vec<&'static str> {
            vec![]
        }
    }

    /// A clock that moves only when work is done, in whole ticks.
    #[derive(Debug)]
    struct Fake {
        now: Cell<f64>,
        resolution: f64,
    }
    impl Clock for Fake {
        fn now(&self) -> f64 {
            (self.now.get() / self.resolution).floor() * self.resolution
        }
        fn resolution(&self) -> f64 {
            self.resolution
        }
    }
    fn fake(resolution: f64) -> Fake {
        Fake { now: Cell::new(0.0), resolution }
    }
    const LIMITS: Limits = Limits { sample: 1e-3, target: 0.01, budget: 1.0, least: 6, most: 100 };

    #[test]
    fn the_true_cost_is_recovered_through_a_coarse_clock() {
        for resolution in [1e-9, 1e-6, 4e-3] {
            let clock = fake(resolution);
            let mut work = |n: u64| clock.now.set(clock.now.get() + n as f64 * 5e-9);
            let timed = time(&clock, &mut Undisturbed, &LIMITS, &mut work, &mut || true);
            for s in &timed.samples {
                assert!((s / 5e-9 - 1.0).abs() < 0.0151, "{s} at resolution {resolution}");
            }
            assert!(timed.steps as f64 * 5e-9 >= 0.95 * RESOLUTIONS * resolution);
        }
    }

    #[test]
    fn a_steady_quantity_stops_at_the_least_and_a_wild_one_at_the_budget() {
        let clock = fake(1e-9);
        let mut steady = |n: u64| clock.now.set(clock.now.get() + n as f64 * 1e-8);
        let timed = time(&clock, &mut Undisturbed, &LIMITS, &mut steady, &mut || true);
        assert_eq!(timed.samples.len(), LIMITS.least);

        let mut rng = stats::rng::Rng::new(1);
        let mut wild =
            |n: u64| clock.now.set(clock.now.get() + n as f64 * 1e-8 * (1.0 + 9.0 * rng.uniform()));
        let limits = Limits { most: 100_000, target: 1e-6, ..LIMITS };
        let start = clock.now();
        let timed = time(&clock, &mut Undisturbed, &limits, &mut wild, &mut || true);
        let took = clock.now() - start;
        assert!(
            timed.samples.len() > 50 && (limits.budget..limits.budget * 1.2).contains(&took),
            "{took}"
        );
    }

    #[test]
    fn marked_samples_are_kept_and_do_not_count() {
        struct Every(usize, usize);
        impl Disturbance for Every {
            fn begin(&mut self) {}
            fn end(&mut self) -> Vec<&'static str> {
                self.1 += 1;
                if self.1.is_multiple_of(self.0) { vec!["migration"] } else { vec![] }
            }
        }
        let clock = fake(1e-9);
        let mut work = |n: u64| clock.now.set(clock.now.get() + n as f64 * 1e-8);
        let timed = time(&clock, &mut Every(2, 0), &LIMITS, &mut work, &mut || true);
        assert_eq!(timed.marks.len(), timed.samples.len() / 2);
        assert!(
            timed.samples.len() > LIMITS.least,
            "six undisturbed samples are needed for an interval"
        );
    }

    #[test]
    fn between_can_stop_it_and_one_sample_remains() {
        let clock = fake(1e-9);
        let mut work = |n: u64| clock.now.set(clock.now.get() + n as f64 * 1e-8);
        let timed = time(&clock, &mut Undisturbed, &LIMITS, &mut work, &mut || false);
        assert_eq!(timed.samples.len(), 1);
    }

    #[test]
    fn a_clock_that_stands_still_does_not_hang() {
        let clock = fake(1e-9);
        let (steps, _) = calibrate(&clock, &LIMITS, &mut |_| ());
        assert!(steps >= 1 << 40);
    }

    #[test]
    fn intervals_are_as_long_and_as_many_as_asked() {
        let clock = fake(1e-6);
        let mut rng = stats::rng::Rng::new(3);
        let mut work = |n: u64| {
            clock.now.set(clock.now.get() + n as f64 * 1.3e-3 * (1.0 + 0.01 * rng.uniform()))
        };
        let timed = intervals(&clock, &mut Undisturbed, (50e-3, 5, 1), &mut work, &mut || true);
        assert_eq!(timed.samples.len(), 5);
        for s in &timed.samples {
            assert!((s / 1.3e-3 - 1.005).abs() < 0.01, "{s}");
            assert!((47.5e-3..60e-3).contains(&(s * timed.steps as f64)), "{s} x {}", timed.steps);
        }
        let stopped = intervals(&clock, &mut Undisturbed, (50e-3, 5, 1), &mut work, &mut || false);
        assert_eq!(stopped.samples.len(), 1);
    }

    /// The first runs were slow, as on memory that the caches then hold: the steps are found again.
    #[test]
    fn an_interval_that_got_too_short_is_measured_again() {
        let clock = fake(1e-6);
        let mut runs = 0;
        let mut work = |n: u64| {
            runs += 1;
            let each = if runs < 4 { 4e-3 } else { 1e-3 };
            clock.now.set(clock.now.get() + n as f64 * each);
        };
        let timed = intervals(&clock, &mut Undisturbed, (50e-3, 5, 1), &mut work, &mut || true);
        assert_eq!(timed.samples.len(), 5);
        assert!(timed.samples.iter().all(|s| s * timed.steps as f64 >= 47.5e-3), "{timed:?}");
    }

    #[test]
    fn the_fastest_is_found_whatever_its_place() {
        for fast in 0..3 {
            let clock = fake(1e-9);
            let mut work = |this: usize, n: u64| {
                let each = if this == fast { 1e-7 } else { 1.2e-7 };
                clock.now.set(clock.now.get() + n as f64 * each);
            };
            assert_eq!(fastest(&clock, 1e-3, 3, &mut work), Some(fast));
        }
        assert_eq!(fastest(&fake(1e-9), 1e-3, 0, &mut |_, _| ()), None);
    }

    struct Counted<'a> {
        clock: &'a Fake,
        prepared: usize,
        since: Vec<u64>,
    }
    impl Prepared for Counted<'_> {
        fn prepare(&mut self) {
            self.prepared += 1;
            self.clock.now.set(self.clock.now.get() + 1.0);
            self.since.push(0);
        }
        fn work(&mut self, steps: u64) {
            self.clock.now.set(self.clock.now.get() + steps as f64 * 1e-6);
            *self.since.last_mut().unwrap() += steps;
        }
    }

    #[test]
    fn intervals_are_whole_turns_prepared_each_time() {
        let clock = fake(1e-9);
        let mut subject = Counted { clock: &clock, prepared: 0, since: vec![] };
        let timed = intervals(&clock, &mut Undisturbed, (0.01, 5, 310), &mut subject, &mut || true);
        assert_eq!((timed.samples.len(), timed.steps), (5, 10_230));
        assert_eq!((subject.prepared, &subject.since[1..]), (6, &[10_230; 5][..]));
        // Preparing took a second and is in none of them.
        assert!(timed.samples.iter().all(|s| (s - 1e-6).abs() < 1e-9), "{timed:?}");
        let few = intervals(&clock, &mut Undisturbed, (0.01, 5, 310), &mut subject, &mut || false);
        assert_eq!(few.samples.len(), 1);
    }

    /// Stopping as soon as the interval is narrow favours intervals that are narrow by chance. How much that
    /// costs: of 2000 seeded experiments per noise, the final interval must still cover the true median in 90 %.
    #[test]
    fn stopping_early_costs_the_interval_little() {
        let mut rng = stats::rng::Rng::new(7);
        for noise in [0.005, 0.01, 0.02, 0.05] {
            let limits = Limits { target: 0.02, least: 7, most: 101, ..LIMITS };
            let mut covered = 0;
            for _ in 0..2000 {
                let mut timed = Timed::default();
                while timed.samples.len() < limits.most && !timed.settled(&limits) {
                    timed.push(1.0 + noise * rng.normal(), [""; 0]);
                }
                let sample = Sample::new(&timed.samples).unwrap();
                let interval = sample.median_interval(0.95).unwrap();
                covered += u32::from(interval.low <= 1.0 && 1.0 <= interval.high);
            }
            let share = f64::from(covered) / 2000.0;
            assert!(share > 0.90, "noise {noise}: covered in {share}");
            println!("noise {noise}: covered in {share}");
        }
    }
}
