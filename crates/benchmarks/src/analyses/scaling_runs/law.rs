//! The scalability law of a workload.
use super::ScalingRun;
use crate::say;
use record::{Machine, Reason, Run};
use stats::usl::{self, Point};

/// The law over the steps of whole cores, every repeat a point.
pub(super) fn of(
    scaling_run: &ScalingRun,
    machine: &Machine,
    runs: &[(usize, &Run)],
) -> Result<usl::UslFit, Reason> {
    equal_cores(machine, runs.iter().flat_map(|(_, r)| r.case.place.cpus.iter()))?;
    let measured = scaling_run.cores().filter(|r| !r.rates.is_empty());
    let rates: Vec<(usize, &[f64])> = measured.map(|r| (r.cores, &r.rates[..])).collect();
    fit(&rates, false)
}

/// The law over every rate on each of these numbers of cores; `shared` says that points were left out, as their clients had no CPUs
/// of their own.
pub(crate) fn fit(rates: &[(usize, &[f64])], shared: bool) -> Result<usl::UslFit, Reason> {
    let of = |(cores, rates): &(usize, &[f64])| -> Vec<Point> {
        rates.iter().map(|rate| Point { count: *cores as f64, rate: *rate }).collect()
    };
    let points: Vec<Point> = rates.iter().flat_map(of).collect();
    usl::fit(&points, 0.95).ok_or_else(|| {
        Reason::new(match shared {
            true => say::law_needs_four_own_cpus(rates.len()),
            false => say::law_needs_four(rates.len()),
        })
    })
}

/// Checks that these CPUs are of one kind.
///
/// # Errors
/// The law says nothing of cores of several kinds.
pub(crate) fn equal_cores(
    machine: &Machine,
    cpus: impl Iterator<Item = u32>,
) -> Result<(), Reason> {
    let kind = |id: u32| machine.topology.cpu(id).and_then(|c| c.kind.as_ref());
    let mut kinds: Vec<_> = cpus.map(kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    match kinds.len() {
        0 | 1 => Ok(()),
        _ => Err(Reason::mended_by(say::LAW_EQUAL_CORES, say::ONE_KIND_CORES)),
    }
}
