//! Sibling threads are switched off.
//!
//! What the second thread of a core is worth depends on the program: 2 to 90 % more were measured on one and the same
//! processor. It is switched off for security, for even latencies, or by accident; only a measurement of the program in
//! question tells what that costs it. Source: Linux, Documentation/admin-guide/hw-vuln/core-scheduling.rst; published prime
//! (1.02) and point-select (1.9) runs.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};

const CONTROL: &str = "cpu.smt.control";
/// The least and the most that a sibling thread was seen to add.
const LEAST: f64 = 1.02;
const MOST: f64 = 1.9;

pub(crate) static RULE: Rule = Rule {
    title: "Sibling threads are switched off",
    demands: &[Demand::Cycles],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let control = evidence.text(CONTROL)?;
    Ok(matches!(control, "off" | "forceoff").then(|| Finding {
        claim: format!("The processor's sibling threads are switched off ({control}): each core runs one thread, though it could run more."),
        advice: match control {
            "off" => "Switch them on and measure your program: echo on | sudo tee /sys/devices/system/cpu/smt/control. Where they were switched off for security, leave them.".into(),
            _ => "Remove nosmt=force from the kernel's command line, and measure your program with and without. Where it was set for security, leave it.".into(),
        },
        confirm_with: "cpulens scale -- COMMAND, once with them on: the SMT pair does no more than 1 core".into(),
    }))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Missing> {
    Cost::between(
        1.0 - 1.0 / LEAST,
        1.0 - 1.0 / MOST,
        Sure::Stated,
        "What the second thread added to published runs of two programs on one model of processor, 1.02 and 1.9 times.",
    )
}
