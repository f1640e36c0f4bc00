//! All sockets together do no more of a workload than one, with busy CPUs.
//!
//! CPU time includes waiting for loads. Where more sockets add nothing although no CPU is idle, the sockets wait for a
//! shared resource: memory of one node, links between sockets, a contended cache line or a spinning lock. One process per
//! socket with its memory bound there removes the sharing; where that helps, sharing was the cause. Source: a load
//! generator on four sockets, where 48 of 196 CPUs did as much as all, until four bound processes and faster memory did 3.6
//! times as much.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::scaling_runs::{BROUGHT, USED, flat_beyond, is_flat, sockets_apart};
use crate::words::{number, percent};
use benchmarks::quantities::plateaus::Plateau;
use record::{Between, Text};

pub(crate) static RULE: Rule =
    Rule::new(say::FLAT, &[Demand::Latency, Demand::Bandwidth, Demand::Sharing], check, cost);

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
        evidence.note(say::flat_read_workload(
            &scaling_run.workload,
            &all.step,
            crate::words::number(gain.interval.low),
            crate::words::number(gain.interval.high),
            &one.step,
            percent(full),
        ));
        if is_flat(all, &gain) {
            return Ok(Some(
                Finding::new(
                    say::flat_claim(
                        &scaling_run.workload,
                        &all.step,
                        all.threads,
                        &one.step,
                        one.threads,
                        percent(full),
                        sockets,
                    ),
                    say::flat_advice(sockets),
                    say::FLAT_CONFIRM,
                )
                .of(&scaling_run.workload),
            ));
        }
    }
    if any_known {
        return Ok(None);
    }
    Err(Reason::mended_by(say::FLAT_UNRUN, "cpulens scale -- COMMAND"))
}

/// A stated workload of which one socket's worth of busy CPUs does as much as all.
fn flat(evidence: &Evidence<'_>, sockets: usize) -> Option<Plateau> {
    evidence.plateaus().into_iter().find(|p| {
        p.few * sockets <= p.all && p.times < BROUGHT && p.full.is_some_and(|full| full >= USED)
    })
}

/// The finding of a stated one, with what changes brought, which is theirs together.
fn stated(p: &Plateau, sockets: usize) -> Finding {
    let claim = match p.full {
        Some(full) => say::flat_stated_busy(&p.workload, p.all, p.few, percent(full), sockets),
        None => say::flat_stated(&p.workload, p.all, p.few, sockets),
    };
    let remedied = p.remedied.as_ref();
    let remedied = remedied
        .map(|r| say::flat_remedied(number(r.times), Text::list(&r.changes, Between::Comma)));
    Finding::new(
        Text::list([claim].into_iter().chain(remedied), Between::Sentences),
        say::flat_advice(sockets),
        say::FLAT_CONFIRM,
    )
    .of(&p.workload)
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    if let Some(p) = flat(evidence, evidence.sockets()?) {
        return Cost::up_to(1.0 - p.few as f64 / p.all as f64, Confidence::Stated, say::FLAT_COST);
    }
    let (sockets, cores) = (evidence.sockets()?, evidence.cores()?);
    let scaling_runs = evidence.scaling_runs()?;
    let (_, one, all) = flat_beyond(&scaling_runs, cores, sockets).ok_or_else(no_figure)?;
    Cost::up_to(1.0 - one as f64 / all as f64, Confidence::Derived, say::FLAT_COST)
}
