//! The core runs slower than the machine says it can.
//!
//! The frequency is measured with a chain of dependent additions, one cycle each, so it is what programs get: after
//! power limits, heat, the governor and the hypervisor. Compared with the base frequency first, which is promised for
//! all cores under any load, then with the maximum, which is promised for one core and good cooling only.
use crate::cost::{Cost, Demand, Sure};
use crate::environment::FREQUENCY_BELOW;
use crate::evidence::{Evidence, Missing};
use crate::facts;
use crate::rule::{Finding, Rule};
use crate::words::{frequency, percent};

pub(crate) static RULE: Rule = Rule {
    title: "The core frequency is below what is advertised",
    demands: &[Demand::Cycles],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let frequencies = evidence.estimate("core_frequency", "frequency", &[])?;
    let advertised = evidence.rated_frequencies()?;
    let measured = frequencies.median;
    let slow = facts::below(frequencies.ends().1, &advertised, FREQUENCY_BELOW);
    Ok(slow.map(|slow| Finding {
        claim: format!(
            "One busy core runs at {}, {} below the {} frequency of {}.",
            frequency(measured),
            percent(1.0 - measured / slow.hertz),
            slow.name,
            frequency(slow.hertz)
        ),
        advice: "Look for what holds it back, in this order: the governor, a limit of cpufreq (scaling_max_freq), boost switched off, power limits, heat; in a virtual machine ask the host.".into(),
        confirm_with: "sudo turbostat --show Busy%,Bzy_MHz,PkgTmp,PkgWatt, with one busy core".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let (low, high) = evidence.estimate("core_frequency", "frequency", &[])?.ends();
    let slow = facts::below(high, &evidence.rated_frequencies()?, FREQUENCY_BELOW);
    let slow = slow.ok_or_else(Missing::figure)?;
    Cost::between(
        0.0,
        1.0 - low / slow.hertz,
        Sure::Measured,
        "From nothing, where a program waits for memory, to all of the frequency, where it computes.",
    )
}
