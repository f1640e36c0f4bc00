//! A busy core runs below the frequency that the machine states.
//!
//! The frequency is measured with a chain of dependent additions of one cycle each, so it includes power limits, heat, the
//! governor and the hypervisor. It is compared with the base frequency first, which all cores keep under any load, then
//! with the maximum, which one core reaches with good cooling.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::words::{frequency, percent};

pub(crate) static RULE: Rule =
    Rule::new("The core frequency is below the stated frequency", &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    Ok(evidence.below_rated()?.map(|(measured, slow)| Finding::new(
        format!(
            "One busy core runs at {}, {} below the {} frequency of {}.",
            frequency(measured.median),
            percent(1.0 - measured.median / slow.hertz),
            slow.name,
            frequency(slow.hertz)
        ),
        "Check in this order: the governor, a cpufreq limit (scaling_max_freq), boost switched off, power limits, heat. In a virtual machine ask the host.",
        "sudo turbostat --show Busy%,Bzy_MHz,PkgTmp,PkgWatt, with one busy core",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (measured, slow) = evidence.below_rated()?.ok_or_else(no_figure)?;
    Cost::up_to(
        1.0 - measured.ends().0 / slow.hertz,
        Confidence::Measured,
        "From nothing, for a memory-bound program, to the whole difference, for one that computes.",
    )
}
