//! Another thread had a part of the core during the run.
//!
//! Two threads of a core share its ports and its first-level cache: independent operations run slower, down to half, while
//! chains of dependent ones keep their latency. In a guest the other thread belongs to another guest or to another of its own
//! virtual CPUs; elsewhere to another program. The reference samples count independent additions per cycle beside dependent
//! ones, within the same milliseconds and all through the run. Source: D. Tullsen et al., Simultaneous Multithreading (ISCA
//! 1995); docs/method.md.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{number, percent};

pub(crate) static RULE: Rule = Rule::new(say::CORE, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let run = evidence.shared_run()?;
    if !run.was_shared() {
        return Ok(None);
    }
    let advice = match evidence.hypervisor() {
        Some(_) => say::CORE_RENT,
        None => say::CORE_MOVE,
    };
    Ok(Some(Finding::new(
        say::core_claim(percent(run.share), number(run.delivered), number(run.can)),
        advice,
        say::CORE_CONFIRM,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let run = evidence.shared_run()?;
    Cost::up_to(1.0 - run.delivered / run.can, Confidence::Measured, say::CORE_COST)
}
