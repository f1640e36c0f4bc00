//! Other programs use the CPUs during the measurement.
//!
//! A program that shares a CPU with a busy one gets half of it. Sharing caches and memory costs time too, without sharing a
//! CPU. The rule fires where the lower end of what was seen before and after the run, or the mean while cases ran, exceeds what
//! a quiet Linux uses itself. Source: proc_stat(5); the samplers' `contention.busy`, which excludes the CPU time of
//! cpulens.
use crate::judgement::Watched;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{number, percent};

/// Housekeeping of a quiet Linux stays below 2 % of its CPUs; the same as for environment.
const BUSY: f64 = 0.05;

pub(crate) static RULE: Rule = Rule::new(say::CONTENTION, &Demand::ALL, check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (low, high, watched) = evidence.others()?;
    if low <= BUSY {
        return Ok(None);
    }
    let (share, when) = (percent(high), watched.name());
    let claim = match evidence.online_cpus() {
        Ok(cpus) => say::contention_claim_cpus(share, when, number(high * cpus as f64)),
        Err(_) => say::contention_claim(share, when),
    };
    let found = Finding::new(claim, say::CONTENTION_ADVICE, say::CONTENTION_CONFIRM);
    Ok(Some(match watched {
        Watched::WhileCasesRan => found,
        Watched::BeforeAndAfter => found.acting("around"),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (_, high, _) = evidence.others()?;
    Cost::up_to(high, Confidence::Measured, say::CONTENTION_COST)
}
