//! All sockets together do no more of a workload than one, and their CPUs are full.
//!
//! A busy CPU is not a working one: waiting for a load counts as use. Where more sockets bring nothing although nothing is
//! idle, what they share is used up or far away: memory of one node, links between sockets, a line or a lock that spins. One
//! process for each socket, its memory bound there, takes the sharing away; where that helps, it was the cause.
//! Source: a load generator of four sockets, 48 of whose 196 CPUs did what all of them did, until four bound processes and
//! faster memory did 3.6 times as much.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::scaling_run::{flat_beyond, is_flat, sockets_apart};
use crate::words::{count, percent};
use record::Reason;

pub(crate) static RULE: Rule = Rule {
    title: "More sockets bring a workload nothing",
    demands: &[Demand::Latency, Demand::Bandwidth, Demand::Sharing],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let sockets = evidence.sockets()?;
    if sockets < 2 {
        return Ok(None);
    }
    let cores = evidence.cores()?;
    let mut told = false;
    for scaling_run in evidence.scaling_runs()? {
        let Some((one, all, gain)) = sockets_apart(scaling_run, cores, sockets) else {
            continue;
        };
        let Some(full) = all.full else { continue };
        told = true;
        evidence.noted(format!(
            "{}: {} does {} to {} times what {} does, CPUs used to {}",
            scaling_run.workload,
            all.step,
            crate::words::number(gain.interval.low),
            crate::words::number(gain.interval.high),
            one.step,
            percent(full)
        ));
        if is_flat(all, &gain) {
            return Ok(Some(Finding {
                claim: format!(
                    "With {} {} ({}) does no more than {} ({}), though CPUs are used to {}: most of the {} sockets wait for memory or for what they share.",
                    scaling_run.workload,
                    all.step,
                    all.threads,
                    one.step,
                    one.threads,
                    percent(full),
                    sockets
                ),
                advice: format!(
                    "Run {}, one bound to each socket with its memory there, and divide the work between them.",
                    count(sockets, "process").replace("processs", "processes")
                ),
                confirm_with:
                    "cpulens spread --per socket --prove -- COMMAND: placement makes no difference"
                        .into(),
            }));
        }
    }
    if told {
        return Ok(None);
    }
    Err(Missing(Reason::mended_by(
        "no workload was run on one socket and on all, four times each",
        "cpulens scale -- COMMAND",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let (sockets, cores) = (evidence.sockets()?, evidence.cores()?);
    let scaling_runs = evidence.scaling_runs()?;
    let (_, one, all) = flat_beyond(scaling_runs, cores, sockets).ok_or_else(Missing::figure)?;
    Cost::between(
        0.0,
        1.0 - one as f64 / all as f64,
        Sure::Derived,
        "From nothing, if what is shared cannot be divided, to the CPUs that add nothing now.",
    )
}
