//! Contention for the case's CPUs: steal by the hypervisor, CPU time of other programs; and swapping.
use crate::{
    cpu_contention::Snapshot,
    sampler::{Sampler, Watch},
};
use record::{CpuSet, OrWhy, Reading, Reason, Unit};

/// Steal, other programs' CPU time and swapping from `/proc/stat` and `/proc/vmstat`.
pub(crate) static SAMPLER: Sampler = Sampler { open, slows_switches: false };

fn open() -> Result<Box<dyn Watch>, Reason> {
    let look = Snapshot::now()
        .or_why("/proc/stat cannot be read, so steal is not known", "mount /proc")?;
    Ok(Box::new(Open(CpuSet::default(), look)))
}

struct Open(CpuSet, Snapshot);

impl Watch for Open {
    fn start(&mut self, cpus: &CpuSet) {
        self.0 = cpus.clone();
        if let Some(look) = Snapshot::now() {
            self.1 = look;
        }
    }
    fn stop(&mut self) -> Vec<Reading> {
        let Open(cpus, before) = self;
        let Some(taken) = Snapshot::now().and_then(|now| before.until(&now, cpus)) else {
            return vec![];
        };
        let reading =
            |name: &str, unit, value| Reading::new(format!("contention.{name}"), unit, value);
        let mut readings = vec![
            reading("steal", Unit::Ratio, taken.steal),
            reading("busy", Unit::Ratio, taken.busy),
        ];
        readings.extend(taken.swapped.map(|pages| reading("swap", Unit::Count, pages as f64)));
        readings
    }
}
