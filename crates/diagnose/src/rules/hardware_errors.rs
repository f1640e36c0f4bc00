//! The hardware reported errors while it was measured.
//!
//! Corrected errors of memory cost time: the controller repeats the access, and the kernel takes an interrupt or polls. Many of
//! them foretell a module that fails. Uncorrected errors and machine checks mean lost data. Source: Linux,
//! Documentation/driver-api/edac.rst; Schroeder et al., DRAM Errors in the Wild (SIGMETRICS 2009).
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::words::count;

pub(crate) static RULE: Rule = Rule::without_cost(
    "The hardware reported errors during the run",
    &Demand::ALL,
    check,
    "it is about the validity of figures and of data, not about speed",
    None,
);

const KINDS: [(&str, &str); 3] = [
    ("corrected", "corrected memory error"),
    ("uncorrected", "uncorrected memory error"),
    ("machine_checks", "machine check"),
];

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let sums =
        KINDS.map(|(kind, words)| (evidence.counted(&format!("hardware_errors.{kind}")), words));
    if let [(Err(why), _), (Err(_), _), (Err(_), _)] = &sums {
        return Err(why.clone());
    }
    let seen = sums.into_iter().filter_map(|(sum, words)| Some((sum.ok()?, words)));
    let seen: Vec<String> =
        seen.filter(|(sum, _)| *sum > 0.0).map(|(sum, words)| count(sum as usize, words)).collect();
    Ok((!seen.is_empty()).then(|| Finding::new(
        format!("While the cases ran, the hardware reported {}.", seen.join(", ")),
        "Find the module (memory.errors.modules in cpulens info, rasdaemon, the BMC's log), reseat or replace it, and measure again: the numbers may hold the time of the corrections.",
        "grep . /sys/devices/system/edac/mc/mc*/?e_count; grep MCE: /proc/interrupts: not confirmed if the counts stay as they are",
    )))
}
