//! A counted program waits for memory most of the time.
//!
//! Its cycles per instruction (CPI) are lines from memory per instruction times the cycles of a load, minus overlap. A
//! higher frequency then gains little, and nearer memory gains much. The number of lines in flight distinguishes latency
//! from bandwidth, as in `cpulens stat`. Source: A. Yasin, "A top-down method", ISPASS 2014; published point-select runs
//! that rank by memory latency and not by frequency.
use crate::program::{Limiter, Program, Target};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::words::{number, percent, time};

pub(crate) static RULE: Rule =
    Rule::new("Memory latency takes most of a program's time", &[Demand::Latency], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (programs, mut unknown) = (evidence.programs()?, None);
    let mut any_known = false;
    for p in &programs {
        match p.limiter.limiter {
            Limiter::MemoryLatency => return Ok(Some(finding(evidence, p))),
            Limiter::Unknown | Limiter::Memory => {
                let why = p.limiter.evidence.last().cloned().unwrap_or_default();
                unknown = Some(Reason::mended_by(
                    format!("the limiter of the counted program is not known: {why}"),
                    "cpulens stat where stalls and lines from memory are counted",
                ));
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
    let waits = of.and_then(Program::waits).or_why(
        "its stalled cycles were not counted",
        "cpulens stat on a processor whose stalls are counted",
    )?;
    Cost::up_to(
        waits,
        Confidence::Derived,
        "From nothing, if its memory cannot be nearer and its loads cannot overlap more, to all the cycles that it waits for memory.",
    )
}

fn finding(evidence: &Evidence<'_>, p: &Program<'_>) -> Finding {
    let cpi = match &p.counted {
        Ok(counted) => format!(" at {} cycles per instruction", number(1.0 / counted.ipc())),
        Err(_) => String::new(),
    };
    let waited = p.waits().map_or("most".to_owned(), percent);
    let latency = match (evidence.level("memory"), &p.counted) {
        (Some(seconds), Ok(counted)) => format!(
            " A load from memory takes {} here, {:.0} of its cycles.",
            time(seconds),
            seconds * counted.frequency()
        ),
        _ => String::new(),
    };
    // One node has no memory that is nearer.
    let one_node = evidence.memory_parts() == Some(1);
    let finding = Finding::new(
        format!(
            "The counted program waits for memory during {waited} of its cycles{cpi}: {}.{latency}",
            p.limiter.evidence.join("; ")
        ),
        match one_node {
            true => {
                "Give it huge pages, and keep what is used together on one line; a faster frequency brings little."
            }
            false => {
                "Bring its memory near (bind each process to a node), give it huge pages, and keep what is used together on one line; a faster frequency brings little."
            }
        },
        match (p.target, one_node) {
            (Target::Process, _) => {
                "cpulens stat --pid PID: not confirmed if loads from memory take less than a fifth of its cycles"
            }
            (_, true) => {
                "cpulens stat -- COMMAND: not confirmed if loads from memory take less than a fifth of its cycles"
            }
            (_, false) => {
                "cpulens stat -- COMMAND, its memory bound near: not confirmed if it takes as long"
            }
        },
    );
    if one_node { finding.acting("pages") } else { finding }
}
