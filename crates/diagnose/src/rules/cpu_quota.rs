//! A CPU quota is smaller than the number of visible CPUs.
//!
//! Programs size their thread pools by the CPUs they see. The kernel throttles all threads for the rest of each period (100
//! ms by default) once the quota is used, which shows as latency. Source: Linux, Documentation/scheduler/sched-bwc.rst.
use crate::facts::CPU_QUOTA;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::plain;

pub(crate) static RULE: Rule = Rule::new(say::QUOTA, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    // Without a limit the fact is a word.
    let Some(quota) = evidence.fact(CPU_QUOTA)?.number() else { return Ok(None) };
    let usable = evidence.usable_cpus()?;
    Ok((quota < usable as f64).then(|| {
        Finding::new(say::quota_claim(plain(quota), usable), say::QUOTA_ADVICE, say::QUOTA_CONFIRM)
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let quota = evidence.number(CPU_QUOTA)?;
    let lost = 1.0 - quota / evidence.usable_cpus()? as f64;
    Cost::up_to(lost, Confidence::Stated, say::QUOTA_COST)
}
