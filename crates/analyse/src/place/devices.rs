//! Devices and the nodes that they are attached to: which instances are near, and where a device is that was asked for.
use super::{Basis, Draft, Instance};
use crate::words::{self, count};
use record::{Device, Machine, Reason};

/// The subject of choices about devices.
pub(super) const ABOUT: &str = "Devices";

/// The node of the devices of a kind (`nic`, `nvme`, `gpu`, `cxl`), or of the one with this name or PCI address.
///
/// # Errors
/// There is none, its node is not known, or they are on several nodes.
pub fn node_near(machine: &Machine, asked: &str) -> Result<u32, Reason> {
    let devices = &machine.topology.devices;
    let is = |d: &&Device| {
        let kind = d.kind.name().split(' ').next().unwrap_or_default();
        kind.eq_ignore_ascii_case(asked)
            || d.address == asked
            || d.names.iter().any(|name| name == asked)
    };
    let found: Vec<&Device> = devices.iter().filter(is).collect();
    let mut nodes: Vec<u32> = found.iter().filter_map(|d| d.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    match nodes[..] {
        [node] => Ok(node),
        [] if found.is_empty() => {
            let known: Vec<String> = devices.iter().map(words::device).collect();
            let remedy = match known.is_empty() {
                true => "no PCI devices are known here".to_owned(),
                false => format!("known are: {}", some(&known, 16)),
            };
            Err(Reason::mended_by(format!("there is no device {asked}"), remedy))
        }
        [] => Err(Reason::new(format!(
            "the machine does not state the NUMA node of {asked}: guests and machines with one node do not"
        ))),
        _ => {
            let all: Vec<String> = found
                .iter()
                .filter_map(|d| Some(format!("{} on node {}", words::device(d), d.node?)))
                .collect();
            Err(Reason::mended_by(
                format!("{asked} is on several nodes"),
                format!("name one: {}", some(&all, 16)),
            ))
        }
    }
}

/// The first of them, and how many others there are.
fn some(devices: &[String], most: usize) -> String {
    let list = devices[..devices.len().min(most)].join(", ");
    match devices.len().saturating_sub(most) {
        0 => list,
        more => format!("{list} and {}", count(more, "other")),
    }
}

/// The devices near each instance, where there is a choice of nodes.
pub(super) fn explain(machine: &Machine, instances: &[Instance], draft: &mut Draft) {
    let topology = &machine.topology;
    if topology.with_cpus().count() < 2 {
        return;
    }
    let on = topology.devices.iter().filter_map(|d| Some((d.node?, words::device(d))));
    for (node, devices) in record::groups(on) {
        let of = |i: &Instance| i.cpus.iter().any(|cpu| topology.node_of(cpu) == Some(node));
        let near: Vec<String> = (0..)
            .zip(instances)
            .filter(|(_, i)| of(i))
            .map(|(at, _): (u32, _)| at.to_string())
            .collect();
        let list = some(&devices, 6);
        let are = if devices.len() == 1 { "is" } else { "are" };
        let what = match &near[..] {
            [] => "no instance is there".to_owned(),
            [one] => format!("put what uses it on instance {one}"),
            many => format!("put what uses it on instances {}", many.join(", ")),
        };
        draft.choose(ABOUT, format!("{list} {are} on node {node}: {what}."), Basis::Stated);
    }
}
