//! The fixed battery of `check`: few cases of existing probes, the same on every machine of a kind, in 20 s. Pure.
use crate::probes;
use measure::{
    place,
    plan::{self, planned},
    probe::{Probe, Setting},
    visits,
};
use record::{Case, Machine, ProbeId, Run, param};

/// The probes of the battery, in the order in which they run.
const PROBES: [&str; 5] =
    ["preflight", "core_frequency", "load_latency", "core_to_core", "bandwidth"];
/// Bandwidths, each of all CPUs and of each node's.
const KERNELS: [&str; 2] = ["read", "triad"];

/// Seconds that the battery may take at most. The rest of 20 s is for the sample that has begun by then and for the inventory
/// before and after, which take 4 s where three programs want each CPU.
pub const SECONDS: f64 = 16.0;
/// Seconds that are planned for, and visits of a case at most: medians of one visit differ from check to check by what its memory
/// and its moment were.
const PLANNED: f64 = 12.0;
const VISITS: usize = 4;
/// Visits of a bandwidth, which other machines of the host change from visit to visit.
const VISITS_OF_BANDWIDTH: usize = 6;

/// The cases of the battery on this machine, none reached yet.
pub fn battery(setting: &Setting<'_>) -> Vec<Run> {
    // Every variant, of which few are kept.
    let mut setting = setting.clone();
    setting.options.only_with = KERNELS.map(|k| ("kernel".into(), k.into())).into();
    let mut runs = vec![];
    for (id, probe) in PROBES.into_iter().filter_map(|id| Some((id, plan::find(probes::ALL, id)?)))
    {
        runs.extend(of_probe(id, probe, &setting, None));
    }
    let nodes: Vec<_> =
        setting.machine.topology.nodes.iter().filter(|n| !n.cpus.is_empty()).collect();
    if let (Some(bandwidth), true) = (plan::find(probes::ALL, "bandwidth"), nodes.len() > 1) {
        for node in nodes {
            let cpus = node.cpus.intersection(&setting.cpus);
            if !cpus.is_empty() {
                let near = Setting { cpus, ..setting.clone() };
                runs.extend(of_probe("bandwidth", bandwidth, &near, Some(node.id)));
            }
        }
    }
    visits::fill(probes::ALL, &mut runs, PLANNED, |run| match run.case.probe {
        ProbeId::Bandwidth => VISITS_OF_BANDWIDTH,
        _ => VISITS,
    });
    runs
}

fn of_probe(id: &str, probe: &Probe, setting: &Setting<'_>, node: Option<u32>) -> Vec<Run> {
    let cases = match (probe.cases)(setting) {
        Ok(cases) => cases,
        Err(why) => return vec![plan::skipped(id, probe, why)],
    };
    let mut chosen: Vec<Case> =
        cases.into_iter().filter(|case| wanted(id, case, setting.machine)).collect();
    for case in &mut chosen {
        if id == "core_to_core" {
            case.params.insert("per_class".into(), 1u64.into());
            case.estimate = case.estimate.min(0.5);
        }
        if let Some(node) = node {
            case.params.insert("threads".into(), "node".into());
            case.params.insert("node".into(), node.into());
        }
    }
    // A machine, or node, with one CPU has no case for all of them.
    if id == "bandwidth" && chosen.iter().any(|c| c.place.cpus.len() > 1) {
        chosen.retain(|c| c.place.cpus.len() > 1);
    }
    chosen.into_iter().map(|case| planned(id, probe, case, setting.machine)).collect()
}

fn wanted(id: &str, case: &Case, machine: &Machine) -> bool {
    let pages = if place::no_huge_pages(machine).is_some() { "base" } else { "thp" };
    let is = |parameter, value| case.get(parameter) == Some(value);
    match id {
        "load_latency" => {
            is(param::ORDER, "random")
                && is(param::PAGES, pages)
                && case.get(param::STRIDE) == Some(64.0)
        }
        "core_to_core" => is(param::METHOD, "cas"),
        "bandwidth" => {
            !is(param::ONE_OR_ALL, "node")
                && case.get(param::KERNEL).is_some_and(|k| KERNELS.contains(&k))
        }
        _ => true,
    }
}
