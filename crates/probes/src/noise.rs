//! Options, counter and settings that the experiments on the system's noise share, and the
//! threads that they run in: bound to a CPU each, free to be moved, or bound and real-time.
//!
//! Source of the methods: sysjitter, oslat and the osnoise tracer (detours), FWQ of the LLNL (fixed work); docs/adr/0022.
pub(crate) mod fixed_work;
pub(crate) mod guest;
pub(crate) mod watch;

use host::{
    clock::{self, Clock},
    realtime,
};
use kernels::gap::{self, Seen};
use measure::{
    bench::Bench,
    probe::Setting,
    threads::{self, Member},
};
use record::{Case, CpuSet, Reason, Value, param};

/// Options of `noise`.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Bindings of threads to CPUs, each in turn.
    pub bindings: Vec<Binding>,
    /// Seconds that detours are watched for.
    pub seconds: f64,
    /// Seconds that each kind of work is repeated for.
    pub each: f64,
    /// The shortest detour, in seconds; `None` finds it by calibration.
    pub threshold: Option<f64>,
    /// Share of the time that a real-time thread works; the rest it leaves to others.
    pub duty: f64,
    /// Whether to boot a guest and ask it for the same, and of which kernel: empty for the one at hand.
    pub guest: Option<String>,
}

record::named! {
    /// The binding of a thread to a CPU.
    pub enum Binding {
        /// A thread on each CPU, bound to it.
        Bound = "bound",
        /// One thread, which the scheduler may move as it likes.
        Unbound = "unbound",
        /// A thread on each CPU, bound and real-time (SCHED_FIFO, priority 1).
        Fifo = "fifo",
    }
}

/// The priority of real-time threads: above all ordinary ones, below every other real-time one.
const PRIORITY: i32 = 1;
/// The time after which a real-time thread leaves its CPU to others: most of a tenth of a second.
pub(crate) const TURN: f64 = 0.1;

/// The settings of a case, read from its parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoiseSettings {
    pub(crate) binding: Binding,
    pub(crate) seconds: f64,
    pub(crate) duty: f64,
    pub(crate) threshold: Option<f64>,
}

impl NoiseSettings {
    pub(crate) fn from_case(case: &Case) -> NoiseSettings {
        NoiseSettings {
            binding: case.get(param::BINDING).and_then(Binding::named).unwrap_or(Binding::Bound),
            seconds: case.get(param::SECONDS).unwrap_or(1.0),
            duty: case.get(param::DUTY).unwrap_or(1.0),
            threshold: case.get(param::THRESHOLD),
        }
    }
    /// [`NoiseSettings::from_case`] in the time that is left.
    pub(crate) fn scaled(case: &Case, bench: &Bench<'_>) -> NoiseSettings {
        let settings = NoiseSettings::from_case(case);
        NoiseSettings { seconds: (settings.seconds * bench.time_scale).max(0.05), ..settings }
    }
}

/// Cases of these bindings, so many seconds each, with parameters of their own. A real-time one on every CPU leaves each a
/// share of the time, which the case names.
pub(crate) fn cases(
    setting: &Setting<'_>,
    bindings: &[Binding],
    seconds: f64,
    params: &[(&str, Value)],
) -> Vec<Case> {
    let duty = setting.probe_options.get::<Options>().map_or(0.9, |w| w.duty);
    let case = |binding: &Binding| {
        let own = [param::BINDING.set(binding.name()), param::SECONDS.set(seconds)];
        let mut all: Vec<(&str, Value)> = own.into_iter().chain(params.iter().cloned()).collect();
        if *binding == Binding::Fifo {
            all.push(param::DUTY.set(duty));
        }
        setting.case(setting.cpus.clone(), &all, seconds + 0.1)
    };
    bindings.iter().map(case).collect()
}

/// A counter of time that is read without a call of the kernel: the CPU's own, or where there is none the clock.
pub(crate) struct Counter<'a> {
    clock: &'a (dyn Clock + Sync),
    rate: f64,
    own: bool,
}

impl<'a> Counter<'a> {
    /// Finds the rate of the CPU's counter, in 20 ms.
    pub(crate) fn new(clock: &'a (dyn Clock + Sync)) -> Counter<'a> {
        match clock::tick_rate(clock, 0.02).filter(|_| clock::has_ordered_ticks()) {
            Some(rate) => Counter { clock, rate, own: true },
            None => Counter { clock, rate: 1e9, own: false },
        }
    }
    pub(crate) fn now(&self) -> u64 {
        if self.own { kernels::arch::ticks_end() } else { (self.clock.now() * 1e9) as u64 }
    }
    pub(crate) fn watch(&self, threshold: u64, until: u64) -> Seen {
        match self.own {
            true => gap::watch(threshold, until),
            false => gap::watch_by(|| (self.clock.now() * 1e9) as u64, threshold, until),
        }
    }
    pub(crate) fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 / self.rate
    }
    pub(crate) fn ticks(&self, seconds: f64) -> u64 {
        (seconds * self.rate) as u64
    }
    pub(crate) fn clock(&self) -> &'a (dyn Clock + Sync) {
        self.clock
    }
}

/// Runs `work` in one thread for each place, all at once, and returns what each found with its CPU. A thread that may be
/// moved has no CPU.
///
/// # Errors
/// A thread cannot run in its place or with its priority, or `prepare` or `work` failed.
pub(crate) fn everywhere<P, R: Send>(
    case: &Case,
    bench: &mut Bench<'_>,
    binding: Binding,
    prepare: impl Fn(Option<u32>) -> Result<P, Reason> + Sync,
    work: impl Fn(Option<u32>, P, &Member<'_, ()>) -> Result<R, Reason> + Sync,
) -> Result<Vec<(Option<u32>, R)>, Reason> {
    let places = match binding {
        Binding::Unbound => vec![case.place.cpus.clone()],
        _ => threads::pinned(case.place.cpus.iter()),
    };
    let cpu = |place: &CpuSet| place.first().filter(|_| binding != Binding::Unbound);
    let ready = |member: &Member<'_, ()>| {
        let priority = match binding {
            Binding::Fifo => Some(realtime::fifo(PRIORITY)?),
            _ => None,
        };
        Ok((priority, prepare(cpu(&places[member.index()]))?))
    };
    let found = threads::run(&places, bench, ready, |member, (priority, prepared)| {
        let found = work(cpu(&places[member.index()]), prepared, member);
        drop(priority);
        found
    })?;
    Ok(places.iter().map(cpu).zip(found).collect())
}

/// The reason why a case of that binding cannot run: real-time threads need the kernel's permission.
pub(crate) fn lacks(case: &Case) -> Option<Reason> {
    let settings = NoiseSettings::from_case(case);
    if settings.binding != Binding::Fifo {
        return None;
    }
    if let Err(why) = realtime::fifo(PRIORITY) {
        return Some(why);
    }
    (settings.duty > 0.99 && realtime::share().is_none()).then(|| {
        Reason::mended_by(
            "real-time threads may take all of every CPU here, and nothing else would run",
            "a lower --duty, or sysctl kernel.sched_rt_runtime_us=950000",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::probe::Depth;
    use record::Machine;

    #[test]
    fn bindings_are_found_by_their_names() {
        for binding in Binding::ALL {
            assert_eq!(Binding::named(binding.name()), Some(binding));
        }
        assert_eq!(Binding::named("loose"), None);
    }

    #[test]
    fn a_case_says_all_that_it_needs() {
        let machine = Machine::default();
        let setting = Setting::new(&machine, "0-3".parse().unwrap(), Depth::Quick);
        let all = cases(&setting, &Binding::ALL, 0.5, &[param::THRESHOLD.set(1e-6)]);
        let settings: Vec<NoiseSettings> = all.iter().map(NoiseSettings::from_case).collect();
        assert_eq!(settings.iter().map(|m| m.binding).collect::<Vec<_>>(), Binding::ALL);
        assert!(settings.iter().all(|m| m.seconds == 0.5 && m.threshold == Some(1e-6)));
        assert_eq!(settings.iter().map(|m| m.duty).collect::<Vec<_>>(), [1.0, 1.0, 0.9]);
        assert!(all.iter().all(|c| c.estimate > 0.5));
    }
}
