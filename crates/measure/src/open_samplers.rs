//! The samplers of a run, of which those that count events are closed while switching itself is measured.
//!
//! As long as a thread anywhere has an event open, and for a second after the last is closed, Linux looks for events at every
//! switch between threads (the key `perf_sched_events`). A round trip through two pipes took a tenth longer with one software event
//! open in another process, fork and exit a twentieth (docs/validation/unixbench.md). Source: kernel/events/core.c.
use crate::sampler::{Sampler, Watch};
use host::clock::sleep;
use record::{CpuSet, Reading, Reason};
use std::{collections::BTreeMap, time::Duration};

/// The time for which the kernel still updates its counters, with a tenth to spare.
pub const KERNEL_DELAY: Duration = Duration::from_millis(1100);

struct Sampled {
    id: &'static str,
    sampler: &'static Sampler,
    /// The open sampler, or why there is none.
    watch: Result<Box<dyn Watch>, Reason>,
    /// Whether that is for this case only.
    closed_for_case: bool,
}

/// All samplers, open or not.
pub(crate) struct OpenSamplers(Vec<Sampled>);

impl OpenSamplers {
    /// Opens what can be opened.
    pub(crate) fn open(samplers: &[(&'static str, &'static Sampler)]) -> OpenSamplers {
        let open = |(id, sampler): &(&'static str, &'static Sampler)| Sampled {
            id,
            sampler,
            watch: (sampler.open)(),
            closed_for_case: false,
        };
        OpenSamplers(samplers.iter().map(open).collect())
    }

    /// Closes samplers that would slow a case that measures `switching`, and opens them again for the next case that does
    /// not. Waits for the kernel if it closed one.
    pub(crate) fn enable_for(&mut self, switching: bool) {
        let mut closed = false;
        for one in self.0.iter_mut().filter(|one| one.sampler.slows_switches) {
            if switching && one.watch.is_ok() {
                one.watch = Err(Reason::mended_by(
                    "counting events makes every switch between threads slower, which is what is measured",
                    "cpulens stat -- COMMAND counts the events of a program",
                ));
                (one.closed_for_case, closed) = (true, true);
            } else if !switching && one.closed_for_case {
                one.watch = (one.sampler.open)();
                one.closed_for_case = false;
            }
        }
        if closed {
            sleep(KERNEL_DELAY);
        }
    }

    /// A case begins, on these CPUs.
    pub(crate) fn start(&mut self, cpus: &CpuSet) {
        self.opened().for_each(|watch| watch.start(cpus));
    }

    /// The case has ended: what was seen of it.
    pub(crate) fn stop(&mut self) -> Vec<Reading> {
        self.opened().flat_map(|watch| watch.stop()).collect()
    }

    /// Data that was missing, by sampler or reading, and why.
    pub(crate) fn unread(&self) -> BTreeMap<String, Reason> {
        let mut all = BTreeMap::new();
        for one in &self.0 {
            match &one.watch {
                Ok(watch) => all.extend(watch.unread()),
                Err(why) => drop(all.insert(one.id.to_owned(), why.clone())),
            }
        }
        all
    }

    fn opened(&mut self) -> impl Iterator<Item = &mut Box<dyn Watch>> {
        self.0.iter_mut().filter_map(|one| one.watch.as_mut().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Unit;

    struct Seen(&'static str);

    impl Watch for Seen {
        fn start(&mut self, _: &CpuSet) {}
        fn stop(&mut self) -> Vec<Reading> {
            vec![Reading::new(self.0, Unit::Count, 1.0)]
        }
    }
    static SEES: Sampler = Sampler { open: || Ok(Box::new(Seen("sees"))), slows_switches: false };
    static COUNTS: Sampler =
        Sampler { open: || Ok(Box::new(Seen("counts"))), slows_switches: true };

    #[test]
    fn whoever_counts_is_closed_while_switching_is_measured_and_no_longer() {
        let mut watches = OpenSamplers::open(&[("counts", &COUNTS), ("sees", &SEES)]);
        let mut read = |switching| {
            watches.enable_for(switching);
            watches.start(&CpuSet::default());
            let names: Vec<String> = watches.stop().into_iter().map(|r| r.name).collect();
            (names.join(" "), watches.unread().into_keys().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(read(false), ("counts sees".into(), String::new()));
        assert_eq!(read(true), ("sees".into(), "counts".into()));
        assert_eq!(read(true), ("sees".into(), "counts".into()));
        assert_eq!(read(false), ("counts sees".into(), String::new()));
    }

    #[test]
    fn all_that_counts_events_says_so() {
        let counting: Vec<&str> = crate::samplers::ALL
            .iter()
            .filter(|(_, sampler)| sampler.slows_switches)
            .map(|(id, _)| *id)
            .collect();
        assert_eq!(counting, ["counters", "migrations"]);
    }
}
