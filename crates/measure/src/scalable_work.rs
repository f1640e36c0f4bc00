//! The work of a probe that a scaling run repeats on more and more CPUs: independent copies, one per thread.
use crate::{
    place,
    plan::{self, Entry},
};
use kernels::{Features, Line};
use record::{CpuSet, Machine, Reason, Unit, param::Parameter};

/// Work of one copy: does so many steps, and returns how much that was, in the unit of [`ScalableWork::unit`] times seconds.
pub type Work<'a> = &'a mut dyn FnMut(u64) -> f64;

/// Work that any number of threads can do at once without shared data.
pub trait ScalableWork: Sync {
    /// Unit of what a copy does in a second; more is better.
    fn unit(&self) -> Unit;
    /// The parameter that names the kind of this work, and its values; the first is the default.
    fn kinds(&self) -> (Parameter<str>, Vec<&'static str>);
    /// Bytes of memory that each of so many copies on these CPUs works on, as far as that much is free; 0 if it needs no
    /// more than a few lines.
    fn bytes(&self, _: &Machine, _: &CpuSet, _copies: usize, _free: Option<u64>) -> u64 {
        0
    }
    /// Prepares on the calling thread, in memory that holds random words, and hands the work to `go`.
    ///
    /// # Errors
    /// This machine cannot do that kind of work.
    fn prepare(
        &self,
        kind: &str,
        memory: &mut [Line],
        features: &Features,
        seed: u64,
        go: &mut dyn FnMut(Work<'_>),
    ) -> Result<(), Reason>;
}

/// Copies at most: as many as a kernel has CPUs at most (NR_CPUS).
pub const MOST_COPIES: u64 = 8192;

/// Bytes a copy for work on memory: all copies together so many times the caches that they reach, 64 MiB each at least
/// where there is room.
pub fn beyond_caches(
    machine: &Machine,
    cpus: &CpuSet,
    copies: usize,
    free: Option<u64>,
    times: u64,
) -> u64 {
    let each = copies.max(1) as u64;
    let caches = place::last_levels(machine, cpus).unwrap_or(place::UNKNOWN_LLC * each);
    place::within((times * caches / each).max(64 << 20), copies, free)
}

/// Those of these probes that have such work, and their ids.
pub fn all(probes: &[Entry]) -> Vec<(&'static str, &'static dyn ScalableWork)> {
    let entries = plan::entries(probes).into_iter();
    entries.filter_map(|(id, probe)| Some((id, (probe.scalable_work)()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_the_memory_that_is_free() {
        let machine = Machine::default();
        let cpus: CpuSet = (0..8).collect();
        assert_eq!(beyond_caches(&machine, &cpus, 8, Some(1 << 30), 4), 64 << 20);
        assert!(beyond_caches(&machine, &cpus, 2, Some(1 << 40), 4) >= 4 * place::UNKNOWN_LLC);
    }
}
