//! A scaling run on a machine of every level there is: its steps, their CPUs, and that every one was done there.
use super::{Complaints, same};
use lab::Machine;
use record::{Record, Run, param};

/// The path of the scaling run's record.
pub(super) const RECORD: &str = "/tmp/scaling_run.json";
/// Times that each step is repeated.
const REPEATS: usize = 3;

/// The command. Memory is interleaved, which needs a system call of its own; additions need none.
pub(super) const SCALE: &[&str] = &[
    "scale",
    "core_rate",
    "--repeats",
    "3",
    "--per-step",
    "0.05",
    "--policy",
    "one-to-one",
    "--memory",
    "interleave",
    "--force",
    "--record",
    RECORD,
];

/// The steps of the machine that has threads, nodes and sockets: their names and CPUs.
const STEPS: [(&str, &str); 6] = [
    ("1 core", "2"),
    ("SMT pair", "2,3"),
    ("2 cores of node 0", "0,2"),
    ("socket 0", "0,2,4,6"),
    ("all cores", "0,2,4,6,8,10,12,14"),
    ("all threads", "0-15"),
];

/// Whether a scaling run is done there.
pub(super) fn runs_on(machine: &Machine) -> bool {
    machine.name == "sockets2-nodes4-smt"
}

pub(super) fn check(record: &Record) -> Complaints {
    let runs: Vec<&Run> = record.runs.iter().filter(|r| r.case.probe == "scaling_run").collect();
    let mut wrong = Complaints::new();
    let mut seen: Vec<(&str, String)> = vec![];
    for run in &runs {
        let case = &run.case;
        let name = case.get(param::STEP).unwrap_or_default();
        let step = (name, case.place.cpus.to_string());
        if !seen.contains(&step) {
            seen.push(step);
        }
        if run.series().is_empty() {
            wrong.push(format!("{name} was not measured: {:?}", run.outcome));
        }
        let there = run.threads.iter().filter(|t| t.asked == t.found).count() as u64;
        let copies = case.get(param::COPIES);
        wrong.extend(same(&format!("{name}: threads where they belong"), Some(there), copies));
        wrong.extend(same("nodes of the memory", case.get(param::NODES), Some("0-3")));
    }
    let steps = STEPS.map(|(name, cpus)| (name, cpus.to_owned()));
    wrong.extend(same("steps of the scaling run", &seen[..], &steps[..]));
    wrong.extend(same("runs of the scaling run", runs.len(), STEPS.len() * REPEATS));
    wrong
}
