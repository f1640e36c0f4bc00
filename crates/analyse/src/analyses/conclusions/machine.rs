//! Conclusions on the machine, and how fast its cores run.
use crate::estimate::Estimate;
use crate::words::{self, count, percent};
use crate::{facts, quantity};
use estimates::report::Report;
use record::{Metric, ProbeId};

pub(super) fn machine(report: &Report<'_>) -> Option<String> {
    let machine = &report.record.machine;
    let topology = &machine.topology;
    let model = machine.text("cpu.model");
    let online = topology.online().len();
    if model.is_none() && online == 0 {
        return None;
    }
    let mut said = model.unwrap_or("A processor of unknown model").to_owned();
    // A design that is not listed is worded "unknown: ..." with its numbers: for the table, not for a sentence.
    let design = machine.text("cpu.microarchitecture").filter(|name| !name.starts_with("unknown"));
    if let Some(name) = design {
        said += &format!(" ({name})");
    }
    if online > 0 {
        let mut parts = vec![count(online, "CPU")];
        let cores = machine.cores();
        if cores < online {
            parts.push(count(cores, "core"));
        }
        match machine.sockets() {
            0 => {}
            sockets => parts.push(count(sockets, "socket")),
        }
        match topology.nodes.len() {
            0 => {}
            nodes => parts.push(count(nodes, "NUMA node")),
        }
        said += &format!(": {}", parts.join(", "));
    }
    if let Some(name) = facts::hypervisor(machine) {
        said += &format!(", a virtual machine under {name}");
    }
    Some(said + ".")
}

fn compared(measured: &Estimate, name: &str, hertz: f64) -> String {
    let ratio = measured.median / hertz;
    let against = if (ratio - 1.0).abs() < 0.01 {
        format!("its {name} frequency of {}", words::frequency(hertz))
    } else if ratio > 1.0 {
        format!(
            "{} above its {name} frequency of {}",
            percent(ratio - 1.0),
            words::frequency(hertz)
        )
    } else {
        format!(
            "{} below its {name} frequency of {}",
            percent(1.0 - ratio),
            words::frequency(hertz)
        )
    };
    format!("A busy core runs at {}, {against}.", quantity::median(measured))
}

pub(super) fn frequency(report: &Report<'_>) -> Option<String> {
    let estimate = report.one(ProbeId::CoreFrequency, Metric::Frequency, []).ok()?;
    let cpu = report.record.runs.get(estimate.run)?.case.place.cpus.first();
    // The maximum is the frequency to compare one busy core with; the base frequency where no maximum is stated.
    let stated = facts::rated_frequencies(&report.record.machine, cpu);
    match stated.ok().and_then(|frequencies| frequencies.last().copied()) {
        Some(stated) => Some(compared(estimate, stated.name, stated.hertz)),
        None => Some(format!(
            "A busy core runs at {}; the machine does not state what it should run at.",
            quantity::median(estimate)
        )),
    }
}
