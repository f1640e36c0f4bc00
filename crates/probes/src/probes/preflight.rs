//! Environment check: CPU contention, steal and swapping before and after the run.
//!
//! Method: waits up to 10 s for a quiet moment before the run (contention below 5 %, steal below 1 %). Then `/proc/stat`
//! and `/proc/vmstat` before and after five sleeps of 100 ms, without this process's CPU time.
//! Limits: a guest sees only the steal that its hypervisor reports; a container sees the whole host.
use crate::prelude::*;
use host::{clock::sleep, usage};
use measure::cpu_contention::Snapshot;
use record::Reading;
use std::time::Duration;

/// Other load, steal, runnable tasks, swapping.
pub static PROBE: Probe = Probe {
    visits: 2,
    always: true,
    first_and_last: true,
    ..Probe::new(10, 1, "Environment: other load, steal, swapping", cases, run)
};

/// The limit of a quiet machine, as in the environment check.
const QUIET_BUSY: f64 = 0.05;
const QUIET_STEAL: f64 = 0.01;
const NAPS: u32 = 5;
const NAP: Duration = Duration::from_millis(100);

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    Ok(vec![setting.case(setting.cpus.clone(), &[], 0.8)])
}

fn run(_: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let denied = || {
        Reason::mended_by("/proc/stat cannot be read, so other load is not known", "mount /proc")
    };
    if bench.visit == 0 {
        let waited = wait_for_quiet(bench);
        bench.readings.push(Reading::new("preflight.waited", Unit::Seconds, waited));
    }
    let mut busy = Series::new(Metric::Busy, Unit::Ratio, Better::Lower);
    let mut steal = Series::new(Metric::Steal, Unit::Ratio, Better::Lower);
    let mut runnable = Series::new(Metric::Runnable, Unit::Count, Better::Lower);
    let mut swap = Series::new(Metric::Swap, Unit::PerSecond, Better::Lower);
    for nap in 0..NAPS {
        let then = Snapshot::now().ok_or_else(denied)?;
        let begin = bench.clock.now();
        sleep(NAP);
        let took = bench.clock.now() - begin;
        let now = Snapshot::now().ok_or_else(denied)?;
        if let Some(taken) = then.until(&now, &CpuSet::default()) {
            busy.samples.push(taken.busy);
            steal.samples.push(taken.steal);
            swap.samples.extend(taken.swapped.map(|pages| pages as f64 / took));
        }
        if let Some(tasks) = usage::running_tasks() {
            runnable.samples.push(tasks.running.saturating_sub(1) as f64);
        }
        bench.done(f64::from(nap + 1) / f64::from(NAPS));
    }
    let series: Vec<Series> =
        [busy, steal, runnable, swap].into_iter().filter(|s| !s.samples.is_empty()).collect();
    if series.is_empty() {
        return Err(Reason::new("/proc/stat did not advance in half a second"));
    }
    Ok(series)
}

/// Waits until a nap was quiet, and says for how many seconds; 0 if the first was.
fn wait_for_quiet(bench: &Bench<'_>) -> f64 {
    let begin = bench.clock.now();
    let mut naps = 0;
    loop {
        let then = Snapshot::now();
        sleep(NAP);
        let taken =
            then.zip(Snapshot::now()).and_then(|(then, now)| then.until(&now, &CpuSet::default()));
        let quiet = taken.is_none_or(|t| t.busy < QUIET_BUSY && t.steal < QUIET_STEAL);
        let waited = bench.clock.now() - begin;
        if quiet || waited > bench.patience || bench.cancelled() || bench.time_scale < 1.0 {
            return if naps == 0 { 0.0 } else { waited };
        }
        naps += 1;
    }
}
