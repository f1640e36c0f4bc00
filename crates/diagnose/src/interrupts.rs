//! Interrupts of devices, by CPU.
use crate::report::TICK;
use record::{CpuSet, Machine, Value};
use std::collections::BTreeMap;

/// Interrupts of devices a second beyond which a CPU is busy with them: at 10 us each, which drivers with their soft
/// interrupts take, 1 % of its time.
pub const HEAVY: f64 = 1000.0;

/// Whether so many interrupts a second are many, and far more than the mean of the others, of so many a second on so many.
pub fn heavy(rate: f64, total: f64, count: usize) -> bool {
    let others = count.saturating_sub(1) as f64;
    others > 0.0 && rate >= HEAVY && rate >= 2.0 * (total - rate) / others
}

/// Interrupts of devices a second of each CPU since boot; nothing unless counts and time are known.
pub fn rates(machine: &Machine) -> Option<BTreeMap<u32, f64>> {
    let cpus: CpuSet = machine.text("interrupts.cpus")?.parse().ok()?;
    let Value::List(counts) = machine.value("interrupts.device")? else { return None };
    let ticks: f64 = machine
        .facts
        .keys()
        .filter(|name| name.starts_with("load.ticks."))
        .filter_map(|name| machine.number(name))
        .sum();
    let seconds = ticks * TICK / machine.topology.online().len().max(1) as f64;
    if counts.len() != cpus.len() || seconds < 60.0 {
        return None;
    }
    let rate = |n: &Value| n.number().map(|n| n / seconds);
    Some(cpus.iter().zip(counts.iter().filter_map(rate)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All interrupts of two CPUs are twice the mean of both on one of them, and never more.
    #[test]
    fn one_of_two_cpus_can_serve_far_more_than_the_other() {
        let heavy_of = |rates: &[f64]| -> Vec<u32> {
            let many = |rate: f64| heavy(rate, rates.iter().sum(), rates.len());
            (0..).zip(rates).filter(|(_, rate)| many(**rate)).map(|(cpu, _)| cpu).collect()
        };
        assert_eq!(heavy_of(&[12.0, 74_000.0]), [1]);
        assert_eq!(heavy_of(&[60_000.0, 74_000.0]), [0; 0]);
        assert_eq!(heavy_of(&[12.0, 900.0]), [0; 0]);
        assert_eq!(heavy_of(&[74_000.0]), [0; 0]);
        assert_eq!(heavy_of(&[5000.0, 0.0, 0.0, 4000.0]), [0, 3]);
    }
}
