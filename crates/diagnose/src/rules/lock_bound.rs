//! More cores add nothing to a workload, and its CPUs are partly idle.
//!
//! The copies wait for each other, for I/O or for a service, and not for the CPU: faster cores do not help, and more of
//! them harm. A memory-bound workload differs: its CPUs are busy and its IPC is low. The rule gives no finding where CPU
//! contention, steal time or a quota explains the idle time. Source: B. Gregg, Systems Performance (utilisation and
//! saturation); databases on many cores that used 2100 of 4800 % CPU when throughput was flat.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::scaling_runs::{Limit, ScalingRun};
use crate::words::{number, percent};
use record::{Between, Text};

/// A server that does less more is no proof.
const MORE: f64 = 1.2;

pub(crate) static RULE: Rule =
    Rule::new(say::LOCK_TITLE, &[Demand::Sharing, Demand::Kernel], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let mut unknown = None;
    let mut any_known = false;
    for scaling_run in evidence.scaling_runs()? {
        match &scaling_run.limit {
            Ok(Limit::Waiting { full, flat: true, .. }) => {
                evidence.note(say::lock_read(&scaling_run.workload, percent(*full)));
                let claim = say::lock_claim(&scaling_run.workload, percent(*full));
                let all = [claim].into_iter().chain(other_server(evidence, scaling_run));
                return Ok(Some(
                    Finding::new(
                        Text::list(all, Between::Sentences),
                        say::LOCK_ADVICE,
                        say::LOCK_VERIFY,
                    )
                    .of(&scaling_run.workload),
                ));
            }
            Ok(limit) => {
                any_known = true;
                let limit = limit.words(scaling_run.most_cores());
                let workload = Text::from(&scaling_run.workload);
                evidence.note(Text::list([workload, limit], Between::Colon));
            }
            Err(why) => unknown = unknown.or(Some(why.clone())),
        }
    }
    match unknown {
        Some(why) if !any_known => Err(why),
        _ => Ok(None),
    }
}

/// Another server under the same load on the same machine, whose CPUs are busy and which does more: the software is the limit.
fn other_server(evidence: &Evidence<'_>, of: &ScalingRun) -> Option<Text> {
    let load = |run: &ScalingRun| run.workload.split(" (").next().map(str::to_owned);
    let most = |run: &ScalingRun| {
        let points = run.scaling_points.iter().filter_map(|p| Some((p.cores, p.median?)));
        points.max_by_key(|(cores, _)| *cores)
    };
    let better = |run: &&ScalingRun| {
        let waits = matches!(run.limit, Ok(Limit::Waiting { flat: true, .. }));
        let ahead = most(run).zip(most(of)).is_some_and(|(x, y)| x.0 == y.0 && x.1 > y.1 * MORE);
        !waits && ahead && load(run) == load(of) && run.workload != of.workload
    };
    let runs = evidence.scaling_runs().unwrap_or_default();
    let found = runs.into_iter().find(better).and_then(|run| Some((run, most(run)?, most(of)?)));
    found.map(|(run, (cores, x), (_, y))| {
        say::lock_other_server(&run.workload, number(x / y), cores)
    })
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let scaling_runs = evidence.scaling_runs()?;
    let idle = scaling_runs.iter().find_map(|l| match l.limit {
        Ok(Limit::Waiting { full, flat: true, .. }) => Some(1.0 - full),
        _ => None,
    });
    let idle = idle.ok_or_else(no_figure)?;
    Cost::up_to(idle, Confidence::Derived, say::LOCK_COST)
}
