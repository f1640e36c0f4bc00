//! The work of a probe that a scaling run repeats on more and more CPUs: independent copies, one per thread.
use crate::{
    place,
    plan::{self, Entry},
};
use kernels::{Features, Line};
use record::{CpuSet, Machine, Reason, Unit, param::Parameter};

/// Work of one copy: does so many steps, and returns how much that was, in the unit of [`ScalableWork::unit`] times seconds.
pub type Work<'a> = &'a mut dyn FnMut(u64) -> f64;

/// What a copy works with: memory that holds random words.
#[derive(Debug)]
pub struct CopyResources<'a> {
    /// The kind of work.
    pub kind: &'a str,
    /// Its memory; a few lines where the work needs none.
    pub memory: &'a mut [Line],
    /// The instruction set extensions of this machine.
    pub features: Features,
    /// Seed of random orders.
    pub seed: u64,
}

/// Prepares a copy on the calling thread and hands its work over. It fails where this machine cannot do that kind of work.
pub type Prepare = fn(CopyResources<'_>, &mut dyn FnMut(Work<'_>)) -> Result<(), Reason>;

/// Work that any number of threads can do at once without shared data.
#[derive(Debug)]
pub struct ScalableWork {
    /// Unit of what a copy does in a second; more is better.
    pub unit: Unit,
    /// The parameter that names the kind of this work.
    pub parameter: Parameter<str>,
    /// The values of the parameter; the first is the default.
    pub kinds: fn() -> Vec<&'static str>,
    /// Memory of all copies together, as a multiple of the last-level caches that they reach; 0 if a few lines are enough.
    pub llc_multiple: u64,
    /// What prepares a copy.
    pub prepare: Prepare,
}

/// Copies at most: as many as a kernel has CPUs at most (NR_CPUS).
pub const MOST_COPIES: u64 = 8192;

impl ScalableWork {
    /// Bytes of memory that each of so many copies on these CPUs works on: 64 MiB at least where there is room, 0 if it needs
    /// no more than a few lines.
    pub fn bytes(&self, machine: &Machine, cpus: &CpuSet, copies: usize, free: Option<u64>) -> u64 {
        if self.llc_multiple == 0 {
            return 0;
        }
        let each = copies.max(1) as u64;
        let caches = place::last_levels(machine, cpus).unwrap_or(place::UNKNOWN_LLC * each);
        place::within((self.llc_multiple * caches / each).max(64 << 20), copies, free)
    }
}

/// The probes of these that have such work, and their ids.
pub fn all(probes: &[Entry]) -> Vec<(&'static str, &'static ScalableWork)> {
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
        let work = |llc_multiple| ScalableWork {
            unit: Unit::PerSecond,
            parameter: record::param::KERNEL,
            kinds: Vec::new,
            llc_multiple,
            prepare: |_, _| Ok(()),
        };
        assert_eq!(work(4).bytes(&machine, &cpus, 8, Some(1 << 30)), 64 << 20);
        assert!(work(4).bytes(&machine, &cpus, 2, Some(1 << 40)) >= 4 * place::UNKNOWN_LLC);
        assert_eq!(work(0).bytes(&machine, &cpus, 2, Some(1 << 40)), 0);
    }
}
