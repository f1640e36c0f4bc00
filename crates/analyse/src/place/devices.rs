//! Devices and the nodes that they are attached to: which instances are near, and where a device is that was asked for.
use super::{Basis, Draft, Instance};
use crate::{say, words};
use record::{Between, Device, Machine, Message, Reason, Text};

/// The subject of choices about devices.
pub(super) const ABOUT: Message = say::ABOUT_DEVICES;

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
            let known: Vec<Text> = devices.iter().map(|d| words::device(d).into()).collect();
            let remedy = match known.is_empty() {
                true => say::PLACE_NO_DEVICES.into(),
                false => say::place_devices_known(some(&known, 16)),
            };
            Err(Reason::mended_by(say::place_no_device(asked), remedy))
        }
        [] => Err(Reason::new(say::place_device_no_node(asked))),
        _ => {
            let on_node = |d: &&Device| Some(say::device_on_node(words::device(d), d.node?));
            let all: Vec<Text> = found.iter().filter_map(on_node).collect();
            Err(Reason::mended_by(
                say::place_device_nodes(asked),
                say::place_device_name_one(some(&all, 16)),
            ))
        }
    }
}

/// The first of them, and how many others there are.
fn some(devices: &[Text], most: usize) -> Text {
    let list = Text::list(&devices[..devices.len().min(most)], Between::Comma);
    match devices.len().saturating_sub(most) {
        0 => list,
        more => say::devices_and_others(list, more),
    }
}

/// The devices near each instance, where there is a choice of nodes.
pub(super) fn explain(machine: &Machine, instances: &[Instance], draft: &mut Draft) {
    let topology = &machine.topology;
    if topology.with_cpus().count() < 2 {
        return;
    }
    let on = topology.devices.iter().filter_map(|d| Some((d.node?, words::device(d).into())));
    for (node, devices) in record::groups(on) {
        let of = |i: &Instance| i.cpus.iter().any(|cpu| topology.node_of(cpu) == Some(node));
        let near: Vec<String> = (0..)
            .zip(instances)
            .filter(|(_, i)| of(i))
            .map(|(at, _): (u32, _)| at.to_string())
            .collect();
        let list = some(&devices, 6);
        let count = devices.len();
        let text = match &near[..] {
            [] => say::devices_no_instance(list, count, node),
            [one] => say::devices_one_instance(list, count, node, one),
            many => say::devices_instances(list, count, node, many.join(", ")),
        };
        draft.choose(ABOUT, text, Basis::Stated);
    }
}
