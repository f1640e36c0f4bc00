//! The number of busy CPUs: CPU time over elapsed time, else as many as it was given.
use super::{Amount, How, seen::Seen};
use record::{Metric, ProbeId, Reason, param};

/// CPUs at work, on average; divided by the threads of a core they are cores.
pub(super) fn threads(seen: &Seen<'_>) -> Result<Amount, Reason> {
    if let Some(program) = &seen.program
        && let Some(cpus) = program.cpus()
    {
        return Ok(Amount::exact(cpus, How::Measured, "CPU time over elapsed time"));
    }
    if let Ok(counts) = &seen.counts {
        return Ok(match counts.cpu {
            Some(cpu) => {
                Amount::exact(cpu / counts.elapsed, How::Measured, "CPU time over elapsed time")
            }
            None => Amount::exact(1.0, How::Inferred, "its cycles are those of one CPU"),
        });
    }
    if let Some((value, low, high)) = seen.beside(Metric::CpusUsed) {
        let (how, from) = match seen.imported() {
            true => (How::Stated, "CPU use as printed"),
            false => (How::Measured, "CPU time over elapsed time"),
        };
        return Ok(Amount { value, low, high, how, from: from.into() });
    }
    // Of the copies of a command each states its CPU time.
    if let Some((each, ..)) = seen.beside(Metric::CpuTime)
        && let Some(copies) = given(seen)
    {
        let used = copies * each * seen.rate;
        return Ok(Amount::exact(used, How::Measured, "CPU time over elapsed time"));
    }
    match given(seen) {
        Some(count) => {
            Ok(Amount::exact(count, How::Stated, "given to it; how busy they were is not stated"))
        }
        None => Err(Reason::new("how many CPUs it used is not stated")),
    }
}

/// CPUs or copies that it was given.
pub(super) fn given(seen: &Seen<'_>) -> Option<f64> {
    let pinned = seen.run.case.place.cpus.len();
    let threads = seen.run.threads.len();
    let cores = seen.count(param::CORES).map(|cores| cores * seen.per_core);
    let at_once = [param::THREAD_COUNT, param::PROCESSES, param::COPIES, param::THREADS];
    (threads > 0)
        .then_some(threads as f64)
        .or_else(|| {
            seen.count(param::THREADS).filter(|_| seen.run.case.probe == ProbeId::ScalingRun)
        })
        .or((pinned > 0).then_some(pinned as f64))
        .or(cores)
        .or_else(|| at_once.into_iter().find_map(|of| seen.count(of)))
}
