//! Who has the CPU, asked in places where that is hard to know: every CPU that may be used is watched, the parts are the whole,
//! and what cannot be had says why.
use super::{
    Complaints, RECORD, ended_well, is_scarce, json, list, same, saved_codes, saves, words,
};
use lab::{Machine, Ran};
use record::CpuSet;
use serde_json::Value;

/// As briefly as an emulated machine allows, with a real-time thread where that is permitted.
const ARGUMENTS: &[&str] = &[
    "noise",
    "detours",
    "--seconds",
    "1",
    "--binding",
    "bound,unbound,fifo",
    "--threshold",
    "5000",
];

/// Machines that are there for more than this.
const ALSO: [&str; 3] = ["one-cpu", "cpuset-one", "readonly-root"];

/// Whether it is all that is asked of the machine beside its inventory.
pub(super) fn alone(machine: &Machine) -> bool {
    let quota = machine.place.quota.is_some() && !is_scarce(machine);
    quota || machine.place.no_interrupts || !machine.boot.is_empty()
}

/// The arguments of `noise` for a machine; none for machines that test something else.
pub(super) fn arguments(machine: &Machine) -> Option<Vec<&'static str>> {
    let save: &[&str] = if saves(machine) { &["--force", "--record", RECORD] } else { &[] };
    let named: &[&str] = if machine.isolated.is_empty() { &[] } else { &["--cpus", "0-3"] };
    let wanted = alone(machine) || ALSO.contains(&machine.name.as_str());
    wanted.then(|| [ARGUMENTS, named, save].concat())
}

/// The report, and the record where one was saved.
pub(super) fn check(
    machine: &Machine,
    ran: &Ran,
    saved: Option<&str>,
) -> Result<Complaints, String> {
    let mut wrong = ended_well("noise", ran, saved_codes(machine));
    let report: Value = json("noise", &ran.stdout)?;
    let noise = &report["noise"];
    let of = |binding: &str| -> Vec<&Value> {
        list(&noise["cpus"]).iter().filter(|w| w["binding"] == binding).collect()
    };
    let watched = |binding: &str| -> CpuSet {
        of(binding).iter().filter_map(|w| w["cpu"].as_u64()?.try_into().ok()).collect()
    };
    let wanted: CpuSet = machine.usable().iter().chain(machine.isolated.iter()).collect();
    wrong.extend(same("CPUs that were watched", &watched("bound"), &wanted));
    wrong.extend(same("threads that may be moved", of("unbound").len(), 1));
    if wanted.len() == 1 {
        wrong.extend(same("one CPU, a ranking of", list(&noise["ranked"]).len(), 0));
    }
    let share = |value: &Value| value["share"].as_f64().unwrap_or(f64::NAN);
    for one in list(&noise["cpus"]) {
        let sum: f64 = list(&one["parts"]).iter().map(share).sum();
        let taken = share(one);
        if (sum - taken).abs() > 1e-6 || !taken.is_finite() {
            wrong.push(format!("the parts are {sum} of {taken}: {one}"));
        }
    }
    if machine.place.uid.is_none() {
        wrong.extend(same("real-time threads", &watched("fifo"), &wanted));
    } else {
        let fifo = list(&report["not_measured"])
            .iter()
            .find(|c| c["case"]["params"]["binding"] == "fifo")
            .map_or(&Value::Null, |c| &c["outcome"]["skipped"]);
        if words(&fifo["why"]).is_none() || words(&fifo["remedy"]).is_none() {
            wrong.push(format!("not root, and nothing about SCHED_FIFO: {report}"));
        }
    }
    let all: Vec<&Value> = of("bound").iter().flat_map(|w| list(&w["parts"])).collect();
    let part = |source: &str| -> f64 {
        let found = all.iter().filter(|p| p["by"] == source || p["by"].get(source).is_some());
        found.map(|p| share(p)).sum()
    };
    // Half a CPU for two threads that want one each: three quarters of both.
    if machine.place.quota.is_some() && part("quota") < 0.2 {
        wrong.push(format!("a quota of half a CPU, and quota throttling is {}", part("quota")));
    }
    if machine.place.no_interrupts && part("interrupt") > 0.0 {
        wrong.push("no table of interrupts, and yet some are named".into());
    }
    let Some(saved) = saved else { return Ok(wrong) };
    let record = record::from_slice(saved.as_bytes()).map_err(|e| format!("noise: {e}"))?;
    let mut detours =
        record.runs.iter().flat_map(|run| run.series()).filter_map(|s| s.detours.as_deref());
    if machine.place.no_interrupts && !detours.any(|d| d.uncounted.contains_key("interrupts")) {
        wrong.push("no table of interrupts, and nobody says so".into());
    }
    let isolated = record.machine.topology.cpus.iter().filter(|cpu| cpu.isolated);
    wrong.extend(same("isolated CPUs", &isolated.map(|c| c.id).collect(), &machine.isolated));
    Ok(wrong)
}
