//! `cpulens info` against the description of the machine it ran on.
use super::{Complaints, list, same, words};
use crate::{
    dist::Arch,
    lab::machine::{Hardware, Machine},
};
use serde_json::Value;
use std::collections::BTreeSet;

/// What the description comes to, CPU by CPU and node by node.
struct Described {
    cpus: u32,
    sockets: u32,
    /// Threads of a core.
    threads: u32,
    /// The CPUs of each node.
    nodes: Vec<BTreeSet<u32>>,
}

impl Described {
    fn new(hardware: &Hardware) -> Described {
        let number = |key: &str| {
            let part = hardware.smp.split(',').find_map(|part| part.strip_prefix(key));
            part.and_then(|n| n.parse().ok())
        };
        let cpus = hardware.smp.split(',').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        let nodes = match hardware.cpus {
            [] => vec![(0..cpus).collect()],
            nodes => nodes.iter().map(|cpus| set(cpus)).collect(),
        };
        // QEMU prefers cores to sockets and threads where it is not told.
        let (sockets, threads) = (number("sockets=").unwrap_or(1), number("threads=").unwrap_or(1));
        Described { cpus, sockets, threads, nodes }
    }
}

/// The CPUs of a list such as `0-3,7`.
pub(super) fn set(list: &str) -> BTreeSet<u32> {
    let parts = list.split(',').filter(|part| !part.is_empty());
    let ranges = parts.map(|part| part.split_once('-').unwrap_or((part, part)));
    ranges
        .filter_map(|(from, to)| Some(from.parse::<u32>().ok()?..=to.parse().ok()?))
        .flatten()
        .collect()
}

/// A member that is such a list.
pub(super) fn set_of(value: &Value) -> BTreeSet<u32> {
    value.as_str().map(set).unwrap_or_default()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|n| u32::try_from(n).ok())
}

/// The CPUs that the program may use.
pub(super) fn usable(machine: &Machine) -> BTreeSet<u32> {
    let place = &machine.place;
    let online =
        (0..Described::new(&machine.hardware).cpus).filter(|id| !place.offline.contains(id));
    let allowed = place.cpuset.map(set);
    online.filter(|id| allowed.as_ref().is_none_or(|set| set.contains(id))).collect()
}

/// The nodes on which these CPUs are.
pub(super) fn nodes_of(machine: &Machine, cpus: &BTreeSet<u32>) -> BTreeSet<u32> {
    let nodes = Described::new(&machine.hardware).nodes;
    (0..).zip(&nodes).filter(|(_, of)| !of.is_disjoint(cpus)).map(|(id, _)| id).collect()
}

pub(super) fn check(machine: &Machine, info: &Value) -> Complaints {
    let described = Described::new(&machine.hardware);
    let topology = &info["topology"];
    let mut wrong = cpus(machine, &described, topology);
    if !machine.place.nosys {
        wrong.extend(nodes(machine, &described, topology));
        wrong.extend(caches(machine, topology));
    }
    wrong.extend(modules(machine, topology));
    wrong.extend(facts(info));
    let hypervisor = words(&info["facts"]["virtual.hypervisor"]["value"]);
    if machine.arch == Arch::X86_64 && !hypervisor.is_some_and(|name| name.contains("QEMU")) {
        wrong.push(format!("the hypervisor is not known: {}", info["facts"]["virtual.hypervisor"]));
    }
    wrong
}

fn cpus(machine: &Machine, described: &Described, topology: &Value) -> Complaints {
    let place = &machine.place;
    let mut wrong = Complaints::new();
    let cpus = list(&topology["cpus"]);
    let ids: Vec<_> = cpus.iter().filter_map(|cpu| number(&cpu["id"])).collect();
    wrong.extend(same("CPUs", ids, (0..described.cpus).collect()));
    let usable = usable(machine);
    let mut packages = BTreeSet::new();
    for cpu in cpus {
        let Some(id) = number(&cpu["id"]) else { continue };
        let is = |what: &str| cpu[what].as_bool();
        let online = !place.offline.contains(&id);
        wrong.extend(same(&format!("CPU {id} online"), is("online"), Some(online)));
        let may = is("online") == Some(true) && is("allowed") == Some(true);
        wrong.extend(same(&format!("CPU {id} usable"), may, usable.contains(&id)));
        if !online {
            continue;
        }
        packages.extend(number(&cpu["package"]));
        let first = id / described.threads * described.threads;
        let core = (first..first + described.threads).collect();
        wrong.extend(same(&format!("threads beside CPU {id}"), set_of(&cpu["siblings"]), core));
        let node = (0..).zip(&described.nodes).find(|(_, cpus)| cpus.contains(&id)).map(|n| n.0);
        wrong.extend(same(&format!("node of CPU {id}"), number(&cpu["node"]), node));
    }
    // Without ACPI or a device tree's cpu-map an Arm kernel does not know its sockets: unknown, never zero.
    let sockets = u32::try_from(packages.len()).unwrap_or(0);
    wrong.extend(same("sockets", sockets, described.sockets));
    wrong
}

fn nodes(machine: &Machine, described: &Described, topology: &Value) -> Complaints {
    let mut wrong = Complaints::new();
    let nodes = list(&topology["nodes"]);
    wrong.extend(same("nodes", nodes.len(), described.nodes.len()));
    for (at, (node, cpus)) in nodes.iter().zip(&described.nodes).enumerate() {
        let online =
            cpus.iter().filter(|id| !machine.place.offline.contains(id)).copied().collect();
        wrong.extend(same(&format!("CPUs of node {at}"), set_of(&node["cpus"]), online));
        let distances: Vec<_> = list(&node["distances"]).iter().filter_map(number).collect();
        let row = (0..nodes.len()).map(|to| (machine.hardware.distance)(at, to)).collect();
        wrong.extend(same(&format!("distances of node {at}"), distances, row));
        let most = machine.hardware.memory.get(at).map_or(0, |mib| u64::from(*mib) << 20);
        let bytes = node["bytes"].as_u64();
        if !bytes.is_some_and(|bytes| bytes > 0 && bytes <= most) {
            wrong.push(format!("memory of node {at}: {bytes:?} bytes of {most}"));
        }
    }
    wrong
}

/// Whatever caches the emulated CPU has: each CPU reaches one instance of a level and kind, and what is not known
/// of them is said to be.
fn caches(machine: &Machine, topology: &Value) -> Complaints {
    let caches = list(&topology["caches"]);
    if caches.is_empty() {
        return explained("caches", topology).into_iter().collect();
    }
    let mut wrong = Complaints::new();
    let kinds: BTreeSet<_> =
        caches.iter().map(|c| (c["level"].as_u64(), c["kind"].as_str())).collect();
    let online: Vec<u32> = (0..Described::new(&machine.hardware).cpus)
        .filter(|id| !machine.place.offline.contains(id))
        .collect();
    for (level, kind) in kinds {
        let of =
            caches.iter().filter(|c| (c["level"].as_u64(), c["kind"].as_str()) == (level, kind));
        // The kernel goes on naming offline CPUs where their last-level cache is shared.
        let reached = of.flat_map(|c| set_of(&c["cpus"])).filter(|id| online.contains(id));
        let mut reached: Vec<u32> = reached.collect();
        reached.sort_unstable();
        wrong.extend(same(&format!("CPUs of L{level:?} {kind:?}"), reached, online.clone()));
    }
    if caches.iter().any(|c| c["bytes"] == 0) {
        wrong.push("a cache of no size".into());
    }
    if caches.iter().any(|c| c["bytes"].is_null()) {
        wrong.extend(explained("cache sizes", topology));
    }
    wrong
}

/// The modules we gave firmware; QEMU's own elsewhere. Only root may read the table.
fn modules(machine: &Machine, topology: &Value) -> Complaints {
    let dimms = list(&topology["dimms"]);
    if machine.place.uid.is_some() || machine.place.nosys || machine.arch == Arch::Aarch64 {
        let told = explained("dimms", topology).into_iter();
        return told.chain(same("modules nobody can read", dimms.len(), 0)).collect();
    }
    if machine.hardware.modules.is_empty() {
        return dimms.is_empty().then(|| "no memory module".to_owned()).into_iter().collect();
    }
    let speed = |mega: u16, filled: bool| filled.then(|| f64::from(mega) * 1e6);
    let described = machine.hardware.modules.iter().map(|m| {
        let filled = m.size.is_some();
        let bytes = m.size.map(|mib| u64::from(mib) << 20);
        (m.slot, Some(filled), bytes, speed(m.rated, filled), speed(m.configured, filled))
    });
    let found = dimms.iter().map(|d| {
        let rate = |what: &str| d[what].as_f64();
        let slot = d["slot"].as_str().unwrap_or("");
        (slot, d["populated"].as_bool(), d["bytes"].as_u64(), rate("rated"), rate("configured"))
    });
    same("memory modules", found.collect::<Vec<_>>(), described.collect::<Vec<_>>())
        .into_iter()
        .collect()
}

/// A part that is not there is named, and why.
fn explained(part: &str, topology: &Value) -> Option<String> {
    let named = list(&topology["missing"])
        .iter()
        .any(|entry| entry[0] == part && words(&entry[1]["why"]).is_some());
    (!named).then(|| format!("no {part}, and no reason: {}", topology["missing"]))
}

/// Every fact says where it was read, and either a value or why there is none.
fn facts(info: &Value) -> Complaints {
    let facts = info["facts"].as_object().into_iter().flatten();
    let bad = facts.filter(|(_, fact)| {
        let known = fact.get("value").is_some();
        let unknown = words(&fact["unknown"]["why"]).is_some();
        words(&fact["source"]).is_none() || known == unknown
    });
    let mut wrong: Complaints = bad.map(|(name, fact)| format!("fact {name}: {fact}")).collect();
    for part in ["cpus", "nodes"] {
        let sources = list(&info["topology"]["sources"]);
        if !sources.iter().any(|s| s[0] == part && words(&s[1]).is_some()) {
            wrong.push(format!("nobody says where the {part} were read"));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::machine;
    use serde_json::json;

    fn info() -> Value {
        let cpu = |id: u32, online: bool| {
            json!({"id": id, "online": online, "allowed": true, "package": 0, "node": 0,
                   "siblings": id.to_string()})
        };
        json!({
            "facts": {"virtual.hypervisor": {"value": "QEMU (emulation)", "source": "/x"}},
            "topology": {
                "cpus": [cpu(0, true), cpu(1, false), cpu(2, false), cpu(3, true)],
                "nodes": [{"cpus": "0,3", "distances": [10], "bytes": 500_000_000}],
                "caches": [], "dimms": [{}],
                "missing": [["caches", {"why": "none are listed"}]],
                "sources": [["cpus", "/x"], ["nodes", "/y"]],
            },
        })
    }

    #[test]
    fn every_lie_is_noticed() {
        let machine = machine("offline-cpus").unwrap();
        assert_eq!(check(&machine, &info()), Complaints::new());
        let lies: &[(&str, Value)] = &[
            ("/topology/cpus/1/online", json!(true)),
            ("/topology/cpus/0/siblings", json!("0,1")),
            ("/topology/cpus/3/node", json!(null)),
            ("/topology/cpus/0/package", json!(1)),
            ("/topology/nodes/0/cpus", json!("0-3")),
            ("/topology/nodes/0/distances", json!([20])),
            ("/topology/nodes/0/bytes", json!(0)),
            ("/topology/missing", json!([])),
            ("/topology/dimms", json!([])),
            ("/topology/sources/1/1", json!("")),
            ("/facts/virtual.hypervisor/source", json!(" ")),
            ("/facts/virtual.hypervisor/value", json!("none")),
        ];
        for (at, lie) in lies {
            let mut info = info();
            *info.pointer_mut(at).unwrap() = lie.clone();
            assert!(!check(&machine, &info).is_empty(), "{at}");
        }
    }

    #[test]
    fn cpu_lists_are_read() {
        assert_eq!(set("0-2,7"), [0, 1, 2, 7].into());
        assert_eq!(set(""), [].into());
    }
}
