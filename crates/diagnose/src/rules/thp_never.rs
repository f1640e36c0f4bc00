//! Transparent huge pages (THP) are off, for all programs or for this one.
//!
//! Every random access beyond the TLB reach then pays for a page walk, and the kernel silently ignores
//! `madvise(MADV_HUGEPAGE)`. The setting `madvise` gives THP to programs that ask, and to no others. A parent process (a
//! container runtime, a service wrapper) can also switch THP off for itself and its children by
//! `prctl(PR_SET_THP_DISABLE)`; no system setting overrides that. Source: Linux,
//! Documentation/admin-guide/mm/transhuge.rst; prctl(2).
use crate::facts::{THP, THP_PROCESS, selected};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;

pub(crate) static RULE: Rule =
    Rule::new(say::THP_TITLE, &[Demand::Latency, Demand::Forks], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let setting = evidence.text(THP).map(selected);
    // Kernels before 5.0 do not show it for a process.
    let process = evidence.text(THP_PROCESS).ok();
    if setting == Ok("never") {
        return Ok(Some(Finding::new(say::THP_CLAIM, say::THP_ADVICE, say::THP_VERIFY)));
    }
    if process == Some("disabled") {
        return Ok(Some(Finding::new(
            match setting {
                Ok(word) => say::thp_claim_process_setting(word),
                Err(_) => say::THP_CLAIM_PROCESS.into(),
            },
            say::THP_ADVICE_PROCESS,
            say::THP_VERIFY_PROCESS,
        )));
    }
    setting.map(|_| None)
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let share = evidence.translation()?;
    Cost::up_to(share, Confidence::Measured, say::THP_COST)
}
