//! Conclusions on the machine, and how fast its cores run.
use crate::estimate::Estimate;
use crate::say;
use crate::words::{self, percent};
use crate::{facts, quantity};
use estimates::report::Report;
use record::{Between, Metric, ProbeId, Text};

pub(super) fn machine(report: &Report<'_>) -> Option<Text> {
    let machine = &report.record.machine;
    let topology = &machine.topology;
    let model = machine.text("cpu.model");
    let online = topology.online().len();
    if model.is_none() && online == 0 {
        return None;
    }
    let mut said = model.map_or(say::UNKNOWN_PROCESSOR.into(), Text::from);
    // A design that is not listed is worded "unknown: ..." with its numbers: for the table, not for a sentence.
    let design = machine.text("cpu.microarchitecture").filter(|name| !name.starts_with("unknown"));
    if let Some(name) = design {
        said = say::of_design(said, name);
    }
    if online > 0 {
        let mut parts = vec![say::cpus(online)];
        let cores = machine.cores();
        parts.extend((cores < online).then(|| say::cores(cores)));
        let sockets = Some(machine.sockets()).filter(|sockets| *sockets > 0);
        parts.extend(sockets.map(say::sockets));
        let nodes = Some(topology.nodes.len()).filter(|nodes| *nodes > 0);
        parts.extend(nodes.map(say::numa_nodes));
        said = Text::list([said, Text::list(parts, Between::Comma)], Between::Colon);
    }
    let guest = facts::hypervisor(machine).map(say::virtual_machine);
    Some(say::sentence(Text::list([Some(said), guest].into_iter().flatten(), Between::Comma)))
}

fn compared(measured: &Estimate, name: &str, hertz: f64) -> Text {
    let ratio = measured.median / hertz;
    let (measured, stated) = (quantity::median(measured), words::frequency(hertz));
    let share = percent((ratio - 1.0).abs());
    match (name, (ratio - 1.0).abs() < 0.01, ratio > 1.0) {
        ("base", true, _) => say::frequency_at_base(measured, stated),
        ("base", _, true) => say::frequency_above_base(measured, share, stated),
        ("base", ..) => say::frequency_below_base(measured, share, stated),
        (_, true, _) => say::frequency_at_maximum(measured, stated),
        (_, _, true) => say::frequency_above_maximum(measured, share, stated),
        _ => say::frequency_below_maximum(measured, share, stated),
    }
}

pub(super) fn frequency(report: &Report<'_>) -> Option<Text> {
    let estimate = report.one(ProbeId::CoreFrequency, Metric::Frequency, []).ok()?;
    let cpu = report.record.runs.get(estimate.run)?.case.place.cpus.first();
    // The maximum is the frequency to compare one busy core with; the base frequency where no maximum is stated.
    let stated = facts::rated_frequencies(&report.record.machine, cpu);
    match stated.ok().and_then(|frequencies| frequencies.last().copied()) {
        Some(stated) => Some(compared(estimate, stated.name, stated.hertz)),
        None => Some(say::frequency_unstated(quantity::median(estimate))),
    }
}
