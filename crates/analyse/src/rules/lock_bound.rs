//! More cores bring a workload nothing, and its CPUs are idle for a part of the time.
//!
//! Copies then wait for each other, for I/O or for a service, and not for the CPU: faster cores would not help, and more of
//! them harm. A workload that waits for memory looks unlike it: its CPUs are full and its instructions take longer. What
//! other programs, the hypervisor or a quota took meanwhile is no fault of the workload, and nothing is said then.
//! Source: B. Gregg, Systems Performance (utilisation and saturation); databases on many cores, whose CPUs were used to
//! 2100 of 4800 % when their throughput stood still.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::scaling_run::Limit;
use crate::words::percent;

pub(crate) static RULE: Rule = Rule {
    title: "A workload waits for locks or I/O, not for the CPU",
    demands: &[Demand::Sharing, Demand::Kernel],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let mut unknown = None;
    let mut told = false;
    for scaling_run in evidence.scaling_runs()? {
        match &scaling_run.limit {
            Ok(Limit::Waiting { full, flat: true, .. }) => {
                evidence.noted(format!(
                    "{}: CPUs used to {} on all cores",
                    scaling_run.workload,
                    percent(*full)
                ));
                return Ok(Some(Finding {
                    claim: format!(
                        "Throughput of {} is flat while its CPUs are used to {} only: it is blocked on locks or I/O and not on the CPU.",
                        scaling_run.workload,
                        percent(*full)
                    ),
                    advice: "Find what it waits for (perf trace -s, or perf sched), and run several instances with fewer threads each.".into(),
                    confirm_with: "cpulens scale with several instances of it: their sum rises".into(),
                }));
            }
            Ok(limit) => {
                told = true;
                evidence.noted(format!("{}: {}", scaling_run.workload, limit.words()));
            }
            Err(why) => unknown = unknown.or(Some(why.clone())),
        }
    }
    match unknown {
        Some(why) if !told => Err(Missing(why)),
        _ => Ok(None),
    }
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let scaling_runs = evidence.scaling_runs()?;
    let idle = scaling_runs.iter().find_map(|l| match l.limit {
        Ok(Limit::Waiting { full, flat: true, .. }) => Some(1.0 - full),
        _ => None,
    });
    let idle = idle.ok_or_else(Missing::figure)?;
    Cost::between(
        0.0,
        idle,
        Sure::Derived,
        "From nothing, if the service that it waits for is at its end, to all the CPU time that lies idle.",
    )
}
