//! Interrupts that the case's CPUs served meanwhile, those of the timer among them: `/proc/interrupts` and
//! `/proc/softirqs`.
use crate::sampler::{Sampler, Watch};
use host::usage::{InterruptCounts, interrupts};
use record::{CpuSet, OrWhy, Reading, Reason, Unit};

/// Interrupts and deferred work by `/proc/interrupts` and `/proc/softirqs`.
pub(crate) static SAMPLER: Sampler = Sampler { open, slows_switches: false };

fn open() -> Result<Box<dyn Watch>, Reason> {
    let cpus = CpuSet::default();
    let before = interrupts(&cpus)
        .or_why("/proc/interrupts cannot be read", "mount /proc, or run as root")?;
    Ok(Box::new(Open { cpus, before }))
}

struct Open {
    cpus: CpuSet,
    before: InterruptCounts,
}

impl Watch for Open {
    fn start(&mut self, cpus: &CpuSet) {
        self.cpus = cpus.clone();
        self.before = interrupts(cpus).unwrap_or_default();
    }
    fn stop(&mut self) -> Vec<Reading> {
        let Some(now) = interrupts(&self.cpus) else { return vec![] };
        let reading = |name: &str, now: u64, then: u64| {
            let more = now.saturating_sub(then) as f64;
            Reading::new(format!("interrupts.{name}"), Unit::Count, more)
        };
        vec![
            reading("hard", now.hard, self.before.hard),
            reading("soft", now.soft, self.before.soft),
        ]
    }
}
