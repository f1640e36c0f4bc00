//! A record against the machine it was made on and against the plan: nothing is missing, everything ran where it was asked to,
//! and what did not run says why.
use super::{Complaints, same};
use lab::Machine;
use record::{Case, CpuSet, Outcome, Record, Run, Series, param};
use std::collections::BTreeMap;

pub(super) fn check(machine: &Machine, planned: &[Case], record: &Record) -> Complaints {
    let planned: Vec<String> = planned.iter().map(Case::label).collect();
    let labels: Vec<String> = record.runs.iter().map(|run| run.case.label()).collect();
    let mut wrong: Complaints =
        same("cases against the plan", &labels, &planned).into_iter().collect();
    let begins = |probes: &[&str]| labels.iter().any(|l| probes.iter().any(|p| l.starts_with(p)));
    let measured =
        |probe: &str| record.runs.iter().any(|r| r.case.probe == probe && !r.series().is_empty());
    let mut series = record.runs.iter().flat_map(Run::series);
    if begins(&["load_latency", "bandwidth"]) && !series.any(|s| s.buffer.is_some()) {
        wrong.push("no memory was measured".into());
    }
    if begins(&["numa_matrix to="]) && !measured("numa_matrix") {
        wrong.push("nothing was measured between nodes".into());
    }
    for (label, run) in labels.iter().zip(&record.runs) {
        let mut found = outcome(run);
        found.extend(threads(machine, run));
        found.extend(buffers(machine, run));
        match run.case.probe.as_str() {
            "core_to_core" if !run.series().is_empty() => found.extend(pairs(run)),
            "numa_matrix" if !run.series().is_empty() => found.extend(nodes(machine, run)),
            _ => {}
        }
        wrong.extend(found.into_iter().map(|what| format!("{label}: {what}")));
    }
    wrong
}

fn outcome(run: &Run) -> Complaints {
    let reason = match &run.outcome {
        Outcome::Measured(series) => {
            let empty = series.iter().filter(|s| s.samples.is_empty());
            let mut wrong: Complaints =
                empty.map(|s| format!("{} has no samples", s.metric)).collect();
            let nameless = |s: &&Series| run.case.probe == "core_rate" && s.variant.is_none();
            let nameless = series.iter().filter(nameless);
            wrong.extend(nameless.map(|s| format!("nobody says which code ran {:?}", s.at)));
            wrong.extend(series.is_empty().then(|| "measured, but no series".to_owned()));
            return wrong;
        }
        Outcome::Skipped(reason) | Outcome::Failed(reason) | Outcome::NotReached(reason) => reason,
    };
    // What the budget or the memory was too small for is found out when the case is due; that, too, has a remedy.
    let said = |text: &str| !text.trim().is_empty();
    let explained = said(&reason.why) && reason.remedy.as_deref().is_some_and(said);
    (!explained).then(|| format!("no why or no remedy: {reason:?}")).into_iter().collect()
}

/// Threads were found where they were asked to be, on the CPUs of the case, all of which are usable.
fn threads(machine: &Machine, run: &Run) -> Complaints {
    let cpus = &run.case.place.cpus;
    let mut wrong = Complaints::new();
    if !cpus.is_subset(&machine.usable()) {
        wrong.push(format!("names CPUs {cpus}, of which some cannot be used"));
    }
    if run.series().is_empty() {
        return wrong;
    }
    let moved = run.threads.iter().filter(|t| t.asked != t.found);
    wrong.extend(moved.map(|t| format!("a thread is not where it was asked to be: {t:?}")));
    // Preflight watches; it runs nowhere in particular.
    if run.case.probe != "preflight" {
        let asked: CpuSet = run.threads.iter().map(|t| t.asked).collect();
        wrong.extend(same("CPUs with a thread", &asked, cpus));
    }
    wrong
}

/// Every buffer was found on the nodes of the threads that work on it, and nowhere else.
fn buffers(machine: &Machine, run: &Run) -> Complaints {
    let place = &run.case.place;
    let nodes =
        place.node.map_or(machine.nodes_of(&place.cpus), |node| [node].into_iter().collect());
    let mut wrong = Complaints::new();
    for buffer in run.series().iter().filter_map(|s| s.buffer.as_ref()) {
        wrong.extend(same("nodes of a buffer", &buffer.nodes.keys().copied().collect(), &nodes));
        let sum: f64 = buffer.nodes.values().sum();
        if (sum - 1.0).abs() > 1e-6 {
            wrong.push(format!("{sum} of a buffer was found"));
        }
    }
    wrong
}

/// A coordinate of a series.
fn at(series: &Series, name: &str) -> Option<u64> {
    series.at.get(name)?.integer()
}

/// Every pair of the case's CPUs, once; if these are not all, the case says so.
fn pairs(run: &Run) -> Complaints {
    let cpus: Vec<u64> = run.case.place.cpus.iter().map(u64::from).collect();
    let all: Vec<_> = (cpus.iter().enumerate())
        .flat_map(|(i, from)| cpus[i + 1..].iter().map(|to| (Some(*from), Some(*to))))
        .collect();
    let of = |series: &Series| (at(series, "from"), at(series, "to"));
    let mut pairs: Vec<_> = run.series().iter().map(of).collect();
    pairs.sort_unstable();
    if run.case.get(param::PER_CLASS).is_none() {
        return same("pairs", &pairs, &all).into_iter().collect();
    }
    match pairs.windows(2).all(|w| w[0] < w[1]) && pairs.iter().all(|p| all.contains(p)) {
        true => vec![],
        false => vec![format!("a sample of pairs that is none: {pairs:?}")],
    }
}

/// The memory of one node has a latency and a bandwidth from every node that the case has CPUs of, once in each attempt.
fn nodes(machine: &Machine, run: &Run) -> Complaints {
    let to = run.case.get(param::TO).map(u64::from);
    let mut wrong: Complaints =
        same("the node of the memory", run.case.place.node.map(u64::from), to)
            .into_iter()
            .collect();
    let all: Vec<_> =
        machine.nodes_of(&run.case.place.cpus).iter().map(|n| Some(u64::from(n))).collect();
    let mut found: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for series in run.series() {
        wrong.extend(same("the node of a series", at(series, "to"), to));
        found.entry(series.metric.as_str()).or_default().push(at(series, "from"));
    }
    for metric in ["idle_latency", "bandwidth"] {
        if !found.contains_key(metric) {
            wrong.push(format!("there is no {metric}"));
        }
    }
    for (metric, mut from) in found {
        from.sort_unstable();
        wrong.extend(same(&format!("nodes of {metric}"), &from, &all));
    }
    wrong
}
