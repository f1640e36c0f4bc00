//! The IPC of a workload falls with more cores.
//!
//! Instructions per cycle (IPC) of each thread fall as cores are added: the threads wait for memory, for a cache that they
//! share or for lines of each other, and CPU use does not show it. The loss per core beside the fall of IPC says how much of
//! it that explains; what remains is frequency, idle time or more instructions for the same work. Source: run time =
//! instructions / (frequency x IPC); point select on two processors, where IPC fell from 0.46 to 0.37 and from 0.84 to 0.67.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::scaling_runs::{Limit, ScalingRun};
use crate::words::{count, number, percent};
use record::{Between, Message, Text};

/// A fall by less than this is nothing to act on: printed values have two digits.
const FALLEN: f64 = 0.9;
/// Shares nearer to 1 than this remain of nothing in particular.
const SAME: f64 = 0.95;

pub(crate) static RULE: Rule =
    Rule::new(say::IPC, &[Demand::Latency, Demand::Bandwidth, Demand::Sharing], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let mut unknown = None;
    let mut any_known = false;
    for run in evidence.scaling_runs()? {
        match &run.limit {
            Ok(limit) => {
                any_known = true;
                let limit = limit.words(run.most_cores());
                evidence.note(Text::list([Text::from(&run.workload), limit], Between::Colon));
            }
            Err(why) => unknown = unknown.or(Some(why.clone())),
        }
    }
    let Some((run, ratio, efficiency)) = worst(evidence)? else {
        return match unknown {
            Some(why) if !any_known => Err(why),
            _ => Ok(None),
        };
    };
    let ends: Vec<(usize, f64)> = run.cores().filter_map(|p| Some((p.cores, p.ipc?))).collect();
    let fall = match ends.first().zip(ends.last()) {
        Some(((_, from), (cores, to))) => {
            let (from, to) = (format!("{from:.2}"), format!("{to:.2}"));
            say::ipc_fall(&run.workload, from, to, count(*cores, "core"), number(ratio))
        }
        None => say::ipc_fall_ratio(&run.workload, number(ratio)),
    };
    let claim = say::ipc_claim(fall, percent(efficiency));
    let rest = Some(efficiency / ratio).filter(|rest| *rest < SAME);
    let rest = rest.map(|rest| say::ipc_rest(number(rest)));
    let (action, advice) = advice(evidence);
    Ok(Some(
        Finding::new(
            Text::list([claim].into_iter().chain(rest), Between::Sentences),
            advice,
            say::IPC_CONFIRM,
        )
        .of(&run.workload)
        .acting(action),
    ))
}

/// The remedy, in short and as a sentence: memory can only be bound where there are nodes.
fn advice(evidence: &Evidence<'_>) -> (&'static str, Message) {
    match evidence.memory_nodes() {
        Ok(1) => ("caches", say::IPC_ADVICE_CACHES),
        _ => ("action", say::IPC_ADVICE),
    }
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (_, ratio, _) = worst(evidence)?.ok_or_else(no_figure)?;
    Cost::up_to(1.0 - ratio, Confidence::Derived, say::IPC_COST)
}

/// The workload whose IPC falls most: that, the ratio, and what each core does of one alone.
fn worst<'e>(evidence: &'e Evidence<'_>) -> Result<Option<(&'e ScalingRun, f64, f64)>, Reason> {
    let stalled = |run: &'e ScalingRun| match run.limit {
        Ok(Limit::Stalled { ratio, efficiency }) if ratio < FALLEN => {
            Some((run, ratio, efficiency))
        }
        _ => None,
    };
    let all = evidence.scaling_runs()?.into_iter().filter_map(stalled);
    Ok(all.min_by(|a, b| a.1.total_cmp(&b.1)))
}
