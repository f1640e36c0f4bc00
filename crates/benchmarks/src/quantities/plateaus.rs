//! Workloads of which a publication states that some of the CPUs do as much as all, with their CPU use; and what was gained
//! by which changes.
use super::{Basis, Graded};
use crate::say;
use estimates::estimate::Estimate;
use estimates::report::Report;
use record::{ProbeId, Text, Value, param};

/// Some CPUs do as much as all.
#[derive(Debug, Clone, PartialEq)]
pub struct Plateau {
    /// The workload.
    pub workload: String,
    /// CPUs that do as much.
    pub few: usize,
    /// All of them.
    pub all: usize,
    /// Throughput of all over that of the few.
    pub times: f64,
    /// Used share of the CPUs' time with all of them; nothing where it is not stated.
    pub full: Option<f64>,
    /// The joint effect of changes.
    pub remedied: Option<Remedied>,
}

/// A gain and what was changed for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Remedied {
    /// Throughput over that before.
    pub times: f64,
    /// Each change in words.
    pub changes: Vec<Text>,
}

/// Sockets: of the topology, else stated.
pub fn sockets(report: &Report<'_>) -> Option<u32> {
    u32::try_from(report.record.machine.sockets()).ok().filter(|n| (1..=1024).contains(n))
}

/// CPUs: of the topology, else stated.
pub fn cpus(report: &Report<'_>) -> Option<usize> {
    let machine = &report.record.machine;
    match machine.topology.online().len() {
        0 => machine.number("published.cpus").filter(|n| *n >= 1.0).map(|n| n as usize),
        n => Some(n),
    }
}

/// Every plateau that is stated.
pub fn plateaus(report: &Report<'_>) -> Vec<Graded<Plateau>> {
    let Some(all) = cpus(report) else { return vec![] };
    let of = |metric: &'static str, workload: Option<String>| {
        report.of_others().iter().find(move |e| {
            e.probe == ProbeId::ReferenceResult
                && e.metric == metric
                && self::workload(report, e) == workload
        })
    };
    let equal = report.of_others().iter().filter(|e| e.metric == "throughput_equal_to_all_cores");
    let plateau = |e: &Estimate| {
        let name = workload(report, e);
        let few = usize::try_from(param::CORES_USED.of(&e.at)?).ok()?;
        let remedied = of("speedup_vs_before", name.clone()).map(|e| Remedied {
            times: e.median,
            changes: e.at.iter().map(|(name, value)| change(name, value)).collect(),
        });
        let plateau = Plateau {
            full: of("cpu_of_load_process_min", name.clone()).map(|e| e.median),
            workload: name?,
            few,
            all,
            times: e.median,
            remedied,
        };
        Some(Graded { value: plateau, basis: Basis::STATED })
    };
    equal.filter_map(plateau).filter(|p| p.value.few > 0 && p.value.few < all).collect()
}

fn workload(report: &Report<'_>, e: &Estimate) -> Option<String> {
    report.text(e, param::WORKLOAD).map(|name| name.replace('-', " "))
}

fn change(name: &str, value: &Value) -> Text {
    match (name, value) {
        // Sellers write MHz for transfers.
        ("dimm", value) => say::modules_at(value.to_string().replace("MHz", "MT/s")),
        ("memory_affinity", Value::Bool(true)) => say::MEMORY_BOUND_SOCKET.into(),
        (name, value) => format!("{value} {}", name.replace('_', " ")).into(),
    }
}
