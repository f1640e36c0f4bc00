//! Every system call and interrupt switches page tables (KPTI).
//!
//! KPTI protects kernel memory on processors that Meltdown affects. Programs with few system calls lose next to nothing.
//! Programs with many lose some per cent, more where the TLB has no process identifiers (PCID). Source: Linux,
//! Documentation/arch/x86/pti.rst; B. Gregg, "KPTI/KAISER Meltdown Initial Performance Regressions" (0.1 to 6 % on a
//! service's mix of system calls).
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use record::Value;

const KPTI: &str = "kernel.kpti";

pub(crate) static RULE: Rule =
    Rule::new(say::KPTI_TITLE, &[Demand::Kernel, Demand::Forks], check, cost).noted(say::KPTI_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let Value::Bool(on) = evidence.fact(KPTI)? else {
        return Err(Reason::new(say::kpti_missing(KPTI)));
    };
    Ok(on.then(|| {
        Finding::new(
            say::KPTI_CLAIM,
            say::PAGE_TABLES_ISOLATED_LEAVE_WHERE_UNTRUSTED_CODE,
            say::KPTI_VERIFY,
        )
    }))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Reason> {
    Cost::between(
        0.001,
        0.06,
        Confidence::Stated,
        say::PAGE_TABLES_ISOLATED_PUBLISHED_SERVICE_MIX_SYSTEM,
    )
}
