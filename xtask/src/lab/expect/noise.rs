//! Who has the CPU, asked in places where that is hard to know: every CPU that may be used is watched, the parts are the whole,
//! and what cannot be had says why.
use super::{
    Complaints, RECORD,
    inventory::{set, usable},
    list, same, saves, words,
};
use crate::lab::machine::Machine;
use serde_json::Value;
use std::collections::BTreeSet;

/// How it is asked: as briefly as an emulated machine allows, with a real-time thread where that is permitted.
const ASKED: &[&str] =
    &["noise", "gaps", "--seconds", "1", "--binding", "bound,unbound,fifo", "--threshold", "5000"];

/// Machines that are there for more than this.
const ALSO: [&str; 3] = ["one-cpu", "cpuset-one", "readonly-root"];

/// Whether it is all that is asked of the machine beside its inventory.
pub(super) fn alone(machine: &Machine) -> bool {
    machine.place.quota.is_some() || machine.place.untold || !machine.boot.is_empty()
}

/// What the machine is asked; nothing of those that have other points.
pub(super) fn asked(machine: &Machine) -> Option<Vec<&'static str>> {
    let save: &[&str] = if saves(machine) { &["--record", RECORD] } else { &[] };
    let named: &[&str] = machine.isolated.map_or(&[], |_| &["--cpus", "0-3"]);
    let wanted = alone(machine) || ALSO.contains(&machine.name);
    wanted.then(|| [ASKED, named, save].concat())
}

/// The report, and the record where one was saved.
pub(super) fn check(machine: &Machine, report: &Value, record: Option<&Value>) -> Complaints {
    let noise = &report["noise"];
    let of = |binding: &str| -> Vec<&Value> {
        list(&noise["cpus"]).iter().filter(|w| w["binding"] == binding).collect()
    };
    let watched = |binding: &str| -> BTreeSet<u64> {
        of(binding).iter().filter_map(|w| w["cpu"].as_u64()).collect()
    };
    let mut wanted: BTreeSet<u64> = usable(machine).into_iter().map(u64::from).collect();
    wanted.extend(machine.isolated.map(set).unwrap_or_default().into_iter().map(u64::from));
    let mut wrong: Complaints =
        same("CPUs that were watched", watched("bound"), wanted.clone()).into_iter().collect();
    wrong.extend(same("threads that may be moved", of("unbound").len(), 1));
    if wanted.len() == 1 {
        wrong.extend(same("one CPU, a ranking of", list(&noise["ranked"]).len(), 0));
    }
    let share = |value: &Value| value["share"]["value"].as_f64().unwrap_or(f64::NAN);
    for one in list(&noise["cpus"]) {
        let sum: f64 = list(&one["parts"]).iter().map(share).sum();
        let taken = one["taken"]["value"].as_f64().unwrap_or(f64::NAN);
        if (sum - taken).abs() > 1e-6 || !taken.is_finite() {
            wrong.push(format!("the parts are {sum} of {taken}: {one}"));
        }
    }
    let fifo = list(&report["not_measured"]).iter().find(|c| {
        c["case"]["params"]["binding"] == "fifo" && words(&c["outcome"]["skipped"]["why"]).is_some()
    });
    match machine.place.uid {
        Some(_) if fifo.is_none_or(|c| words(&c["outcome"]["skipped"]["remedy"]).is_none()) => {
            wrong.push(format!(
                "not root, and nothing about SCHED_FIFO: {}",
                report["not_measured"]
            ));
        }
        Some(_) => {}
        None => wrong.extend(same("real-time threads", watched("fifo"), wanted)),
    }
    let all: Vec<&Value> = of("bound").iter().flat_map(|w| list(&w["parts"])).collect();
    let part = |start: &str| -> f64 {
        let found = all.iter().filter(|p| words(&p["by"]).is_some_and(|id| id.starts_with(start)));
        found.map(|p| share(p)).sum()
    };
    // Half a CPU for two threads that want one each: three quarters of both.
    if machine.place.quota.is_some() && part("quota") < 0.2 {
        wrong.push(format!("a quota of half a CPU, and quota throttling is {}", part("quota")));
    }
    if machine.place.untold {
        if part("interrupt.") > 0.0 {
            wrong.push("no table of interrupts, and yet some are named".into());
        }
        let runs = record.map_or(&[][..], |record| list(&record["runs"]));
        let series = runs.iter().flat_map(|run| list(&run["outcome"]["measured"]));
        let reason = |s: &Value| words(&s["gaps"]["uncounted"]["interrupts"]["why"]).is_some();
        if !series.clone().any(reason) {
            wrong.push("no table of interrupts, and nobody says so".into());
        }
    }
    if let Some(isolated) = machine.isolated {
        let cpus = record.map_or(&[][..], |record| list(&record["machine"]["topology"]["cpus"]));
        let told = cpus.iter().filter(|cpu| cpu["isolated"] == true);
        let told: BTreeSet<u64> = told.filter_map(|cpu| cpu["id"].as_u64()).collect();
        let wanted = set(isolated).into_iter().map(u64::from).collect();
        wrong.extend(same("isolated CPUs", told, wanted));
    }
    wrong
}
