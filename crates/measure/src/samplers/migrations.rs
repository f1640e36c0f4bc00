//! Migrations and context switches of a case's threads: the kernel's own events, which need no PMU and
//! count the threads that the case starts, too.
use crate::sampler::{Sampler, Watch};
use host::counters::{Counting, Event, Mode, Tree};
use record::{CpuSet, Reading, Reason, Unit};

/// The kernel's name for them.
const EVENT: &str = "cpu-migrations";

/// Migrations by `perf_event_open`.
pub(crate) static SAMPLER: Sampler = Sampler { open, slows_switches: true };

fn open() -> Result<Box<dyn Watch>, Reason> {
    let event = Event::software().into_iter().filter(|event| event.name == EVENT).collect();
    let counting = Counting::open(Tree::here(), &[event], Mode::All);
    match counting.refused() {
        Some(reason) => Err(reason.clone()),
        None => Ok(Box::new(Open(counting))),
    }
}

struct Open(Counting<Tree>);

impl Watch for Open {
    fn start(&mut self, _: &CpuSet) {
        // What did not start has run for no time, which `stop` finds out.
        let _ = self.0.start();
    }
    fn stop(&mut self) -> Vec<Reading> {
        let counted = self.0.stop().ok().and_then(|()| self.0.counts().get(EVENT));
        let reading = counted.map(|count| Reading {
            coverage: count.share,
            ..Reading::new("migrations.all", Unit::Count, count.value as f64)
        });
        reading.into_iter().collect()
    }
}
