//! The frequency governor keeps a busy core below its frequency.
//!
//! `powersave` and `conservative` raise the frequency late or not at all, except where the processor chooses by itself
//! (intel_pstate and amd-pstate in active mode). `schedutil` follows how busy a CPU was. The rule fires only where the
//! measured frequency is below the stated one. Source: Linux, Documentation/admin-guide/pm/cpufreq.rst.
use crate::facts::{self, GOVERNOR};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::words::{frequency, percent};

pub(crate) static RULE: Rule = Rule::new(say::GOVERNOR, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let governor = evidence.text(GOVERNOR)?;
    if facts::only_performance(governor) {
        return Ok(None);
    }
    Ok(evidence.below_rated()?.map(|(measured, slow)| {
        Finding::new(
            say::governor_claim(
                governor,
                frequency(measured.median),
                frequency(slow.hertz),
                percent(1.0 - measured.median / slow.hertz),
            ),
            say::GOVERNOR_ADVICE,
            say::GOVERNOR_CONFIRM,
        )
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (measured, slow) = evidence.below_rated()?.ok_or_else(no_figure)?;
    Cost::up_to(1.0 - measured.ends().0 / slow.hertz, Confidence::Derived, say::GOVERNOR_COST)
}
