//! Verdicts on planted faults, in figures: each is planted in every second turn, so that what the machine does by itself is
//! in both and goes out. `cargo xtask bench noise`; docs/validation/noise.md has what was found. Nothing is asserted: where the
//! machine moves by more than what is asked for, the verdict says that it cannot be decided here.
use crate::{
    faults::{self, Halved, Storm},
    stage::{
        DUTY, alone, beside, counted, run, switched, two, waited, watched, watched_for,
        whole_pieces,
    },
};
use host::{cpus, realtime};
use record::{CpuSet, Detours, Value};
use std::sync::atomic::AtomicBool;

/// Rounds where none are asked for: the least for which the median has an interval of 95 %.
const ROUNDS: usize = 6;

/// One quantity, by round, and between which values it should lie.
struct Line {
    what: String,
    unit: &'static str,
    wanted: (f64, f64),
    values: Vec<f64>,
}

/// Quantities in the order in which they were first found.
#[derive(Default)]
pub(crate) struct Lines(Vec<Line>);

impl Lines {
    pub(crate) fn add(&mut self, what: &str, unit: &'static str, wanted: (f64, f64), value: f64) {
        match self.0.iter_mut().find(|line| line.what == what) {
            Some(line) => line.values.push(value),
            None => self.0.push(Line { what: what.into(), unit, wanted, values: vec![value] }),
        }
    }
    /// Every value, for those who want to look themselves: a line for each quantity.
    pub(crate) fn values(&self) -> String {
        let words = |line: &Line| line.values.iter().map(|v| format!(",{v}")).collect::<String>();
        self.0.iter().map(|line| format!("\"{}\"{}\n", line.what, words(line))).collect()
    }
}

/// The median, where it lies with 95 % confidence (the extremes of fewer than six values), and what that says.
fn judged(values: &[f64], (from, to): (f64, f64)) -> (f64, f64, f64, &'static str) {
    let sample = stats::Sample::new(values).unwrap();
    let Some(interval) = sample.median_interval(0.95) else {
        return (sample.median(), sample.min(), sample.max(), "too few rounds");
    };
    let (low, high) = (interval.low, interval.high);
    let verdict = if from <= low && high <= to {
        "yes"
    } else if high < from || low > to {
        "no"
    } else {
        "cannot be decided here"
    };
    (sample.median(), low, high, verdict)
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (median, low, high, verdict) = judged(&self.values, self.wanted);
        let ((from, to), unit) = (self.wanted, self.unit);
        write!(f, "| {} | {median:.3} ({low:.3} to {high:.3}) {unit} ", self.what)?;
        match from.is_finite() || to.is_finite() {
            true => write!(f, "| {from} to {to} | {verdict} |"),
            // What is there to be compared with has no verdict of its own.
            false => write!(f, "| | |"),
        }
    }
}

impl std::fmt::Display for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "| what | found | wanted | verdict |\n|---|---|---|---|")?;
        self.0.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Both turns of a round, the planted one first in every second.
fn turns<Q, P>(round: usize, quiet: impl FnOnce() -> Q, planted: impl FnOnce() -> P) -> (Q, P) {
    if round.is_multiple_of(2) {
        let quiet = quiet();
        return (quiet, planted());
    }
    let planted = planted();
    (quiet(), planted)
}

fn of(all: &[(u32, Detours)], cpu: u32) -> &Detours {
    &all.iter().find(|(known, _)| *known == cpu).unwrap().1
}

/// A real-time thread, watched by a real-time thread of less priority, which ordinary tasks do not preempt, and by an
/// ordinary one.
fn real_time(lines: &mut Lines, round: usize, (disturbed, other): (u32, u32)) {
    let both: CpuSet = [disturbed, other].into_iter().collect();
    let injector = |stop: &AtomicBool| faults::every_ten_milliseconds(disturbed, 100e-6, 50, stop);
    let names = [
        (
            "fifo",
            "FIFO thread, 100 us every 10 ms: its preemption, seen by a FIFO thread",
            "the same less what it used by its own CPU clock",
            "the same on the other CPU",
        ),
        (
            "bound",
            "FIFO thread, 100 us every 10 ms: its preemption, seen by an ordinary thread",
            "the same less what it used by its own CPU clock, ordinary",
            "the same on the other CPU, ordinary",
        ),
    ];
    for (binding, seen, less, elsewhere) in names {
        let duty = if binding == "fifo" { DUTY } else { 1.0 };
        let (quiet, (planted, used)) = turns(
            round,
            || watched_for(&both, 2.0, binding, duty),
            || beside(injector, || watched_for(&both, 2.0, binding, duty)),
        );
        let more = |cpu| 100.0 * (switched(of(&planted, cpu)) - switched(of(&quiet, cpu)));
        lines.add(seen, "%", (0.9, 1.1), more(disturbed));
        lines.add(less, "points", (-0.1, 0.1), more(disturbed) - 100.0 * used);
        lines.add(elsewhere, "points", (-0.1, 0.1), more(other));
    }
}

fn storm(lines: &mut Lines, round: usize, cpu: u32) {
    let only: CpuSet = [cpu].into_iter().collect();
    let rate = |all: &[(u32, Detours)]| {
        let detours = of(all, cpu);
        counted(detours, "interrupts.timer") / detours.elapsed
    };
    let planted = || {
        let _pinned = cpus::pin(cpu).unwrap();
        let storm = Storm::start()?;
        let seen = rate(&watched(&only, 1.0, "bound"));
        Some((seen, storm.stop()?))
    };
    let (before, during) = turns(round, || rate(&watched(&only, 1.0, "bound")), planted);
    if let Some((during, signals)) = during {
        let what = "storm of signals, 2000 a second: timer interrupts for each that came";
        lines.add(what, "", (0.8, 1.2), (during - before) / signals);
    }
}

/// An ordinary thread that wants everything, and undisturbed speed of the same range of numbers with and without it.
fn hog(lines: &mut Lines, round: usize, cpu: u32, numbers: u64) {
    let only: CpuSet = [cpu].into_iter().collect();
    let hog = |stop: &AtomicBool| faults::hog(cpu, stop);
    let (seen, used) = beside(hog, || watched(&only, 1.0, "bound"));
    let detours = of(&seen, cpu);
    let off = 1.0 - counted(detours, "on_cpu") / detours.elapsed;
    let seen = switched(detours);
    let others = (off - used).max(0.0);
    let of_two = (seen - others) / (1.0 - others).max(0.01);
    lines.add(
        "hog of nice 0: off the CPU, others' time left out",
        "%",
        (40.0, 60.0),
        100.0 * of_two,
    );
    // A hundredth of the time is not watched but looked after causes in, and more where the kernel is slow to tell them.
    let missed = 100.0 * (seen - off);
    lines.add("off the CPU, less what the thread's own clock lacks", "points", (-2.5, 2.5), missed);
    let floor = || {
        let params: [(&str, Value); 4] = [
            ("quantum", "prime".into()),
            ("binding", "bound".into()),
            ("seconds", 0.4.into()),
            ("numbers", numbers.into()),
        ];
        let series = run("noise_fwq", &only, &params);
        let fixed_work = series[0].fixed_work.as_ref().unwrap();
        fixed_work.floors.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let (quiet, (planted, _)) = turns(round, floor, || beside(hog, floor));
    lines.add(
        "hog of nice 0: undisturbed speed moves by",
        "%",
        (-1.0, 1.0),
        100.0 * (planted / quiet - 1.0),
    );
}

fn protected(lines: &mut Lines, round: usize, (disturbed, other): (u32, u32)) {
    let only: CpuSet = [disturbed].into_iter().collect();
    let protect = |stop: &AtomicBool| faults::protects(other, stop);
    let rate = |all: &[(u32, Detours)]| {
        let detours = of(all, disturbed);
        counted(detours, "interrupts.tlb") / detours.elapsed
    };
    // A CPU that sleeps gets no interrupt to flush its TLB, and calls without one are quicker: nearly all of half a second, which is
    // less than the kernel allows real-time threads of one.
    let duty = 0.98;
    let (quiet, (planted, calls)) = turns(
        round,
        || watched_for(&only, 0.5, "fifo", duty),
        || beside(protect, || watched_for(&only, 0.5, "fifo", duty)),
    );
    let (before, during) = (rate(&quiet), rate(&planted));
    lines.add("mprotect elsewhere: shoot-downs for each call", "", (0.9, 1.1), during / calls);
    lines.add("shoot-downs without it, of those with it", "%", (0.0, 1.0), 100.0 * before / during);
}

/// The share of real-time threads, used up beside somebody who waits for the rest.
fn throttled(lines: &mut Lines, share: &realtime::Share, cpu: u32) {
    let only: CpuSet = [cpu].into_iter().collect();
    let left = share.period - share.runtime;
    let hog = |stop: &AtomicBool| faults::hog(cpu, stop);
    let (seen, _) = beside(hog, || watched(&only, 2.2 * share.period, "fifo"));
    let detours = of(&seen, cpu);
    let (whole, all) = (whole_pieces(detours, left / 2.0), switched(detours) * detours.watched);
    lines.add(
        "RT throttling, of what the kernel leaves others",
        "",
        (0.5, 1.5),
        whole / detours.watched / (left / share.period),
    );
    lines.add(
        "RT throttling, of all that was switched away",
        "%",
        (90.0, 101.0),
        100.0 * whole / all,
    );
}

/// A quota of half a CPU, of which one thread wants all: the kernel keeps it away for the other half.
fn halved(lines: &mut Lines, cpu: u32) -> bool {
    let only: CpuSet = [cpu].into_iter().collect();
    let Some(group) = Halved::enter() else { return false };
    let seen = watched(&only, 2.0, "bound");
    drop(group);
    let detours = of(&seen, cpu);
    let of_quota = detours.causes.iter().filter(|c| c.has("quota")).map(waited).sum::<f64>();
    let taken = of_quota.min(counted(detours, "quota.seconds")) / detours.watched;
    lines.add("quota of half a CPU: quota throttling", "%", (45.0, 55.0), 100.0 * taken);
    true
}

#[test]
#[ignore = "takes minutes and asserts nothing: cargo xtask bench noise"]
fn verdicts_on_planted_faults() {
    let _alone = alone();
    let Some((disturbed, other)) = two() else { return eprintln!("skipped: one CPU") };
    if let Err(why) = realtime::fifo(50) {
        return eprintln!("skipped: {why}");
    }
    let rounds = std::env::var("NOISE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(ROUNDS);
    let only: CpuSet = [disturbed].into_iter().collect();
    let params = [("quantum", "prime".into()), ("seconds", 0.1.into())];
    let numbers = run("noise_fwq", &only, &params)[0].steps;
    let mut lines = Lines::default();
    for round in 0..rounds {
        real_time(&mut lines, round, (disturbed, other));
        storm(&mut lines, round, disturbed);
        hog(&mut lines, round, disturbed, numbers);
        protected(&mut lines, round, (disturbed, other));
        if !halved(&mut lines, disturbed) {
            println!("quota: skipped, for no group with one can be made here");
        }
        match &realtime::share() {
            Some(share) => throttled(&mut lines, share, disturbed),
            None => println!("RT throttling: skipped, for sysctl kernel.sched_rt_runtime_us is -1"),
        }
        println!("round {} of {rounds}", round + 1);
    }
    println!("CPU {disturbed}, and {other} as the other one; medians of {rounds} rounds (95 %)");
    print!("{lines}");
}

#[test]
fn a_verdict_is_given_only_where_the_interval_allows_one() {
    let verdict = |values: &[f64]| judged(values, (0.9, 1.1)).3;
    assert_eq!(verdict(&[1.0, 1.01, 0.99, 1.02, 1.0, 0.98, 1.0]), "yes");
    assert_eq!(verdict(&[1.3, 1.31, 1.29, 1.32, 1.3, 1.28, 1.3]), "no");
    assert_eq!(verdict(&[1.0, 1.5, 0.2, 1.02, 3.0, 0.1, 1.0]), "cannot be decided here");
    // One round that others spoilt decides nothing among eleven.
    let mut spoilt = [1.0; 11];
    spoilt[3] = 9.0;
    assert_eq!(verdict(&spoilt), "yes");
    assert_eq!(verdict(&[1.0]), "too few rounds");
}
