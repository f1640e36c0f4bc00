//! Mitigations of CPU vulnerabilities run on each entry to or exit from the kernel.
//!
//! Buffer clearing, IBRS written on each entry, guarded returns and retpolines make every system call, interrupt and
//! context switch slower. Mitigations in hardware (enhanced IBRS) do not. A program in user mode loses nothing. The cost
//! here is not known without a boot with them off; the program's time in the kernel is an upper limit. Source: Linux,
//! Documentation/admin-guide/hw-vuln.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::say;
use crate::words::percent;

/// What the kernel calls those that it runs at each entry, exit or return; a following word of `NOT` makes them the hardware's.
const AT_ENTRY: &[&str] = &["Clear CPU buffers", "IBRS", "untrained return thunk", "Retpoline"];
const NOT: &[&str] = &["Enhanced", "Automatic"];
/// The flaws whose mitigations these are.
const FLAWS: &[&str] = &[
    "mds",
    "tsx_async_abort",
    "mmio_stale_data",
    "reg_file_data_sampling",
    "spectre_v2",
    "retbleed",
];
/// A program that is in the kernel for less of its time need not mind.
const SELDOM: f64 = 0.1;

pub(crate) static RULE: Rule =
    Rule::new(say::MITIGATIONS_TITLE, &[Demand::Kernel, Demand::Forks], check, cost)
        .noted(say::MITIGATIONS_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let mut missing = None;
    let mut at_work = vec![];
    let mut any_known = false;
    for flaw in FLAWS {
        match evidence.text(&mitigation(flaw)) {
            Ok(words) => {
                any_known = true;
                at_work.extend(at_entry(words).map(|what| (flaw, what)));
            }
            Err(why) => missing = missing.or(Some(why)),
        }
    }
    if let (Some(why), false) = (missing, any_known) {
        return Err(why);
    }
    if !at_work.is_empty() {
        // The others have no part in the sentence.
        evidence.take_read();
        at_work.iter().for_each(|(flaw, _)| drop(evidence.text(&mitigation(flaw))));
    }
    let kernel = in_kernel(evidence);
    if at_work.is_empty() || kernel.is_some_and(|share| share < SELDOM) {
        return Ok(None);
    }
    let at_work: Vec<String> =
        at_work.iter().map(|(flaw, what)| format!("{what} ({flaw})")).collect();
    Ok(Some(Finding::new(
        say::mitigations_claim(at_work.join(", ")),
        say::MITIGATIONS_ADVICE,
        say::MITIGATIONS_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let share = in_kernel(evidence).or_why(say::MITIGATIONS_MISSING, say::MITIGATIONS_REMEDY)?;
    Cost::up_to(share, Confidence::Derived, say::mitigations_cost(percent(share)))
}

/// The fact with the kernel's words of a flaw.
fn mitigation(flaw: &str) -> String {
    format!("kernel.mitigations.{flaw}")
}

/// The mitigation among the kernel's words that runs at each entry.
fn at_entry(words: &str) -> Option<&'static str> {
    let ours = words.starts_with("Mitigation") && !NOT.iter().any(|not| words.contains(not));
    // IBPB is a matter of switches, and conditional most of the time.
    let first = words.split(';').next().filter(|_| ours)?;
    AT_ENTRY.iter().find(|what| first.contains(**what)).copied()
}

/// The kernel's share of the CPU time of the program that was counted, the largest of several.
fn in_kernel(evidence: &Evidence<'_>) -> Option<f64> {
    let programs = evidence.programs().ok()?;
    let share = programs.iter().filter_map(|p| {
        let cpu = p.cpu.as_ref().ok()?;
        Some(cpu.system? / cpu.all.max(1e-9))
    });
    share.reduce(f64::max)
}
