//! Limits of the process: its quota of CPU time and its set of CPUs.
use super::{Cause, Objection, warn};
use crate::report::Report;
use crate::say;
use crate::words::plain;
use record::{Outcome, ProbeId};

/// The most CPUs that a measured case used at once; at least the one we run on.
fn used(report: &Report<'_>) -> usize {
    // A counted run of somebody's program names the CPUs that it could have used.
    let ours = |r: &&record::Run| r.case.probe != ProbeId::Stat;
    let runs = report.record.runs.iter().filter(ours);
    let measured = runs.filter(|r| matches!(r.outcome, Outcome::Measured(_)));
    measured.map(|r| r.case.place.cpus.len()).max().unwrap_or(1).max(1)
}

pub(super) fn quota(report: &Report<'_>) -> Option<Objection> {
    let quota = crate::facts::cpu_quota(&report.record.machine).ok()??;
    let used = used(report);
    if quota >= used as f64 {
        return None;
    }
    Some(warn(Cause::Quota { quota }, say::quota_used(plain(quota), used), say::RAISE_QUOTA))
}

pub(super) fn cpuset(report: &Report<'_>) -> Option<Objection> {
    let topology = &report.record.machine.topology;
    let (online, usable) = (topology.online(), topology.usable());
    if usable.is_empty() || usable.len() >= online.len() {
        return None;
    }
    Some(warn(
        Cause::CpuSet { usable: usable.len(), online: online.len() },
        say::only_some_cpus(usable.len(), online.len()),
        say::WIDEN_CPUSET,
    ))
}
