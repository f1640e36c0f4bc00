//! Interrupts of devices, by CPU.
use record::{CpuSet, Machine, Value};
use std::collections::BTreeMap;

/// Interrupts of devices a second beyond which a CPU is busy with them: at 10 us each, which drivers with their soft
/// interrupts take, 1 % of its time.
pub(crate) const HEAVY: f64 = 1000.0;
/// The kernel counts time in hundredths of a second towards programs (USER_HZ; time(7)).
const TICKS: f64 = 100.0;

/// Whether so many interrupts a second are many, and far more than the mean.
pub(crate) fn heavy(rate: f64, mean: f64) -> bool {
    rate >= HEAVY && rate >= 2.0 * mean
}

/// Interrupts of devices a second of each CPU since boot; nothing unless counts and time are known.
pub(crate) fn rates(machine: &Machine) -> Option<BTreeMap<u32, f64>> {
    let cpus: CpuSet = machine.text("interrupts.cpus")?.parse().ok()?;
    let Value::List(counts) = machine.value("interrupts.device")? else { return None };
    let ticks: f64 = machine
        .facts
        .keys()
        .filter(|name| name.starts_with("load.ticks."))
        .filter_map(|name| machine.number(name))
        .sum();
    let seconds = ticks / TICKS / machine.topology.online().len().max(1) as f64;
    if counts.len() != cpus.len() || seconds < 60.0 {
        return None;
    }
    let rate = |n: &Value| n.number().map(|n| n / seconds);
    Some(cpus.iter().zip(counts.iter().filter_map(rate)).collect())
}
