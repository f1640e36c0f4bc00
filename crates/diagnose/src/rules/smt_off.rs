//! SMT is switched off.
//!
//! The gain of the second thread of a core depends on the program: 2 to 90 % were measured on one and the same processor.
//! SMT is switched off for security, for predictable latency, or by accident. Only a measurement of the program shows what
//! it loses. Source: Linux, Documentation/admin-guide/hw-vuln/core-scheduling.rst; published prime (1.02) and point-select
//! (1.9) runs.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};

const CONTROL: &str = "cpu.smt.control";
/// The least and the most that a sibling thread was seen to add.
const LEAST: f64 = 1.02;
const MOST: f64 = 1.9;

pub(crate) static RULE: Rule = Rule::new("SMT is off", &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let control = evidence.text(CONTROL)?;
    if !matches!(control, "off" | "forceoff") {
        return Ok(None);
    }
    Ok(Some(Finding::new(
        format!(
            "SMT is switched off ({control}): each core runs one thread, although it could run more."
        ),
        match control {
            "off" => {
                "Switch it on and measure your program: echo on | sudo tee /sys/devices/system/cpu/smt/control. Leave it off where it was switched off for security."
            }
            _ => {
                "Remove nosmt=force from the kernel's command line, and measure your program with and without. Leave it where it was set for security."
            }
        },
        "cpulens scale -- COMMAND with SMT on: not confirmed if the SMT pair does no more than 1 core",
    )))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Reason> {
    Cost::between(
        1.0 - 1.0 / LEAST,
        1.0 - 1.0 / MOST,
        Confidence::Stated,
        "The gain of the second thread in published runs of two programs on one processor model, 1.02 and 1.9 times.",
    )
}
