//! A scaling run on a machine of every level there is: its steps, their CPUs, and that every one was climbed there.
use super::{Complaints, list, same, words};
use crate::lab::machine::Machine;
use serde_json::Value;

/// Where the record of the scaling run is saved.
pub(super) const RECORD: &str = "/tmp/scaling_run.json";
/// Times that each step is climbed.
const REPEATS: usize = 3;

/// How it is climbed. Memory is interleaved, since that is a system call of its own, and additions need none.
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

/// Whether a scaling run is climbed there.
pub(super) fn climbs(machine: &Machine) -> bool {
    machine.name == "sockets2-nodes4-smt"
}

pub(super) fn check(record: &Value) -> Complaints {
    let runs: Vec<&Value> =
        list(&record["runs"]).iter().filter(|r| r["case"]["probe"] == "scaling_run").collect();
    let mut wrong = Complaints::new();
    let mut seen: Vec<(&str, &str)> = vec![];
    for run in &runs {
        let case = &run["case"];
        let text = |value: &'_ Value| words(value).unwrap_or("nothing").to_owned();
        let step = (words(&case["params"]["step"]), words(&case["place"]["cpus"]));
        let (Some(name), Some(cpus)) = step else {
            wrong.push(format!("a step of the scaling run without name or CPUs: {case}"));
            continue;
        };
        if !seen.contains(&(name, cpus)) {
            seen.push((name, cpus));
        }
        if list(&run["outcome"]["measured"]).is_empty() {
            wrong.push(format!("{name} was not climbed: {}", run["outcome"]));
        }
        let threads = list(&run["threads"]);
        let copies = case["params"]["copies"].as_u64().unwrap_or(0) as usize;
        wrong.extend(same(
            &format!("{name}: threads found on the CPUs that were asked for"),
            threads.iter().filter(|t| t["asked"] == t["found"]).count(),
            copies,
        ));
        wrong.extend(same("nodes of the memory", text(&case["params"]["nodes"]).as_str(), "0-3"));
    }
    wrong.extend(same("steps of the scaling run", &seen[..], &STEPS[..]));
    wrong.extend(same("runs of the scaling run", runs.len(), STEPS.len() * REPEATS));
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(change: impl Fn(&mut Value)) -> Value {
        let mut runs = vec![];
        for repeat in 1..=REPEATS {
            for (step, cpus) in STEPS {
                let copies = if cpus == "0-15" { 16 } else { cpus.split(',').count() };
                let thread = json!({ "asked": 0, "found": 0 });
                let params =
                    json!({ "step": step, "copies": copies, "repeat": repeat, "nodes": "0-3" });
                let mut run = json!({
                    "case": { "probe": "scaling_run", "params": params, "place": { "cpus": cpus } },
                    "outcome": { "measured": [{ "metric": "throughput" }] },
                    "threads": vec![thread; copies],
                });
                change(&mut run);
                runs.push(run);
            }
        }
        json!({ "runs": runs })
    }

    #[test]
    fn a_ladder_is_complete_or_what_is_missing_is_told() {
        assert_eq!(check(&record(|_| ())), Complaints::new());
        let told = check(&record(|run| run["outcome"] = json!({ "failed": { "why": "it fell" } })));
        assert!(told.iter().any(|w| w.contains("it fell")), "{told:?}");
        let told = check(&record(|run| run["case"]["place"]["cpus"] = json!("0")));
        assert!(told.iter().any(|w| w.contains("steps of the scaling run")), "{told:?}");
        let told = check(&record(|run| run["threads"] = json!([{ "asked": 1, "found": 0 }])));
        assert!(told.iter().any(|w| w.contains("asked for")), "{told:?}");
        assert!(!check(&json!({ "runs": [] })).is_empty());
    }
}
