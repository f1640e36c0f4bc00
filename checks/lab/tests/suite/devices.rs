//! Devices, what firmware states of memory, and CXL memory: `cpulens info` against the kernel's own words, and instances on
//! the nodes of devices. Storage controllers are QEMU's own and left out.
use super::{Complaints, Info, ended_well, json, list, same, words};
use lab::{Device, Machine, Ran};
use record::{CpuSet, DeviceKind, Link, Topology};
use serde_json::Value;
use std::collections::BTreeSet;

const MIB: f64 = 1_048_576.0;

/// The device's name for `place`: its kind for one, the kernel's name for the others.
pub(super) fn name(device: &Device) -> &'static str {
    match device.kind {
        DeviceKind::Nvme => "nvme0",
        DeviceKind::Cxl => "mem0",
        _ => "nic",
    }
}

pub(super) fn check(machine: &Machine, info: &Ran, places: &[Ran]) -> Result<Complaints, String> {
    let found = json::<Info>("info", &info.stdout)?.machine;
    let said = |line: &&String| line.starts_with("pci ") || line.starts_with("memory ");
    let kernels: BTreeSet<String> = machine.facts.iter().filter(said).cloned().collect();
    let ours: BTreeSet<String> = lines(&found).into_iter().collect();
    let missing = kernels.difference(&ours).map(|line| format!("info does not say: {line}"));
    let more = ours.difference(&kernels).map(|line| format!("info says: {line}"));
    let mut wrong: Complaints = missing.chain(more).collect();
    for node in found.topology.nodes.iter().filter(|node| node.cpus.is_empty()) {
        let kind = found.text(&format!("memory.node.{}.kind", node.id));
        wrong.extend(same("kind of the node without CPUs", kind, Some("high bandwidth")));
    }
    let expanders = machine.devices.iter().filter(|d| d.kind == DeviceKind::Cxl).count();
    let counted = found.integer("memory.cxl.devices");
    wrong.extend(same("CXL memory devices", counted, Some(expanders as u64)));
    wrong.extend(same("placements", places.len(), machine.devices.len()));
    for (device, place) in machine.devices.iter().zip(places) {
        let what = format!("place --near {}", name(device));
        wrong.extend(ended_well(&what, place, &[0]));
        wrong.extend(placed(&what, device, &found.topology, &json(&what, &place.stdout)?));
    }
    Ok(wrong)
}

/// Every instance is on the node of the device, which is said to be there.
fn placed(what: &str, device: &Device, topology: &Topology, place: &Value) -> Complaints {
    let node = topology.nodes.iter().find(|node| node.id == device.node);
    let all = list(&place["instances"]);
    let used = |i: &Value| words(&i["cpus"])?.parse::<CpuSet>().ok();
    let used: CpuSet =
        all.iter().filter_map(used).flat_map(|set| set.iter().collect::<Vec<_>>()).collect();
    let said = list(&place["choices"]).iter().filter_map(|choice| words(&choice["text"]));
    let there =
        said.filter(|text| text.contains(&format!("on node {}: put what uses it", device.node)));
    let mut wrong: Complaints =
        same(&format!("CPUs of {what}"), Some(&used), node.map(|n| &n.cpus)).into_iter().collect();
    wrong.extend(same(&format!("devices there by {what}"), there.count(), 1));
    wrong
}

/// The devices found, as lines of the init's facts.
fn lines(found: &record::Machine) -> Vec<String> {
    let link = |link: Option<Link>| match link {
        Some(link) => format!("{:.1}x{}", link.transfers / 1e9, link.lanes),
        None => "-x-".into(),
    };
    let mut all = vec![];
    for d in found.topology.devices.iter().filter(|d| d.kind != DeviceKind::Storage) {
        let node = d.node.map_or("-1".into(), |node| node.to_string());
        let [now, most, port] = [d.link, d.link_of_device, d.link_of_port].map(link);
        let interrupts = d.interrupts.len();
        let address = &d.address;
        all.push(format!(
            "pci {address} node {node} link {now} of {most} at {port} interrupts {interrupts}"
        ));
        if d.kind == DeviceKind::Cxl {
            let size = |name| found.integer(&format!("memory.cxl.{name}")).unwrap_or(u64::MAX);
            let (ram, pmem) = (size("bytes"), size("persistent"));
            all.push(format!("memory {} ram {ram:#x} pmem {pmem:#x}", d.names.join(" ")));
        }
    }
    for node in &found.topology.nodes {
        let name = |what: &str| format!("memory.node.{}.{what}", node.id);
        let number = |what: &str| found.number(&name(what)).unwrap_or(f64::NAN);
        if let Some(near) = found.text(&name("near")) {
            let (latency, bandwidth) =
                (number("read_latency") * 1e9, number("read_bandwidth") / MIB);
            all.push(format!(
                "memory of node{} near {near} {latency:.0} ns {bandwidth} MiB/s",
                node.id
            ));
        }
        if let Some(size) = found.integer(&name("side_cache")) {
            let indexing = match found.text(&name("side_cache.indexing")) {
                Some("direct") => 0,
                Some("indexed") => 1,
                _ => 2,
            };
            all.push(format!("memory of node{} cache {size} indexing {indexing}", node.id));
        }
    }
    let tiers = found.text("memory.tiers").unwrap_or_default();
    let tiers = tiers.split("; ").filter(|tier| !tier.is_empty());
    all.extend(tiers.map(|tier| format!("memory memory_tier{}", tier.replacen(':', "", 1))));
    all
}
