//! A busy core runs below the frequency that the machine states.
//!
//! The frequency is measured with a chain of dependent additions of one cycle each, so it includes power limits, heat, the
//! governor and the hypervisor. It is compared with the base frequency first, which all cores keep under any load, then
//! with the maximum, which one core reaches with good cooling.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::words::{frequency, percent};

pub(crate) static RULE: Rule = Rule::new(say::BELOW, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    Ok(evidence.below_rated()?.map(|(measured, slow)| {
        let claim = if slow.name == "base" { say::below_base } else { say::below_maximum };
        Finding::new(
            claim(
                frequency(measured.median),
                percent(1.0 - measured.median / slow.hertz),
                frequency(slow.hertz),
            ),
            say::BELOW_ADVICE,
            say::BELOW_CONFIRM,
        )
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (measured, slow) = evidence.below_rated()?.ok_or_else(no_figure)?;
    Cost::up_to(1.0 - measured.ends().0 / slow.hertz, Confidence::Measured, say::BELOW_COST)
}
