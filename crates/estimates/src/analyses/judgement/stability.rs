//! Whether the machine was the same machine all along: the reference sample between cases, the guard around them.
use super::{Cause, Objection, others::cannot_tell, warn};
use crate::analyses::drift::{Drift, Moved, placement};
use crate::facts;
use crate::report::Report;
use record::{Reason, Run};

pub(super) fn drift(report: &Report<'_>) -> Option<Objection> {
    let Some(drift) = report.get::<Option<Drift>>() else {
        let why = Reason::mended_by(
            "its reference sample was taken fewer than twice",
            "measure more than one case in a run",
        );
        return Some(cannot_tell("whether the machine drifted", &why));
    };
    drift.furthest().filter(|moved| moved.too_far()).map(|moved| {
        warn(
            Cause::Drift { resource: moved.resource, range: moved.range },
            drift.verdict.trim_end_matches('.'),
            "measure again while nothing else runs, and compare only what both runs agree on",
        )
    })
}

pub(super) fn guard(report: &Report<'_>) -> Option<Objection> {
    let guarded: Vec<bool> = report.record.runs.iter().filter_map(moved).collect();
    let moved = guarded.iter().filter(|moved| **moved).count();
    // Pinned threads move on bare metal never, so there it was load.
    let (why, remedy) = match facts::hypervisor(&report.record.machine) {
        Some(_) => (
            "the hypervisor has probably moved them",
            "pin the virtual CPUs on the host, as by virsh vcpupin",
        ),
        None => (
            "something else used caches or memory at one of those times",
            "measure again while nothing else runs",
        ),
    };
    (moved > 0).then(|| {
        warn(Cause::CpusMoved { moved, checked: guarded.len() }, format!(
                    "In {moved} of {} cases with several threads the CPUs were not equally fast together all the time: {why}",
                    guarded.len()
                ),
                remedy)
    })
}

/// Whether the checks of a case, before and after each attempt, differ; nothing for a case that was not checked.
fn moved(run: &Run) -> Option<bool> {
    placement(run).map(|ends| Moved::placement(ends).too_far())
}
