//! The number of busy CPUs: CPU time over elapsed time, else as many as it was given.
use super::{Amount, How, seen::Seen};
use crate::say;
use record::{Message, Metric, ProbeId, Reason, param};

/// The source of a number of busy CPUs.
const BUSY: Message = say::FROM_CPU_OVER_ELAPSED;

/// CPUs at work, on average; divided by the threads of a core they are cores.
pub(super) fn threads(seen: &Seen<'_>) -> Result<Amount, Reason> {
    if let Some(cpus) = seen.program.as_ref().and_then(|program| program.cpus()) {
        return Ok(Amount::measured(cpus, BUSY));
    }
    if let Ok(counts) = &seen.counts {
        return Ok(match counts.cpu {
            Some(cpu) => Amount::measured(cpu / counts.elapsed, BUSY),
            None => Amount::inferred(1.0, say::FROM_CYCLES_ONE_CPU),
        });
    }
    if let Some((value, low, high)) = seen.beside(Metric::CpusUsed) {
        let (how, from) = match seen.imported() {
            true => (How::Stated, say::FROM_CPU_PRINTED),
            false => (How::Measured, BUSY),
        };
        return Ok(Amount { value, low, high, how, from: from.into() });
    }
    // Of the copies of a command each states its CPU time.
    if let Some(((each, ..), copies)) = seen.beside(Metric::CpuTime).zip(given(seen)) {
        return Ok(Amount::measured(copies * each * seen.rate, BUSY));
    }
    let count = given(seen).ok_or_else(|| Reason::new(say::FROM_CPUS_NOT_STATED))?;
    Ok(Amount::stated(count, say::FROM_GIVEN))
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
