//! Counters are of all that ran on the machine, and look as if they were of one program.
//!
//! `perf stat -a` prints the cycles of all CPUs beside the time of one command. Their quotient is an IPC of nobody: on a machine
//! of many idle CPUs it is that of its housekeeping. It shows where cycles do not fit into the program's CPU time at any frequency
//! that the processor has, or where the scope is said. Such counts say nothing of the program, and are not compared. Source: run
//! time = instructions / (frequency x IPC); published IPCs of 0.43 and 0.92 that were system-wide, with own ones of 1.84 and 2.19.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use record::Reason;

pub(crate) static RULE: Rule = Rule {
    title: "Counters are not those of the program",
    demands: Demand::ALL,
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let wrong = evidence.counts_of_others()?;
    Ok(wrong.map(|(name, why)| Finding {
        claim: format!("The counters of {name} are not its own: {why}."),
        advice: "Leave its IPC and its misses out of every comparison, and count the program alone.".into(),
        confirm_with: "cpulens stat -- COMMAND, or perf stat without -a and -C: cycles over CPU time are the core's frequency".into(),
    }))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Missing> {
    Err(Missing(Reason::new("it is a doubt about figures and slows no program down")))
}
