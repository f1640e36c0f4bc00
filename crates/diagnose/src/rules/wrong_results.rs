//! A core computes wrong results.
//!
//! `run --verify` compares the results of all kernels with known answers on every core. One wrong result is a defect of that
//! core, its voltage or its memory path, and any program's data may be wrong without a word. Such cores are about one in several
//! thousand; they often fail for one kind of instruction only. Source: Dixit et al., Silent Data Corruptions at Scale (2021);
//! Hochschild et al., Cores that don't count (HotOS 2021).
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::words::count;
use estimates::verified::verified;
use record::{CpuSet, ProbeId};

pub(crate) static RULE: Rule = Rule::without_cost(
    "A core computes wrong results",
    &Demand::ALL,
    check,
    "it is about the correctness of results, not about their speed",
    None,
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let readings = evidence.readings(ProbeId::Verify)?;
    let mut classes = verified(readings);
    let checked: f64 = classes.values().map(|of| of.checked).sum();
    classes.retain(|_, of| of.wrong > 0.0);
    if classes.is_empty() {
        return Ok(None);
    }
    let wrong: f64 = classes.values().map(|of| of.wrong).sum();
    let places: Vec<String> = classes
        .iter()
        .map(|(class, of)| format!("{} on CPU {}", class.replace('_', " "), of.cpus))
        .collect();
    let all: CpuSet = classes.values().flat_map(|of| of.cpus.iter()).collect();
    Ok(Some(Finding::new(
        format!(
            "{} of {checked:.0} were wrong: {}.",
            count(wrong as usize, "result"),
            places.join(", ")
        ),
        format!(
            "Take CPU {all} out of use (echo 0 > /sys/devices/system/cpu/cpuN/online), undo overclocking and undervolting, update firmware and microcode, and have the processor replaced if it repeats. Check data that was written there."
        ),
        format!(
            "cpulens run --only verify --depth thorough --cpus {all}, again and on a warm machine: not confirmed if no result is wrong"
        ),
    )))
}
