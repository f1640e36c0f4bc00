//! The hypervisor runs other guests while this machine wants to run (steal time).
//!
//! Steal time is time in which a virtual CPU was ready and the host ran something else: the host is overcommitted, or the
//! instance has used its CPU credits. The guest cannot change it. Source: proc_stat(5).
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::percent;
use record::{Metric, ProbeId};

/// Below 1 % medians hold and only tails show it.
const STEAL: f64 = 0.01;

pub(crate) static RULE: Rule = Rule::new(say::STEAL_TITLE, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let found = evidence.estimate(ProbeId::Preflight, Metric::Steal)?;
    let steal = found.median;
    Ok((found.ends().0 > STEAL).then(|| {
        Finding::new(say::steal_claim(percent(steal)), say::STEAL_ADVICE, say::STEAL_VERIFY)
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let steal = evidence.estimate(ProbeId::Preflight, Metric::Steal)?;
    Cost::between(steal.min, steal.max, Confidence::Measured, say::STEAL_COST)
}
