//! The frequency governor keeps a busy core below its frequency.
//!
//! `powersave` and `conservative` raise the frequency late or not at all, except where the processor chooses by itself
//! (intel_pstate and amd-pstate in active mode). `schedutil` follows how busy a CPU was. The rule fires only where the
//! measured frequency is below the stated one. Source: Linux, Documentation/admin-guide/pm/cpufreq.rst.
use crate::facts::{self, GOVERNOR};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::words::{frequency, percent};

pub(crate) static RULE: Rule =
    Rule::new("The frequency governor limits the frequency", &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let governor = evidence.text(GOVERNOR)?;
    if facts::only_performance(governor) {
        return Ok(None);
    }
    Ok(evidence.below_rated()?.map(|(measured, slow)| Finding::new(
        format!(
            "The governor is '{governor}', and a busy core runs at {} of the stated {}: {} of its frequency is not used.",
            frequency(measured.median),
            frequency(slow.hertz),
            percent(1.0 - measured.median / slow.hertz)
        ),
        "Set the governor to performance: sudo cpupower frequency-set -g performance, and measure again.",
        "cpulens run --only core_frequency, with the governor performance: not confirmed if the frequency is the same",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (measured, slow) = evidence.below_rated()?.ok_or_else(no_figure)?;
    Cost::up_to(
        1.0 - measured.ends().0 / slow.hertz,
        Confidence::Derived,
        "From nothing, if power or heat limit the frequency, to the whole difference to the stated frequency.",
    )
}
