//! Whether the machine was the same machine all along: the reference sample between cases, the guard around them.
use super::{Cause, Objection, others::cannot_tell, warn};
use crate::analyses::drift::{Drift, Moved, placement};
use crate::facts;
use crate::report::Report;
use crate::say;
use record::{Reason, Run};

pub(super) fn drift(report: &Report<'_>) -> Option<Objection> {
    let Some(drift) = report.get::<Option<Drift>>() else {
        let why = Reason::mended_by(say::REFERENCE_FEWER, say::MORE_THAN_ONE_CASE);
        return Some(cannot_tell(say::MACHINE_DRIFTED, &why));
    };
    drift.furthest().filter(|moved| moved.too_far()).map(|moved| {
        warn(
            Cause::Drift { resource: moved.resource, range: moved.range },
            drift.reason(),
            say::AGAIN_BOTH_AGREE,
        )
    })
}

pub(super) fn guard(report: &Report<'_>) -> Option<Objection> {
    let guarded: Vec<bool> = report.record.runs.iter().filter_map(moved).collect();
    let moved = guarded.iter().filter(|moved| **moved).count();
    // Pinned threads move on bare metal never, so there it was load.
    let (why, remedy) = match facts::hypervisor(&report.record.machine) {
        Some(_) => (say::HYPERVISOR_MOVED, say::PIN_VIRTUAL),
        None => (say::SOMETHING_USED_CACHES, say::AGAIN_QUIET),
    };
    (moved > 0).then(|| {
        warn(
            Cause::CpusMoved { moved, checked: guarded.len() },
            say::cpus_moved(moved, guarded.len(), why),
            remedy,
        )
    })
}

/// Whether the checks of a case, before and after each attempt, differ; nothing for a case that was not checked.
fn moved(run: &Run) -> Option<bool> {
    placement(run).map(|ends| Moved::placement(ends).too_far())
}
