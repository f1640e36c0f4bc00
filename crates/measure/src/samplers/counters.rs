//! Cycles and instructions that the processor counts of each case: of this thread and all that it starts.
//! Where there is no PMU, or none for us, the record says why and what would help.
use crate::sampler::{Sampler, Watch};
use host::counters::{Counting, Event, Mode, Tree};
use record::{CpuSet, Reading, Reason, Unit};

/// Cycles, instructions and their quotient by `perf_event_open`.
pub(crate) static SAMPLER: Sampler = Sampler { open, slows_switches: true };

fn open() -> Result<Box<dyn Watch>, Reason> {
    let pair = vec![Event::cycles(), Event::instructions()];
    let counting = Counting::open(Tree::here(), &[pair], Mode::All);
    match counting.refused() {
        Some(reason) => Err(reason.clone()),
        None => Ok(Box::new(Open { counting, unread: vec![] })),
    }
}

struct Open {
    counting: Counting<Tree>,
    unread: Vec<(String, Reason)>,
}

impl Watch for Open {
    fn start(&mut self, _: &CpuSet) {
        self.unread.clear();
        if let Err(reason) = self.counting.start() {
            self.unread.push(("counters".into(), reason));
        }
    }
    fn stop(&mut self) -> Vec<Reading> {
        if let Err(reason) = self.counting.stop() {
            self.unread.push(("counters".into(), reason));
        }
        if !self.unread.is_empty() {
            return vec![];
        }
        let counts = self.counting.counts();
        let reading = |name: &str, unit, value, coverage| Reading {
            coverage,
            ..Reading::new(format!("counters.{name}"), unit, value)
        };
        let mut readings = vec![];
        for (event, count) in &counts.events {
            match count {
                Ok(count) => readings.push(reading(
                    &event.name,
                    Unit::Count,
                    count.value as f64,
                    count.share,
                )),
                Err(reason) => {
                    self.unread.push((format!("counters.{}", event.name), reason.clone()))
                }
            }
        }
        let share = counts.get("cycles").map_or(1.0, |cycles| cycles.share);
        readings.extend(counts.ipc().map(|ipc| reading("ipc", Unit::PerCycle, ipc, share)));
        readings
    }
    fn unread(&self) -> Vec<(String, Reason)> {
        self.unread.clone()
    }
}
