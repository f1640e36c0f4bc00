//! Something that watches while a probe runs: scheduling, steal, swapping, counters, energy.
use record::{CpuSet, Reading, Reason};

/// A watcher that can be opened on this machine, or says why not. Its id is its file's name.
#[derive(Debug)]
pub(crate) struct Sampler {
    /// Opens it, or says why it cannot watch here and what would let it.
    pub(crate) open: fn() -> Result<Box<dyn Watch>, Reason>,
    /// Whether switches between threads take longer while it is open, as they do while events are counted.
    pub(crate) slows_switches: bool,
}

/// An open watcher.
pub(crate) trait Watch {
    /// A case begins, on these CPUs.
    fn start(&mut self, cpus: &CpuSet);
    /// The case has ended: what was seen since `start`.
    fn stop(&mut self) -> Vec<Reading>;
    /// Readings of the case that has ended which are missing, by name, and why.
    fn unread(&self) -> Vec<(String, Reason)> {
        vec![]
    }
}

#[cfg(test)]
mod contract {
    use crate::samplers::ALL;

    #[test]
    fn every_sampler_opens_or_says_why_and_reads_finite_numbers() {
        for (id, sampler) in ALL {
            match (sampler.open)() {
                Err(reason) => assert!(!reason.why.is_empty(), "{id}"),
                Ok(mut watch) => {
                    watch.start(&[0].into_iter().collect());
                    for reading in watch.stop() {
                        assert!(
                            reading.value.is_finite() && reading.value >= 0.0,
                            "{id}: {reading:?}"
                        );
                        assert!((0.0..=1.0).contains(&reading.coverage), "{id}: {reading:?}");
                        assert!(reading.name.starts_with(id), "{id}: {reading:?}");
                    }
                }
            }
        }
    }
}
