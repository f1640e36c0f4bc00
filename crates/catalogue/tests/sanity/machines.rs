//! Facts of the machines, compared with their measurements and with each other.

use super::checks::warning;
use catalogue::{Machine, Measurement, Reference, SanityWarning};
fn described(name: &str) -> record::Machine {
    catalogue::record(name).unwrap().unwrap().machine
}

/// Latency and distance are called equal; beyond this share they are not.
const APART: f64 = 0.1;

/// The firmware's distances, against the latency of the same nodes.
pub(super) fn distances(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for machine in &reference.machines {
        let all: Vec<&Measurement> = reference
            .series("lmbench-lat_mem_rd", "latency")
            .filter(|m| m.machine == machine.name)
            .collect();
        if all.len() < 3 {
            continue;
        }
        let topology = described(&machine.name).topology;
        let Some(own) = all.first().and_then(|m| m.value) else { continue };
        for m in &all {
            let Some((distance, latency)) = catalogue::numa_distance(&topology, m).zip(m.value)
            else {
                continue;
            };
            let follows = own * f64::from(distance) / 10.0;
            if (latency / follows - 1.0).abs() > APART {
                found.push(warning(
                    m,
                    format!(
                        "the distance of these nodes is stated as {distance}, so {follows:.0} ns if latency follows it as the text says; {} ns were measured",
                        m.printed
                    ),
                ));
            }
        }
    }
}

/// The facts that distinguish configurations of one model.
fn configuration(machine: &Machine) -> Option<(String, Vec<(&'static str, String)>)> {
    let record = described(&machine.name);
    let model = record.text("cpu.model")?.to_owned();
    let nodes = record.integer("memory.nodes").or_else(|| {
        let nodes = record.topology.nodes.len() as u64;
        (nodes > 0).then_some(nodes)
    });
    let mut parts = vec![];
    parts.extend(nodes.map(|n| ("NUMA nodes", n.to_string())));
    let l3 = |name| record.value(name).map(ToString::to_string);
    parts.extend(l3("cache.l3.each").or_else(|| l3("cache.l3.total")).map(|b| ("bytes of L3", b)));
    (!parts.is_empty()).then_some((model, parts))
}

/// One model in two configurations: figures of one say nothing of the other.
pub(super) fn other_configurations(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let all: Vec<_> =
        reference.machines.iter().filter_map(|m| Some((m, configuration(m)?))).collect();
    for (machine, (model, here)) in &all {
        for (other, (_, there)) in
            all.iter().filter(|(o, (m, _))| o.name != machine.name && m == model)
        {
            let unlike: Vec<String> = here
                .iter()
                .filter_map(|(what, value)| {
                    let (_, theirs) = there.iter().find(|(w, _)| w == what)?;
                    (theirs != value).then(|| format!("{what} {value} here and {theirs} there"))
                })
                .collect();
            let Some(at) = machine.described.first().filter(|_| !unlike.is_empty()) else {
                continue;
            };
            found.push(SanityWarning {
                machine: machine.name.clone(),
                publication: at.publication.clone(),
                line: Some(at.lines.0),
                what: format!(
                    "{} is the same model and states otherwise: {}; which of the two a figure was measured on is not always said",
                    other.name,
                    unlike.join(", ")
                ),
                measurements: vec![],
            });
        }
    }
}

/// Cores that do not divide by sockets as cores do.
pub(super) fn cores(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("inventory", "cores_stated") {
        let sockets = reference
            .machine(&m.machine)
            .and_then(|x| x.facts.get("cpu.sockets")?.integer())
            .filter(|n| *n > 0);
        let (Some(sockets), Some(cores)) = (sockets, m.value) else { continue };
        let each = cores / sockets as f64;
        if each % 2.0 != 0.0 {
            found.push(warning(
                m,
                format!(
                    "{} cores on {sockets} sockets are {each} each, which no server processor has: one of the two is not exact",
                    m.printed
                ),
            ));
        }
    }
}
