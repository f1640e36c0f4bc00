//! A thread that observes the server and the machine: a server's CPU time, context switches and counters at the end of every window.
//! It sleeps otherwise.
use super::windows::{SharedWindows, Usage, counter_groups};
use database::engine::{Executor, Instance};
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
    time::Duration,
};

/// Seconds of a sleep: short enough to notice an end, and long enough to disturb no CPU often.
const SHORTEST_SLEEP: f64 = 2e-3;
const LONGEST_SLEEP: f64 = 0.1;
/// Seconds before the first window at which status counters are read: the query costs the engine time.
const STATUS_LEAD: f64 = 20e-3;

/// Observations from the begin of the first window to the end of the last.
#[derive(Debug, Default)]
pub(crate) struct Observations {
    /// Time and usage of the server at the begin of the first window and at the end of each; empty for an embedded engine.
    pub(crate) server: Vec<(f64, Usage)>,
    /// Seconds that all CPUs were busy, and the share that was stolen.
    pub(crate) busy: Option<f64>,
    pub(crate) steal: Option<f64>,
    /// Thermal throttling events of the CPUs.
    pub(crate) throttled: Option<u64>,
    /// Utilisation of the busiest client CPU.
    pub(crate) client_busiest: Option<f64>,
    /// Observed seconds.
    pub(crate) seconds: f64,
    /// Growth of the engine's status counters.
    pub(crate) status: Vec<(&'static str, Unit, f64)>,
    pub(crate) server_died: bool,
    /// The server is a process that cannot be observed.
    pub(crate) unobservable: bool,
}

/// The CPUs of the server and of its clients.
#[derive(Debug, Clone)]
pub(crate) struct CpuSplit {
    pub(crate) server: CpuSet,
    pub(crate) clients: CpuSet,
}

impl CpuSplit {
    pub(crate) fn all(&self) -> CpuSet {
        self.server.iter().chain(self.clients.iter()).collect()
    }
}

/// Observes until the last window ends or the windows are over. `start` is the common start of all threads.
pub(crate) fn observe(
    clock: &dyn Clock,
    instances: &[Box<dyn Instance>],
    shared: &SharedWindows,
    (cpus, stall): (&CpuSplit, Option<&Event>),
    start: &OnceLock<f64>,
) -> Observations {
    let (windows, over) = (shared.windows, &shared.over);
    let unobservable = instances.iter().any(|one| one.executor() == Executor::Unobservable);
    let mut observed = Observations { unobservable, ..Observations::default() };
    let Some(start) = wait_for(over, || start.get().copied().ok_or(0.0)) else { return observed };
    let process = |one: &dyn Instance| match one.executor() {
        Executor::Process(pid) => Some(pid),
        Executor::CallingThread | Executor::Unobservable => None,
    };
    // All or none: the sum of some servers is not known.
    let pids: Vec<u32> =
        instances.iter().map(|one| process(&**one)).collect::<Option<_>>().unwrap_or_default();
    let counting: Vec<Counting<Process>> =
        pids.iter().filter_map(|pid| start_counting(*pid, stall)).collect();
    let all_cpus = cpus.all();
    let throttles = || usage::throttles(&all_cpus);
    let (mut first_times, mut first_status, mut first_throttles) = (None, vec![], None);
    let reached = |when: f64| {
        let left = when - clock.now();
        if left > 0.0 { Err(left) } else { Ok(()) }
    };
    for edge in 0..=windows.count {
        let when = start + windows.warm_up + windows.seconds * edge as f64;
        if edge == 0 {
            if wait_for(over, || reached(when - STATUS_LEAD)).is_none() {
                return observed;
            }
            first_status = status_counters(instances);
            first_throttles = throttles();
        }
        if wait_for(over, || reached(when)).is_none() {
            return observed;
        }
        if !pids.is_empty() {
            let now = clock.now();
            match server_usage(&pids, &counting, stall) {
                Some(usage) => observed.server.push((now, usage)),
                None => {
                    observed.server_died = true;
                    over.store(true, Relaxed);
                    return observed;
                }
            }
        }
        if edge == 0 {
            first_times = usage::cpu_times().map(|times| (clock.now(), times));
        }
    }
    if let (Some((then, before)), Some(after)) = (first_times, usage::cpu_times()) {
        observed.add_cpu_times(clock.now() - then, &before, &after, cpus);
    }
    observed.throttled =
        throttles().zip(first_throttles).map(|(now, then)| now.saturating_sub(then));
    // A counter that was unknown before the windows has no difference.
    let before = |name: &str| first_status.iter().find(|(n, ..)| *n == name).map(|c| c.2);
    let after = status_counters(instances).into_iter();
    observed.status =
        after.filter_map(|(name, unit, x)| Some((name, unit, x - before(name)?))).collect();
    observed
}

/// Counts a process's cycles, instructions and stalled cycles, where allowed.
fn start_counting(pid: u32, stall: Option<&Event>) -> Option<Counting<Process>> {
    let mut counting = Counting::open(Process { pid }, &counter_groups(stall), Mode::All);
    (counting.refused().is_none() && counting.start().is_ok()).then_some(counting)
}

/// The usage of all servers; `None` if one has ended.
fn server_usage(
    pids: &[u32],
    counting: &[Counting<Process>],
    stall: Option<&Event>,
) -> Option<Usage> {
    let counts: Vec<_> = counting.iter().map(|one| one.counts()).collect();
    let counted = counts.len() == pids.len();
    let each = pids.iter().enumerate().map(|(index, pid)| {
        let used = usage::process_usage(*pid)?;
        let counts = if counted { counts.get(index) } else { None };
        let switches = used.ctx_voluntary + used.ctx_involuntary;
        Some(Usage::new(used.cpu_seconds, switches, counts, stall))
    });
    each.reduce(|sum, one| Some(sum?.plus(&one?)))?
}

/// The sums of all instances' status counters.
fn status_counters(instances: &[Box<dyn Instance>]) -> Vec<(&'static str, Unit, f64)> {
    let mut sums: Vec<(&'static str, Unit, f64)> = vec![];
    for (name, unit, value) in instances.iter().flat_map(|one| one.status_counters()) {
        match sums.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., sum)) => *sum += value,
            None => sums.push((name, unit, value)),
        }
    }
    sums
}

/// Sleeps until `ready` returns a value instead of the seconds that are left; `None` if `over` is set before.
fn wait_for<T>(over: &AtomicBool, ready: impl Fn() -> Result<T, f64>) -> Option<T> {
    loop {
        let left = match ready() {
            Ok(found) => return Some(found),
            Err(left) => left,
        };
        if over.load(Relaxed) {
            return None;
        }
        host::clock::sleep(Duration::from_secs_f64(left.clamp(SHORTEST_SLEEP, LONGEST_SLEEP)));
    }
}

impl Observations {
    fn add_cpu_times(
        &mut self,
        seconds: f64,
        before: &CpuTimes,
        after: &CpuTimes,
        cpus: &CpuSplit,
    ) {
        self.seconds = seconds;
        let (mut busy, mut stolen, mut count) = (0.0, 0.0, 0);
        for cpu in cpus.all().iter() {
            let times = before.per_cpu.get(&cpu).zip(after.per_cpu.get(&cpu));
            let Some((then, now)) = times else { continue };
            let used = now.busy - then.busy;
            busy += used;
            stolen += now.steal - then.steal;
            count += 1;
            if cpus.clients.contains(cpu) && !cpus.server.contains(cpu) {
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
    use crate::db::windows::Windows;
    use database::{
        engine::{EngineInfo, SqlDialect},
        session::{Error, Session},
    };
    use host::clock::Monotonic;
    use std::sync::atomic::AtomicUsize;

    /// An engine whose status counter grows by one per query, after some queries without an answer.
    struct CountingEngine {
        executor: Executor,
        unanswered: usize,
        queries: AtomicUsize,
    }
    impl Instance for CountingEngine {
        fn info(&self) -> EngineInfo {
            EngineInfo::default()
        }
        fn dialect(&self) -> SqlDialect {
            SqlDialect::Mysql
        }
        fn executor(&self) -> Executor {
            self.executor
        }
        fn loader_session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
            panic!("the test loads nothing")
        }
        fn session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
            panic!("the test opens no session")
        }
        fn status_counters(&self) -> Vec<(&'static str, Unit, f64)> {
            let queries = self.queries.fetch_add(1, Relaxed);
            let reads = ("disk_reads", Unit::Count, 1e6 + queries as f64);
            if queries < self.unanswered { vec![] } else { vec![reads] }
        }
    }

    fn observed(executor: Executor, unanswered: usize) -> Observations {
        let queries = AtomicUsize::new(0);
        let instances: Vec<Box<dyn Instance>> =
            vec![Box::new(CountingEngine { executor, unanswered, queries })];
        let clock = Monotonic::new();
        let cpus = CpuSplit { server: CpuSet::default(), clients: CpuSet::default() };
        let start = OnceLock::from(clock.now());
        let shared =
            SharedWindows::new(Windows { warm_up: 0.0, seconds: 1e-3, count: 1 }, 1, 1, None)
                .unwrap();
        observe(&clock, &instances, &shared, (&cpus, None), &start)
    }

    #[test]
    fn status_counters_are_differences() {
        let status = |unanswered| observed(Executor::CallingThread, unanswered).status;
        assert_eq!(status(0), [("disk_reads", Unit::Count, 1.0)]);
        assert_eq!(status(1), [], "a total is no difference");
    }

    #[test]
    fn an_unobservable_server_is_reported() {
        assert!(observed(Executor::Unobservable, 0).unobservable);
        assert!(!observed(Executor::CallingThread, 0).unobservable);
    }
}
