//! All sockets together do no more of a workload than one, with busy CPUs.
//!
//! CPU time includes waiting for loads. Where more sockets add nothing although no CPU is idle, the sockets wait for a
//! shared resource: memory of one node, links between sockets, a contended cache line or a spinning lock. One process per
//! socket with its memory bound there removes the sharing; where that helps, sharing was the cause. Source: a load
//! generator on four sockets, where 48 of 196 CPUs did as much as all, until four bound processes and faster memory did 3.6
//! times as much.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::scaling_runs::{BROUGHT, USED, flat_beyond, is_flat, sockets_apart};
use crate::words::{count, number, percent};
use benchmarks::quantities::plateaus::Plateau;

pub(crate) static RULE: Rule = Rule::new(
    "More sockets add nothing to a workload",
    &[Demand::Latency, Demand::Bandwidth, Demand::Sharing],
    check,
    cost,
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let sockets = evidence.sockets()?;
    if sockets < 2 {
        return Ok(None);
    }
    if let Some(plateau) = flat(evidence, sockets) {
        return Ok(Some(stated(&plateau, sockets)));
    }
    let cores = evidence.cores()?;
    let mut any_known = false;
    for scaling_run in evidence.scaling_runs()? {
        let Some((one, all, gain)) = sockets_apart(scaling_run, cores, sockets) else {
            continue;
        };
        let Some(full) = all.full else { continue };
        any_known = true;
        evidence.note(format!(
            "{}: {} does {} to {} times what {} does, CPUs used to {}",
            scaling_run.workload,
            all.step,
            crate::words::number(gain.interval.low),
            crate::words::number(gain.interval.high),
            one.step,
            percent(full)
        ));
        if is_flat(all, &gain) {
            return Ok(Some(Finding::new(
                format!(
                    "Throughput of {} with {} ({}) is no higher than with {} ({}), although its CPUs are {} busy. Most of the {} sockets wait for memory or for a shared resource.",
                    scaling_run.workload,
                    all.step,
                    all.threads,
                    one.step,
                    one.threads,
                    percent(full),
                    sockets
                ),
                advice(sockets),
                CONFIRM,
            ).of(&scaling_run.workload)));
        }
    }
    if any_known {
        return Ok(None);
    }
    Err(Reason::mended_by(
        "no workload was run on one socket and on all, four times each",
        "cpulens scale -- COMMAND",
    ))
}

const CONFIRM: &str = "cpulens spread --per socket --prove -- COMMAND: not confirmed if placement makes no difference";

fn advice(sockets: usize) -> String {
    format!(
        "Run {}, each bound to one socket with its memory there, and divide the work between them.",
        count(sockets, "process")
    )
}

/// A stated workload of which one socket's worth of busy CPUs does as much as all.
fn flat(evidence: &Evidence<'_>, sockets: usize) -> Option<Plateau> {
    evidence.plateaus().into_iter().find(|p| {
        p.few * sockets <= p.all && p.times < BROUGHT && p.full.is_some_and(|full| full >= USED)
    })
}

/// The finding of a stated one, with what changes brought, which is theirs together.
fn stated(p: &Plateau, sockets: usize) -> Finding {
    let full = p
        .full
        .map_or(String::new(), |full| format!(", although its CPUs are {} busy", percent(full)));
    let remedied = p.remedied.as_ref().map_or(String::new(), |r| {
        format!(
            " Together these changes made it do {} times as much: {}. They were not measured apart.",
            number(r.times),
            r.changes.join(", ")
        )
    });
    Finding::new(
        format!(
            "Throughput of {} with all {} CPUs is no higher than with {}{full}. Most of the {sockets} sockets wait for memory or for a shared resource.{remedied}",
            p.workload, p.all, p.few
        ),
        advice(sockets),
        CONFIRM,
    )
    .of(&p.workload)
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    if let Some(p) = flat(evidence, evidence.sockets()?) {
        return Cost::up_to(
            1.0 - p.few as f64 / p.all as f64,
            Confidence::Stated,
            "From nothing, if the shared resource cannot be divided, to all the CPUs that add nothing now.",
        );
    }
    let (sockets, cores) = (evidence.sockets()?, evidence.cores()?);
    let scaling_runs = evidence.scaling_runs()?;
    let (_, one, all) = flat_beyond(&scaling_runs, cores, sockets).ok_or_else(no_figure)?;
    Cost::up_to(
        1.0 - one as f64 / all as f64,
        Confidence::Derived,
        "From nothing, if the shared resource cannot be divided, to all the CPUs that add nothing now.",
    )
}
