//! Tools of the tests and verdicts: the probes on some CPUs, a load beside them, and the results.
use host::{clock::Monotonic, cpus};
use kernels::Features;
use measure::{
    bench::Bench,
    plan,
    probe::{Depth, Probe, Setting},
};
use probes::probes::ALL;
use record::{Case, Cause, CpuSet, Detours, Machine, Series, Value, param};
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
    let probe: &Probe = plan::find(ALL, id).unwrap();
    let case: Case =
        Setting::new(&machine, cpus.clone(), Depth::Quick).case(cpus.clone(), params, 1.0);
    assert_eq!((probe.lacks)(&case), None);
    let mut tick = |_| ();
    let mut bench = Bench::new(&clock, &machine, Features::detect(), &cancel, &mut tick);
    (probe.run)(&case, &mut bench).unwrap()
}

/// The share of the time that a real-time thread watches, so that the kernel need not stop it.
pub(crate) const DUTY: f64 = 0.9;

pub(crate) fn watched(cpus: &CpuSet, seconds: f64, binding: &str) -> Vec<(u32, Detours)> {
    watched_for(cpus, seconds, binding, 1.0)
}

/// The same, of which a real-time thread takes such a share of the time.
pub(crate) fn watched_for(
    cpus: &CpuSet,
    seconds: f64,
    binding: &str,
    duty: f64,
) -> Vec<(u32, Detours)> {
    let params = [("binding", binding.into()), ("seconds", seconds.into()), ("duty", duty.into())];
    let series = run("noise_detours", cpus, &params);
    let of = |s: Series| (param::CPU.of(&s.at).unwrap(), *s.detours.unwrap());
    series.into_iter().map(of).collect()
}

/// Tells who disturbs to stop, also when what it disturbs has failed.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Does `work` beside a thread that disturbs until `stop` is set, and returns what it used; both results.
pub(crate) fn beside<R, D: Send>(
    disturb: impl FnOnce(&AtomicBool) -> D + Send,
    work: impl FnOnce() -> R,
) -> (R, D) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let other = scope.spawn(|| disturb(&stop));
        let stopper = StopOnDrop(&stop);
        let done = work();
        drop(stopper);
        (done, other.join().unwrap())
    })
}

/// Share of the time that others ran in the detours: what the thread waited, or where nobody knows that the detours in which it was
/// switched away from, as the report has it (`analyse::noise`).
pub(crate) fn switched(detours: &Detours) -> f64 {
    detours.causes.iter().filter(|c| c.has("switch")).map(waited).sum::<f64>() / detours.watched
}

/// Seconds of these detours that the thread waited for its CPU.
pub(crate) fn waited(cause: &Cause) -> f64 {
    match cause.waited.is_empty() {
        true => cause.seconds(),
        false => cause.waited.values().sum(),
    }
}

pub(crate) fn counted(detours: &Detours, name: &str) -> f64 {
    detours.counters.get(name).copied().unwrap_or(0.0)
}

/// Seconds that detours took during which the thread was switched away from and that are longer than this in the mean of their
/// octave: what the share of real-time threads takes comes in whole pieces.
pub(crate) fn whole_pieces(detours: &Detours, longer: f64) -> f64 {
    let pieces = detours.causes.iter().filter(|c| c.has("switch")).flat_map(|c| c.octaves.values());
    pieces.filter(|(n, s)| s / (*n).max(1) as f64 > longer).map(|(_, s)| s).sum()
}
