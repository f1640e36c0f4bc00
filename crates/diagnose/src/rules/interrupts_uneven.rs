//! A few CPUs serve most of the devices' interrupts.
//!
//! Interrupts and soft interrupts stop the program on such an IRQ-heavy CPU thousands of times a second. A program pinned
//! there cannot move away. The counts are since boot, so they include old bursts. Source: Linux,
//! Documentation/core-api/irq/irq-affinity.rst; UnixBench pinned one to one and unpinned.
use crate::interrupts;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use record::CpuSet;

/// Seconds that a device's interrupt with its soft interrupt takes from the CPU: from the handler alone to a packet's way
/// through the kernel.
const EACH: (f64, f64) = (1e-6, 10e-6);

pub(crate) static RULE: Rule =
    Rule::new("A few CPUs serve most interrupts", &[Demand::Cycles, Demand::Kernel], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (irq_heavy, most, mean) = irq_heavy_cpus(evidence)?;
    evidence.note(format!(
        "device interrupts: {most:.0} a second on the busiest CPU, {mean:.0} on average"
    ));
    Ok((!irq_heavy.is_empty()).then(|| Finding::new(
        format!(
            "Devices interrupt CPUs {irq_heavy} up to {most:.0} times a second since boot, the mean CPU {mean:.0} times. Programs pinned there are delayed."
        ),
        "Keep pinned programs off them (cpulens place does), or spread the interrupts: more queues of the device, irqbalance, /proc/irq/*/smp_affinity_list.",
        "watch -d cat /proc/interrupts: not confirmed if their columns grow no faster than others",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (_, most, _) = irq_heavy_cpus(evidence)?;
    Cost::between(
        most * EACH.0,
        most * EACH.1,
        Confidence::Derived,
        "For a program on the busiest of these CPUs: its interrupts per second at 1 to 10 us each.",
    )
}

/// The CPUs that serve far more than others, what the busiest serves in a second, and the mean.
fn irq_heavy_cpus(evidence: &Evidence<'_>) -> Result<(CpuSet, f64, f64), Reason> {
    let rates = evidence.interrupt_rates()?;
    let (total, count) = (rates.values().sum::<f64>(), rates.len());
    let most = rates.values().copied().fold(0.0, f64::max);
    let heavy = |rate: f64| interrupts::heavy(rate, total, count);
    let irq_heavy = rates.iter().filter(|(_, rate)| heavy(**rate)).map(|(id, _)| *id).collect();
    Ok((irq_heavy, most, total / count.max(1) as f64))
}
