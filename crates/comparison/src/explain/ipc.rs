//! Instructions per cycle of a thread: counted, printed beside the result, or from what assembly fixes.
use super::{Amount, How, seen::Seen};
use crate::say;
use record::{Metric, ProbeId, Reason};

/// Commands that a probe starts: what the sampler counts beside the case is theirs.
const STARTED: &[ProbeId] = &[ProbeId::Bc, ProbeId::Openssl];

pub(super) fn of(seen: &Seen<'_>) -> Result<Amount, Reason> {
    let why = match &seen.counts {
        Ok(counts) => {
            let ipc = counts.instructions / counts.cycles;
            return Ok(Amount::measured(ipc, counts.shared(say::FROM_IPC)));
        }
        Err(unusable) => unusable.why.clone(),
    };
    if super::counts::declined(&seen.counts).is_some() {
        return Err(why);
    }
    if let Some((ipc, ..)) = seen.beside(Metric::Ipc) {
        let (how, from) = match seen.imported() {
            true => (How::Stated, say::FROM_PRINTED_BESIDE),
            false => (How::Measured, say::FROM_COUNTED_BESIDE),
        };
        return Ok(Amount::exact(ipc, how, from));
    }
    let started = STARTED.contains(&seen.run.case.probe);
    if let Some(ipc) = seen.reading("counters.ipc").filter(|_| started) {
        return Ok(Amount::measured(ipc, say::FROM_ALL_STARTED));
    }
    let derived = || {
        let each = super::instructions::of(seen).ok()?.value;
        Some(each * seen.rate / seen.series.frequency?)
    };
    let ipc = derived().ok_or(why)?;
    Ok(Amount::inferred(ipc, say::FROM_IPC_DERIVED))
}
