//! The scalability law of a workload.
use super::ScalingRun;
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
    fit(&rates, "")
}

/// The law over every rate on each of these numbers of cores; `aside` ends the reason why there is none.
pub(crate) fn fit(rates: &[(usize, &[f64])], aside: &str) -> Result<usl::UslFit, Reason> {
    let of = |(cores, rates): &(usize, &[f64])| -> Vec<Point> {
        rates.iter().map(|rate| Point { count: *cores as f64, rate: *rate }).collect()
    };
    let points: Vec<Point> = rates.iter().flat_map(of).collect();
    usl::fit(&points, 0.95).ok_or_else(|| {
        let (there, counts) = (if rates.len() == 1 { "is" } else { "are" }, rates.len());
        Reason::new(format!(
            "the scalability law needs four numbers of cores, and there {there} {counts}{aside}"
        ))
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
        _ => Err(Reason::mended_by(
            "the scalability law is of equal cores, and these are of several kinds",
            "--cpus with cores of one kind",
        )),
    }
}
