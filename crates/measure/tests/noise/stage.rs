//! What the tests and the verdicts are made with: the probes on some CPUs, something beside them, and what was seen.
use host::{clock::Monotonic, cpus};
use kernels::Features;
use measure::{
    bench::Bench,
    plan,
    probe::{Depth, Probe, Setting},
};
use record::{Case, Cause, CpuSet, Gaps, Machine, Series, Value};
use std::{
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

/// One experiment at a time: each is noise to the others.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(|e| e.into_inner())
}

/// The last two CPUs that may be used: the one that is disturbed, and another.
pub(crate) fn two() -> Option<(u32, u32)> {
    let all: Vec<u32> = cpus::affinity().unwrap().iter().collect();
    match all[..] {
        [.., other, disturbed] => Some((disturbed, other)),
        _ => None,
    }
}

/// Runs a probe on these CPUs with these parameters, and gives its series.
pub(crate) fn run(id: &str, cpus: &CpuSet, params: &[(&str, Value)]) -> Vec<Series> {
    let (clock, machine, cancel) = (Monotonic::new(), Machine::default(), AtomicBool::new(false));
    let probe: &dyn Probe = plan::entries().into_iter().find(|(known, _)| *known == id).unwrap().1;
    let case: Case =
        Setting::new(&machine, cpus.clone(), Depth::Quick).case(cpus.clone(), params, 1.0);
    assert_eq!(probe.lacks(&case), None);
    let mut tick = |_| ();
    let mut bench = Bench::new(&clock, &machine, Features::detect(), &cancel, &mut tick);
    probe.run(&case, &mut bench).unwrap()
}

/// The share of the time that a real-time thread watches, so that the kernel need not stop it.
pub(crate) const DUTY: f64 = 0.9;

pub(crate) fn watched(cpus: &CpuSet, seconds: f64, binding: &str) -> Vec<(u32, Gaps)> {
    watched_for(cpus, seconds, binding, 1.0)
}

/// The same, of which a real-time thread takes such a share of the time.
pub(crate) fn watched_for(
    cpus: &CpuSet,
    seconds: f64,
    binding: &str,
    duty: f64,
) -> Vec<(u32, Gaps)> {
    let params = [("binding", binding.into()), ("seconds", seconds.into()), ("duty", duty.into())];
    let series = run("noise_gaps", cpus, &params);
    let of = |s: Series| (s.at["cpu"].integer().unwrap() as u32, *s.gaps.unwrap());
    series.into_iter().map(of).collect()
}

/// Does `work` beside a thread that disturbs until it is told to stop, and says what it used; both results.
pub(crate) fn beside<R, D: Send>(
    disturb: impl FnOnce(&AtomicBool) -> D + Send,
    work: impl FnOnce() -> R,
) -> (R, D) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let other = scope.spawn(|| disturb(&stop));
        let done = work();
        stop.store(true, Relaxed);
        (done, other.join().unwrap())
    })
}

/// Share of the time that others ran in the gaps: what the thread waited, or where nobody knows that the gaps in which it was
/// switched away from, as the report has it (`analyse::noise`).
pub(crate) fn switched(gaps: &Gaps) -> f64 {
    gaps.causes.iter().filter(|c| c.has("switch")).map(waited).sum::<f64>() / gaps.watched
}

/// Seconds of these gaps that the thread waited for its CPU.
pub(crate) fn waited(cause: &Cause) -> f64 {
    match cause.waited.is_empty() {
        true => cause.seconds(),
        false => cause.waited.values().sum(),
    }
}

pub(crate) fn counted(gaps: &Gaps, name: &str) -> f64 {
    gaps.counters.get(name).copied().unwrap_or(0.0)
}

/// Seconds that gaps took during which the thread was switched away from and that are longer than this in the mean of their
/// octave: what the share of real-time threads takes comes in whole pieces.
pub(crate) fn whole_pieces(gaps: &Gaps, longer: f64) -> f64 {
    let pieces = gaps.causes.iter().filter(|c| c.has("switch")).flat_map(|c| c.octaves.values());
    pieces.filter(|(n, s)| s / (*n).max(1) as f64 > longer).map(|(_, s)| s).sum()
}
