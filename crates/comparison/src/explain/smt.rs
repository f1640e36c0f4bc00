//! The gain of a core's second thread, by the same work on one thread of as many cores in the same record.
use super::{Amount, How, seen::Seen};
use crate::say;
use record::{
    OrWhy, Reason, Record, Run,
    param::{self, Parameter},
};

/// Parameters that say how many threads there are and where, and not what they do.
const PLACED: &[&str] =
    &["copies", "cpu", "placement", "processes", "repeat", "step", "thread_count", "threads"];

/// Threads in use of each core, on average.
pub(super) fn threads_per_core(record: &Record, run: &Run) -> f64 {
    let number =
        |parameter: Parameter<u64>| run.case.get(parameter).filter(|n| *n > 0).map(|n| n as f64);
    if run.case.get(param::PLACEMENT).is_some_and(|place| place.contains("SMT pair"))
        || run.case.get(param::ONE_OR_ALL) == Some("siblings")
    {
        return 2.0;
    }
    if let (Some(threads), Some(cores), "scaling_run") =
        (number(param::THREADS), number(param::CORES), run.case.probe.as_str())
    {
        return (threads / cores).max(1.0);
    }
    let topology = &record.machine.topology;
    let cpus = run.cpus();
    if !cpus.is_empty() {
        return cpus.len() as f64 / topology.cores_of(&cpus).max(1) as f64;
    }
    // More threads than the machine has cores are on siblings.
    let given = [param::THREAD_COUNT, param::PROCESSES, param::COPIES, param::THREADS]
        .into_iter()
        .find_map(number);
    let cores = record.machine.cores();
    match given.filter(|_| cores > 0) {
        Some(given) => {
            let most = topology.online().len() as f64 / cores as f64;
            (given / cores as f64).clamp(1.0, most.max(1.0))
        }
        None => 1.0,
    }
}

pub(super) fn of(seen: &Seen<'_>, all: &[Seen<'_>]) -> Result<Amount, Reason> {
    if seen.per_core < 1.01 {
        let how = if seen.imported() { How::Stated } else { How::Measured };
        return Ok(Amount::exact(1.0, how, say::FROM_ONE_THREAD));
    }
    let same = |s: &&Seen<'_>| {
        let near = |(a, b): (f64, f64)| (a / b - 1.0).abs() < 0.05;
        s.alone_as(seen, PLACED) && s.cores().zip(seen.cores()).is_some_and(near)
    };
    let alone = all.iter().find(same).or_why(say::FROM_NO_SINGLE_RUN, say::FIX_SCALE)?;
    let gain = seen.rate / alone.rate;
    Ok(Amount::measured(gain, say::FROM_SAME_CORES))
}
