//! Other programs use the CPUs during the measurement.
//!
//! A program that shares a CPU with a busy one gets half of it. Sharing caches and memory costs time too, without sharing a
//! CPU. The rule fires where the lower end of what was seen before and after the run, or the mean while cases ran, exceeds what
//! a quiet Linux uses itself. Source: proc_stat(5); the samplers' `contention.busy`, which excludes the CPU time of
//! cpulens.
use crate::judgement::Watched;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::words::{number, percent};

/// Housekeeping of a quiet Linux stays below 2 % of its CPUs; the same as for environment.
const BUSY: f64 = 0.05;

pub(crate) static RULE: Rule = Rule::new("Other programs use the CPUs", &Demand::ALL, check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (low, high, watched) = evidence.others()?;
    if low <= BUSY {
        return Ok(None);
    }
    let cpus = evidence
        .online_cpus()
        .map_or(String::new(), |cpus| format!(", {} CPUs' worth", number(high * cpus as f64)));
    let found = Finding::new(
        format!(
            "Other programs used up to {} of the CPUs {}{cpus}. They share CPUs, caches and memory with the measurement.",
            percent(high),
            watched.name()
        ),
        "Find them (top, systemd-cgtop) and stop them, move them to another machine, or give them CPUs of their own (cpuset.cpus) and a share (cpu.weight).",
        "vmstat 1 while your program does not run: not confirmed if us and sy stay near 0",
    );
    Ok(Some(match watched {
        Watched::WhileCasesRan => found,
        Watched::BeforeAndAfter => found.acting("around"),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (_, high, _) = evidence.others()?;
    Cost::up_to(
        high,
        Confidence::Measured,
        "From nothing, for a program that leaves as many CPUs idle, to all the CPU time that they used.",
    )
}
