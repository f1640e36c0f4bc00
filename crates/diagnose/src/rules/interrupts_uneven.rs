//! A few CPUs serve most of the devices' interrupts.
//!
//! Interrupts and soft interrupts stop the program on such an IRQ-heavy CPU thousands of times a second. A program pinned
//! there cannot move away. The counts are since boot, so they include old bursts. Source: Linux,
//! Documentation/core-api/irq/irq-affinity.rst; UnixBench pinned one to one and unpinned.
use crate::interrupts;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use record::CpuSet;

/// Seconds that a device's interrupt with its soft interrupt takes from the CPU: from the handler alone to a packet's way
/// through the kernel.
const EACH: (f64, f64) = (1e-6, 10e-6);

pub(crate) static RULE: Rule =
    Rule::new(say::IRQ_UNEVEN, &[Demand::Cycles, Demand::Kernel], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (irq_heavy, most, mean) = irq_heavy_cpus(evidence)?;
    evidence.note(say::irq_uneven_read(format!("{most:.0}"), format!("{mean:.0}")));
    Ok((!irq_heavy.is_empty()).then(|| {
        Finding::new(
            say::irq_uneven_claim(
                irq_heavy.to_string(),
                format!("{most:.0}"),
                format!("{mean:.0}"),
            ),
            say::IRQ_UNEVEN_ADVICE,
            say::IRQ_UNEVEN_CONFIRM,
        )
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (_, most, _) = irq_heavy_cpus(evidence)?;
    Cost::between(most * EACH.0, most * EACH.1, Confidence::Derived, say::IRQ_UNEVEN_COST)
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
