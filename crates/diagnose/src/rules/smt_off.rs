//! SMT is switched off.
//!
//! The gain of the second thread of a core depends on the program: 2 to 90 % were measured on one and the same processor.
//! SMT is switched off for security, for predictable latency, or by accident. Only a measurement of the program shows what
//! it loses. Source: Linux, Documentation/admin-guide/hw-vuln/core-scheduling.rst; published prime (1.02) and point-select
//! (1.9) runs.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;

const CONTROL: &str = "cpu.smt.control";
/// The least and the most that a sibling thread was seen to add.
const LEAST: f64 = 1.02;
const MOST: f64 = 1.9;

pub(crate) static RULE: Rule = Rule::new(say::SMT_OFF_TITLE, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let control = evidence.text(CONTROL)?;
    if !matches!(control, "off" | "forceoff") {
        return Ok(None);
    }
    Ok(Some(Finding::new(
        say::smt_off_claim(control),
        match control {
            "off" => say::SMT_OFF_ADVICE,
            _ => say::SMT_OFF_ADVICE_FORCED,
        },
        say::SMT_OFF_VERIFY,
    )))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Reason> {
    Cost::between(1.0 - 1.0 / LEAST, 1.0 - 1.0 / MOST, Confidence::Stated, say::SMT_OFF_COST)
}
