//! A record against the machine it was made on and against the plan: nothing is missing, everything ran where
//! it was asked to, and what did not run says why.
use super::{
    Complaints,
    inventory::{nodes_of, set_of, usable},
    list, same, words,
};
use crate::lab::machine::Machine;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The schema that this repository's records have.
const SCHEMA: u64 = 1;

pub(super) fn check(machine: &Machine, plan: &Value, record: &Value) -> Complaints {
    let mut wrong: Complaints =
        same("schema", record["schema"].as_u64(), Some(SCHEMA)).into_iter().collect();
    let label_of = |entry: &Value| label(&entry["case"]);
    let planned: Vec<String> = list(&plan["plan"]["cases"]).iter().map(label_of).collect();
    let labels: Vec<String> = list(&record["runs"]).iter().map(label_of).collect();
    wrong.extend(same("cases against the plan", &labels, &planned));
    let touched = list(&record["runs"]).iter().flat_map(series).any(|s| !s["buffer"].is_null());
    let asked =
        ["load_latency", "bandwidth"].iter().any(|p| labels.iter().any(|l| l.starts_with(p)));
    if asked && !touched {
        wrong.push("no memory was measured".into());
    }
    let between = |run: &&Value| run["case"]["probe"] == "numa_matrix" && !series(run).is_empty();
    let wanted = labels.iter().any(|l| l.starts_with("numa_matrix to="));
    if wanted && !list(&record["runs"]).iter().any(|run| between(&run)) {
        wrong.push("nothing was measured between nodes".into());
    }
    for (label, run) in labels.iter().zip(list(&record["runs"])) {
        let found = [
            outcome(run),
            threads(machine, run),
            buffers(machine, run),
            pairs(run),
            nodes(machine, run),
        ];
        wrong.extend(found.into_iter().flatten().map(|what| format!("{label}: {what}")));
    }
    wrong
}

/// As the program words it: the probe and its parameters.
fn label(case: &Value) -> String {
    let params = case["params"].as_object().into_iter().flatten();
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let words = params.map(|(name, value)| format!(" {name}={}", word(value)));
    words.fold(case["probe"].as_str().unwrap_or("").to_owned(), |all, word| all + &word)
}

fn series(run: &Value) -> &[Value] {
    list(&run["outcome"]["measured"])
}

fn outcome(run: &Value) -> Complaints {
    let outcome = &run["outcome"];
    let mut wrong = Complaints::new();
    let all = series(run);
    if !all.is_empty() {
        let empty = all.iter().filter(|s| list(&s["samples"]).is_empty());
        wrong.extend(empty.map(|s| format!("{} has no samples", s["metric"])));
        let nameless = all
            .iter()
            .filter(|s| run["case"]["probe"] == "core_rate" && words(&s["variant"]).is_none());
        wrong.extend(nameless.map(|s| format!("nobody says which code ran {}", s["at"])));
        return wrong;
    }
    // What the budget or the memory was too small for is found out when the case is due; that, too, has a remedy.
    let reason = ["skipped", "failed", "not_reached"].into_iter().find_map(|how| outcome.get(how));
    let reason = reason.unwrap_or(&Value::Null);
    if words(&reason["why"]).is_none() || words(&reason["remedy"]).is_none() {
        wrong.push(format!("not measured, without why and remedy: {outcome}"));
    }
    wrong
}

/// Threads were found where they were asked to be, on the CPUs of the case, all of which are usable.
fn threads(machine: &Machine, run: &Value) -> Complaints {
    let cpus = set_of(&run["case"]["place"]["cpus"]);
    let mut wrong = Complaints::new();
    let usable = usable(machine);
    let forbidden: Vec<_> = cpus.difference(&usable).collect();
    if !forbidden.is_empty() {
        wrong.push(format!("names CPUs {forbidden:?}, which cannot be used"));
    }
    if series(run).is_empty() {
        return wrong;
    }
    let threads = list(&run["threads"]);
    let moved = threads.iter().filter(|t| t["asked"] != t["found"] || !t["asked"].is_u64());
    wrong.extend(moved.map(|t| format!("a thread is not where it was asked to be: {t}")));
    // Preflight watches; it runs nowhere in particular.
    if run["case"]["probe"] != "preflight" {
        let asked = threads.iter().filter_map(|t| t["asked"].as_u64()?.try_into().ok()).collect();
        wrong.extend(same("CPUs with a thread", asked, cpus));
    }
    wrong
}

/// Every buffer was found on the nodes of the threads that work on it, and nowhere else.
fn buffers(machine: &Machine, run: &Value) -> Complaints {
    let place = &run["case"]["place"];
    let asked: BTreeSet<u32> = match place["node"].as_u64().and_then(|n| n.try_into().ok()) {
        Some(node) => [node].into(),
        None => nodes_of(machine, &set_of(&place["cpus"])),
    };
    let mut wrong = Complaints::new();
    for buffer in series(run).iter().map(|s| &s["buffer"]).filter(|b| !b.is_null()) {
        let nodes: BTreeMap<u32, f64> =
            serde_json::from_value(buffer["nodes"].clone()).unwrap_or_default();
        wrong.extend(same("nodes of a buffer", nodes.keys().copied().collect(), asked.clone()));
        let sum: f64 = nodes.values().sum();
        if (sum - 1.0).abs() > 1e-6 {
            wrong.push(format!("{sum} of a buffer was found"));
        }
    }
    wrong
}

/// Core to core has every pair of its CPUs, once in each attempt; if these are not all, it says so.
fn pairs(run: &Value) -> Complaints {
    let mut wrong = Complaints::new();
    if run["case"]["probe"] != "core_to_core" || series(run).is_empty() {
        return wrong;
    }
    let cpus: Vec<u64> = set_of(&run["case"]["place"]["cpus"]).into_iter().map(u64::from).collect();
    let all: Vec<[u64; 2]> = (0..cpus.len())
        .flat_map(|i| cpus[i + 1..].iter().map(|to| [cpus[i], *to]).collect::<Vec<_>>())
        .collect();
    let mut attempts: BTreeMap<u64, Vec<[u64; 2]>> = BTreeMap::new();
    for at in series(run).iter().map(|s| &s["at"]) {
        let end = |name: &str| at[name].as_u64().unwrap_or(u64::MAX);
        attempts
            .entry(at["attempt"].as_u64().unwrap_or(1))
            .or_default()
            .push([end("from"), end("to")]);
    }
    for (attempt, mut pairs) in attempts {
        pairs.sort_unstable();
        if run["case"]["params"]["per_class"].is_u64() {
            let once = pairs.windows(2).all(|w| w[0] < w[1]);
            if !once || !pairs.iter().all(|p| all.contains(p)) {
                wrong.push(format!(
                    "a sample of pairs in attempt {attempt} that is none: {pairs:?}"
                ));
            }
            continue;
        }
        wrong.extend(same(&format!("pairs of attempt {attempt}"), pairs, all.clone()));
    }
    wrong
}

/// The memory of one node has a latency and a bandwidth from every node that the case has CPUs of, once in each attempt.
fn nodes(machine: &Machine, run: &Value) -> Complaints {
    let mut wrong = Complaints::new();
    if run["case"]["probe"] != "numa_matrix" || series(run).is_empty() {
        return wrong;
    }
    let to = &run["case"]["params"]["to"];
    wrong.extend(same("the node of the memory", &run["case"]["place"]["node"], to));
    let all: Vec<u64> = nodes_of(machine, &set_of(&run["case"]["place"]["cpus"]))
        .into_iter()
        .map(u64::from)
        .collect();
    let mut found: BTreeMap<(u64, &str), Vec<u64>> = BTreeMap::new();
    for s in series(run) {
        let at = &s["at"];
        wrong.extend(same("the node of a series", &at["to"], to));
        let metric = s["metric"].as_str().unwrap_or("");
        let row = found.entry((at["attempt"].as_u64().unwrap_or(1), metric)).or_default();
        row.push(at["from"].as_u64().unwrap_or(u64::MAX));
    }
    for ((attempt, metric), mut from) in found.clone() {
        from.sort_unstable();
        wrong.extend(same(&format!("nodes of {metric}, attempt {attempt}"), from, all.clone()));
    }
    for metric in ["idle_latency", "bandwidth"] {
        if !found.contains_key(&(1, metric)) {
            wrong.push(format!("there is no {metric}"));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::machine;
    use serde_json::json;

    fn record() -> Value {
        let run = |probe: &str, params: Value, cpus: &str, outcome: Value, threads: Value| {
            json!({"case": {"probe": probe, "params": params, "place": {"cpus": cpus}},
                   "outcome": outcome, "threads": threads})
        };
        let thread = |id: u32| json!({"asked": id, "found": id});
        let buffer = json!({"nodes": {"0": 1.0}});
        let measured = |at: Value| json!({"measured": [{"metric": "m", "at": at, "samples": [1.0], "variant": "x", "buffer": buffer}]});
        let skipped = json!({"skipped": {"why": "no time", "remedy": "give more"}});
        json!({"schema": 1, "runs": [
            run("core_rate", json!({}), "0", measured(json!({"op": "add"})), json!([thread(0)])),
            run("core_to_core", json!({"method": "cas"}), "0,3", measured(json!({"from": 0, "to": 3})),
                json!([thread(0), thread(3)])),
            run("bandwidth", json!({"bytes": 5}), "0", skipped, json!([])),
        ]})
    }

    #[test]
    fn a_matrix_is_complete_and_of_its_node() {
        let machine = machine("memory-only-node").unwrap();
        let buffer = json!({"nodes": {"1": 1.0}});
        let of = |metric: &str| json!({"metric": metric, "at": {"from": 0, "to": 1}, "samples": [1.0], "buffer": buffer});
        let run = json!({"case": {"probe": "numa_matrix", "params": {"to": 1}, "place": {"cpus": "0-1", "node": 1}},
            "outcome": {"measured": [of("idle_latency"), of("bandwidth")]},
            "threads": [{"asked": 0, "found": 0}, {"asked": 1, "found": 1}]});
        let record = json!({"schema": 1, "runs": [run]});
        let plan = json!({"plan": {"cases": record["runs"]}});
        assert_eq!(check(&machine, &plan, &record), Complaints::new());
        for (at, lie) in [
            ("/runs/0/outcome/measured/0/at/to", json!(0)),
            ("/runs/0/outcome/measured/1/at/from", json!(1)),
            ("/runs/0/outcome/measured/1/metric", json!("idle_latency")),
            ("/runs/0/outcome/measured/0/buffer/nodes", json!({"0": 1.0})),
            ("/runs/0/case/place/node", json!(0)),
            ("/runs/0/outcome", json!({"skipped": {"why": "no time", "remedy": "give more"}})),
        ] {
            let mut record = record.clone();
            *record.pointer_mut(at).unwrap() = lie.clone();
            assert!(!check(&machine, &plan, &record).is_empty(), "{at} {lie}");
        }
    }

    #[test]
    fn every_lie_is_noticed() {
        let machine = machine("offline-cpus").unwrap();
        let plan = json!({"plan": {"cases": record()["runs"]}});
        assert_eq!(check(&machine, &plan, &record()), Complaints::new());
        let lies: &[(&str, Value)] = &[
            ("/schema", json!(2)),
            ("/runs/2", json!(null)),
            ("/runs/0/outcome", json!({"measured": []})),
            ("/runs/0/outcome", json!({"not_reached": {"why": "x"}})),
            ("/runs/0/outcome", json!({"failed": {"why": "x"}})),
            ("/runs/2/outcome/skipped/remedy", json!("")),
            ("/runs/2/outcome/skipped/why", json!(null)),
            ("/runs/0/outcome/measured/0/samples", json!([])),
            ("/runs/0/outcome/measured/0/variant", json!(null)),
            ("/runs/0/outcome/measured/0/buffer/nodes", json!({"1": 1.0})),
            ("/runs/0/outcome/measured/0/buffer/nodes/0", json!(0.5)),
            ("/runs/0/case/place/cpus", json!("1")),
            ("/runs/0/threads/0/found", json!(3)),
            ("/runs/1/threads/1", json!({"asked": 0, "found": 0})),
            ("/runs/1/outcome/measured/0/at/to", json!(0)),
        ];
        for (at, lie) in lies {
            let mut record = record();
            *record.pointer_mut(at).unwrap() = lie.clone();
            assert!(!check(&machine, &plan, &record).is_empty(), "{at} {lie}");
        }
    }
}
