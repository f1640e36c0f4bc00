//! A counted program waits for memory most of the time.
//!
//! Its cycles per instruction (CPI) are lines from memory per instruction times the cycles of a load, minus overlap. A
//! higher frequency then gains little, and nearer memory gains much. The number of lines in flight distinguishes latency
//! from bandwidth, as in `cpulens stat`. Source: A. Yasin, "A top-down method", ISPASS 2014; published point-select runs
//! that rank by memory latency and not by frequency.
use crate::program::{Limiter, Program, Target};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::say;
use crate::words::{number, percent, time};
use record::{Between, Text};

pub(crate) static RULE: Rule = Rule::new(say::LATENCY_TITLE, &[Demand::Latency], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (programs, mut unknown) = (evidence.programs()?, None);
    let mut any_known = false;
    for p in &programs {
        match p.limiter.limiter {
            Limiter::MemoryLatency => return Ok(Some(finding(evidence, p))),
            Limiter::Unknown | Limiter::Memory => {
                let why = p.limiter.evidence.last().cloned().unwrap_or_default();
                unknown = Some(Reason::mended_by(say::latency_missing(why), say::LATENCY_REMEDY));
            }
            _ => any_known = true,
        }
    }
    match unknown {
        Some(why) if !any_known => Err(why),
        _ => Ok(None),
    }
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let programs = evidence.programs()?;
    let of = programs.iter().find(|p| p.limiter.limiter == Limiter::MemoryLatency);
    let waits = of.and_then(Program::waits);
    let waits = waits.or_why(say::LATENCY_MISSING_STALLS, say::LATENCY_REMEDY_STALLS)?;
    Cost::up_to(waits, Confidence::Derived, say::LATENCY_COST)
}

fn finding(evidence: &Evidence<'_>, p: &Program<'_>) -> Finding {
    let counted = p.counted.as_ref().ok();
    let cpi = counted.map(|counted| number(1.0 / counted.ipc()));
    let why = Text::list(&p.limiter.evidence, Between::Semicolon);
    let claim = match (p.waits().map(percent), cpi) {
        (Some(waited), Some(cpi)) => say::latency_claim_cpi(waited, cpi, why),
        (Some(waited), None) => say::latency_claim(waited, why),
        (None, Some(cpi)) => say::latency_claim_most_cpi(cpi, why),
        (None, None) => say::latency_claim_most(why),
    };
    let load = evidence.level("memory").zip(counted);
    let load = load.map(|(seconds, counted)| {
        say::latency_load(time(seconds), format!("{:.0}", seconds * counted.frequency()))
    });
    // One node has no memory that is nearer.
    let one_node = evidence.memory_parts() == Some(1);
    let finding = Finding::new(
        Text::list([claim].into_iter().chain(load), Between::Sentences),
        match one_node {
            true => say::LATENCY_ADVICE_ONE_NODE,
            false => say::LATENCY_ADVICE,
        },
        match (p.target, one_node) {
            (Target::Process, _) => say::LATENCY_VERIFY_PID,
            (_, true) => say::LATENCY_VERIFY_ONE_NODE,
            (_, false) => say::LATENCY_VERIFY,
        },
    );
    if one_node { finding.acting("pages") } else { finding }
}
