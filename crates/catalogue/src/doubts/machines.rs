//! What machines state of themselves, against what was measured on them and what they state elsewhere.
use super::Doubt;
use crate::records;
use crate::reference::{Machine, Measurement, Reference};
use record::Topology;

/// Latency and distance are called equal; beyond this share they are not.
const APART: f64 = 0.1;

/// The firmware's distances, against the latency of the same nodes.
pub(super) fn distances(of: &Reference, found: &mut Vec<Doubt>) {
    for machine in &of.machines {
        let all: Vec<&Measurement> = of
            .series("lmbench-lat_mem_rd", "latency")
            .filter(|m| m.machine == machine.name)
            .collect();
        if all.len() < 3 {
            continue;
        }
        let topology = records::topology(machine);
        let Some(own) = all.first().and_then(|m| m.value) else { continue };
        for m in &all {
            let Some((distance, latency)) = distance(&topology, m).zip(m.value) else { continue };
            let follows = own * f64::from(distance) / 10.0;
            if (latency / follows - 1.0).abs() > APART {
                found.push(Doubt::of(
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

/// The stated distance from the CPU's node to the memory's.
pub(crate) fn distance(topology: &Topology, m: &Measurement) -> Option<u32> {
    let number = |name: &str| m.integer(name).and_then(|n| u32::try_from(n).ok());
    let from = number("cpu_node").or_else(|| {
        let cpu = number("cpu")?;
        topology.nodes.iter().find(|n| n.cpus.contains(cpu)).map(|n| n.id)
    })?;
    let to = topology.nodes.iter().position(|n| Some(n.id) == number("mem_node"))?;
    topology.node(from)?.distances.get(to).copied()
}

/// What tells one configuration of a model from another.
fn told(machine: &Machine) -> Option<(String, Vec<(&'static str, String)>)> {
    let record = records::machine(machine);
    let model = record.text("cpu.model")?.to_owned();
    let nodes = record.integer("memory.nodes").or_else(|| {
        let nodes = record.topology.nodes.len() as u64;
        (nodes > 0).then_some(nodes)
    });
    let mut told = vec![];
    told.extend(nodes.map(|n| ("NUMA nodes", n.to_string())));
    let l3 = |name| record.value(name).map(ToString::to_string);
    told.extend(l3("cache.l3.each").or_else(|| l3("cache.l3.total")).map(|b| ("bytes of L3", b)));
    (!told.is_empty()).then_some((model, told))
}

/// One model in two configurations: figures of one say nothing of the other.
pub(super) fn other_configurations(of: &Reference, found: &mut Vec<Doubt>) {
    let all: Vec<_> = of.machines.iter().filter_map(|m| Some((m, told(m)?))).collect();
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
            found.push(Doubt {
                machine: machine.name.clone(),
                publication: at.publication.clone(),
                line: Some(at.lines.0),
                what: format!(
                    "{} is the same model and states otherwise: {}; which of the two a figure was measured on is not always said",
                    other.name,
                    unlike.join(", ")
                ),
                about: vec![],
            });
        }
    }
}

/// Cores that do not divide by sockets as cores do.
pub(super) fn cores(of: &Reference, found: &mut Vec<Doubt>) {
    for m in of.series("inventory", "cores_stated") {
        let sockets = of
            .machine(&m.machine)
            .and_then(|x| x.facts.get("cpu.sockets")?.integer())
            .filter(|n| *n > 0);
        let (Some(sockets), Some(cores)) = (sockets, m.value) else { continue };
        let each = cores / sockets as f64;
        if each % 2.0 != 0.0 {
            found.push(Doubt::of(
                m,
                format!(
                    "{} cores on {sockets} sockets are {each} each, which no server processor has: one of the two is not exact",
                    m.printed
                ),
            ));
        }
    }
}
