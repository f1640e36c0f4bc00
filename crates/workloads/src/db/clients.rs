//! Client threads: a closed loop of queries or transactions through all windows, with a common start.
use super::{
    observer::{CpuSplit, Observations, observe},
    windows::{SharedWindows, Window, WindowRecorder, Windows},
};
use database::engine::Instance;
use host::{
    counters::Event,
    threads::{not_started, run_unpinned},
};
use measure::bench::Bench;
use record::{CpuSet, Reason};
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
};

/// The load of one client thread.
pub(crate) trait ClientLoad {
    /// Runs and records one event or a few.
    ///
    /// # Errors
    /// The database refused for good or is gone.
    fn run(&mut self, recorder: &mut WindowRecorder<'_>) -> Result<(), Reason>;
    /// After the last window: totals, and checks of the thread's own data.
    ///
    /// # Errors
    /// The database refused or is gone.
    fn finish(self) -> Result<ClientTotals, Reason>;
}

/// Totals of a client thread, with the warm-up.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ClientTotals {
    /// Retries after deadlocks, lock wait timeouts and changed rows.
    pub(crate) retries: [u64; 3],
    pub(crate) rolled_back: u64,
    pub(crate) given_up: u64,
    /// Committed new orders.
    pub(crate) new_orders: i64,
    /// The same number as the database counts it, where the thread has its own data.
    pub(crate) stored_orders: Option<i64>,
    /// Violated consistency conditions and their numbers of rows.
    pub(crate) violations: Vec<(usize, i64)>,
    /// Answers that were not the selected row.
    pub(crate) wrong: u64,
    /// Share of its CPU time that a spinning thread found no answer; the minimum over threads.
    pub(crate) idle: Option<f64>,
}

impl ClientTotals {
    fn plus(mut self, other: ClientTotals) -> ClientTotals {
        self.retries.iter_mut().zip(other.retries).for_each(|(sum, n)| *sum += n);
        self.rolled_back += other.rolled_back;
        self.given_up += other.given_up;
        self.new_orders += other.new_orders;
        self.stored_orders = self.stored_orders.zip(other.stored_orders).map(|(a, b)| a + b);
        self.violations.extend(other.violations);
        self.wrong += other.wrong;
        self.idle = self.idle.into_iter().chain(other.idle).reduce(f64::min);
        self
    }
}

/// The result of all client threads.
#[derive(Debug)]
pub(crate) struct ClientSamples {
    pub(crate) windows: Vec<Window>,
    pub(crate) observed: Observations,
    pub(crate) totals: ClientTotals,
    /// The event of stalled cycles.
    pub(crate) stall: Option<Event>,
}

/// CPUs of the client threads, and the duration.
#[derive(Debug, Clone)]
pub(crate) struct ClientPlan {
    /// CPUs of each thread.
    pub(crate) places: Vec<CpuSet>,
    pub(crate) windows: Windows,
    /// Number of event types.
    pub(crate) event_types: usize,
    /// Latencies below this many nanoseconds are not distinguished.
    pub(crate) min_latency: u64,
    pub(crate) cpus: CpuSplit,
    /// The event of stalled cycles, where the processor has one.
    pub(crate) stall: Option<Event>,
}

/// Runs the load that `make` creates on each client thread.
///
/// # Errors
/// A thread cannot be placed, a load failed, or the server died.
pub(crate) fn run_clients<L: ClientLoad>(
    bench: &mut Bench<'_>,
    instances: &[Box<dyn Instance>],
    plan: &ClientPlan,
    make: impl Fn(usize) -> Result<L, Reason> + Sync,
) -> Result<ClientSamples, Reason> {
    let (clock, cancel, threads) = (bench.clock, bench.cancel, plan.places.len());
    let (types, stall) = (plan.event_types, plan.stall.clone());
    let shared = SharedWindows::new(plan.windows, types, plan.min_latency, stall)?;
    let (start, failed) = (OnceLock::new(), AtomicBool::new(false));
    let (results, observed) = thread::scope(|scope| {
        let observer = thread::Builder::new().spawn_scoped(scope, || {
            let observed = (&plan.cpus, plan.stall.as_ref());
            observe(clock, instances, &shared, observed, &start)
        });
        let observer = observer.map_err(|error| not_started(&error))?;
        let results = run_unpinned(&plan.places, |worker| -> Result<ClientTotals, Reason> {
            let ready = make(worker.index)
                .and_then(|load| Ok((load, WindowRecorder::new(clock, &shared, cancel)?)));
            if ready.is_err() {
                failed.store(true, SeqCst);
            }
            worker.barrier();
            // All return here, or the others would wait at the next barrier for ever.
            if failed.load(SeqCst) {
                return ready.map(|_| ClientTotals::default());
            }
            let (mut load, mut recorder) = ready?;
            recorder.begin(*start.get_or_init(|| clock.now()));
            let mut result = Ok(());
            while result.is_ok() && !recorder.is_over() {
                result = load.run(&mut recorder);
            }
            if result.is_err() {
                shared.over.store(true, SeqCst);
            }
            // Checks of one thread must not disturb the last window of others.
            worker.barrier();
            result?;
            load.finish()
        });
        // Threads that did not start or were interrupted have not stopped the observer.
        if start.get().is_none() || cancel.load(SeqCst) {
            shared.over.store(true, SeqCst);
        }
        Ok::<_, Reason>((results, observer.join()))
    })?;
    let observed = observed.map_err(|_| Reason::new("the observer thread panicked"))?;
    let mut totals: Option<ClientTotals> = None;
    let mut error = None;
    for (thread, result) in results? {
        if plan.places.iter().all(|place| place.len() == 1) {
            bench.ran(thread);
        }
        match result {
            Ok(one) => totals = Some(totals.map_or(one.clone(), |sum| sum.plus(one))),
            Err(why) => error = error.or(Some(why)),
        }
    }
    if observed.server_died {
        return Err(server_died(error));
    }
    if let Some(why) = error {
        return Err(why);
    }
    let totals = totals.ok_or("no client thread ran")?;
    let (windows, stall) = (shared.closed(threads), plan.stall.clone());
    Ok(ClientSamples { windows, observed, totals, stall })
}

/// The server died. The error of a client names the signal and the end of the error log of a server that we started.
fn server_died(error: Option<Reason>) -> Reason {
    let (what, remedy) = error.map_or((None, None), |error| (Some(error.why), error.remedy));
    let what = what.map_or(String::new(), |what| format!(": {what}"));
    Reason::mended_by(
        format!("the database server died while it was measured{what}"),
        remedy.unwrap_or_else(|| {
            "read its error log; the kernel's log says whether memory ran out (dmesg)".into()
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_died_server_is_reported_with_its_end() {
        let plain = server_died(None);
        assert!(plain.why.ends_with("measured") && plain.remedy.is_some());
        let killed = server_died(Some(Reason::new("the server was killed by signal 11: mariadbd")));
        assert!(killed.why.ends_with("measured: the server was killed by signal 11: mariadbd"));
        assert_eq!(killed.remedy, plain.remedy);
        let killed =
            server_died(Some(Reason::mended_by("killed by signal 9", "dmesg | grep -i oom")));
        assert_eq!(killed.remedy.as_deref(), Some("dmesg | grep -i oom"));
    }
}
