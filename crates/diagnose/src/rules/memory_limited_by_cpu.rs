//! Memory modules are rated above what the CPU allows.
//!
//! Every CPU model has a highest memory speed, which its vendor states. Faster modules run at that speed. Nothing is wrong
//! and no setting changes it. A program limited by memory bandwidth needs another CPU model. Source: the vendors'
//! statements for each model; SMBIOS 3.7, type 17.
use crate::memory_speed::Limit;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::words::transfers;

pub(crate) static RULE: Rule =
    Rule::new(say::DIMMS_TITLE, &[Demand::Bandwidth], check, cost).noted(say::DIMMS_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let Some(slow) = evidence.slow_modules()? else { return Ok(None) };
    let limit = evidence.memory_limit();
    if !matches!(limit, Limit::Cpu(_)) {
        return Ok(None);
    }
    Ok(Some(Finding::new(
        say::dimms_claim(
            slow.slow,
            slow.known,
            transfers(slow.rated),
            transfers(slow.configured),
            limit.words(),
        ),
        limit.advice(),
        say::DIMMS_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let slow = evidence.slow_modules()?.ok_or_else(no_figure)?;
    Cost::up_to(1.0 - slow.configured / slow.rated, Confidence::Stated, say::DIMMS_COST)
}
