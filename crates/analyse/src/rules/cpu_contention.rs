//! Other programs use the CPUs while this one wants them.
//!
//! Whoever shares a CPU with a hog gets half of it, and whoever shares its caches and its memory gets less without sharing a
//! CPU. It is told where even the least of what was seen just before the run, or the mean while cases ran, is more than a quiet
//! Linux takes for itself. Source: proc_stat(5); the samplers' `contention.busy`, which leaves our own CPU time out.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::{number, percent};

/// Housekeeping of a quiet Linux stays below 2 % of its CPUs; the same as for environment.
const BUSY: f64 = 0.05;

pub(crate) static RULE: Rule =
    Rule { title: "Other programs use the CPUs", demands: Demand::ALL, note: None, check, cost };

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let (low, high) = evidence.others()?;
    if low <= BUSY {
        return Ok(None);
    }
    let cpus = evidence
        .online_cpus()
        .map_or(String::new(), |cpus| format!(", {} CPUs' worth", number(high * cpus as f64)));
    Ok(Some(Finding {
        claim: format!(
            "Other programs used up to {} of the CPUs{cpus}: what runs here shares them, their caches and the memory.",
            percent(high)
        ),
        advice: "Find them (top, systemd-cgtop) and stop them, move them to another machine, or give them CPUs of their own (cpuset.cpus) and a share (cpu.weight).".into(),
        confirm_with: "vmstat 1 while nothing of yours runs: us and sy stay near 0".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let (_, high) = evidence.others()?;
    Cost::between(
        0.0,
        high,
        Sure::Measured,
        "From nothing, by a program that leaves as many CPUs idle, to all the CPU time that they took.",
    )
}
