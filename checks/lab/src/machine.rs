//! What a machine of the lab is: what QEMU is asked for, what its init takes away, and what must be true of it. The machines
//! are rows of `machines.toml`.
use lab_init::{Place, Unplug};
use record::{CpuSet, DeviceKind};
use serde::Deserialize;
use std::{collections::BTreeMap, path::PathBuf};
use xtask::dist::Arch;

/// A machine to boot.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    pub name: String,
    /// Its special feature, in a few words.
    pub what: String,
    #[serde(default)]
    pub arm: bool,
    /// Takes minutes to boot, or to do anything there; only booted when named.
    #[serde(default)]
    pub slow: bool,
    /// No part of the suite.
    #[serde(default)]
    pub named: bool,
    /// Lines that must be among the init's facts.
    #[serde(default)]
    pub facts: Vec<String>,
    /// `-cpu`; a plain one if none.
    pub cpu: Option<String>,
    /// The maker of its firmware and board; QEMU if none.
    pub maker: Option<String>,
    /// `-smp`
    #[serde(default = "two")]
    pub smp: String,
    /// Nanoseconds of the machine's time that each instruction takes, as a power of two; a machine with one counts its
    /// instructions exactly, and has a single CPU. Without, time is the host's.
    pub icount: Option<u32>,
    /// MiB of each NUMA node; one without NUMA if there is one.
    #[serde(default = "half_a_gibibyte")]
    pub memory: Vec<u32>,
    /// CPUs of each node.
    #[serde(default)]
    pub cpus: Vec<CpuSet>,
    #[serde(default)]
    pub distance: Distance,
    /// The memory speeds that firmware states of the nodes (HMAT).
    pub hmat: Option<Hmat>,
    /// Behind PCI root bridges of their own.
    #[serde(default)]
    pub devices: Vec<Device>,
    /// The memory modules that firmware describes; QEMU's own if none.
    #[serde(default)]
    pub modules: Vec<Module>,
    /// Debian's real-time kernel instead of its cloud kernel.
    #[serde(default)]
    pub realtime: bool,
    /// Words of the kernel's command line.
    #[serde(default)]
    pub boot: String,
    /// CPUs that are isolated by these words.
    #[serde(default)]
    pub isolated: CpuSet,
    #[serde(default)]
    pub place: Place,
    /// A CPU that goes offline while the program measures.
    pub unplug: Option<Unplug>,
    pub like: Option<Like>,
}

fn two() -> String {
    "2".into()
}

fn half_a_gibibyte() -> Vec<u32> {
    vec![512]
}

/// The distance (SLIT) from one node to another: those of a group, and between two groups.
#[derive(Clone, Debug, Deserialize)]
pub struct Distance {
    within: Vec<Vec<u32>>,
    #[serde(default)]
    between: u32,
}

impl Default for Distance {
    fn default() -> Distance {
        Distance { within: vec![vec![10]], between: 20 }
    }
}

impl Distance {
    pub fn at(&self, from: usize, to: usize) -> u32 {
        let size = self.within.len();
        if from / size == to / size { self.within[from % size][to % size] } else { self.between }
    }
}

/// Latency and bandwidth of each node's memory, seen from each node that has CPUs, and caches before memory.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hmat {
    /// Nanoseconds.
    pub latency: Vec<Vec<u32>>,
    /// MiB in a second.
    pub bandwidth: Vec<Vec<u32>>,
    /// MiB of the cache before the memory of each of the first nodes.
    pub cache: Vec<u32>,
}

/// A device behind a port of a root bridge; the first one's bridge is bus 20, the second's 40 (hexadecimal), and so on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// `network`, `nvme` or `cxl`.
    pub kind: DeviceKind,
    pub node: u32,
    /// GT/s and lanes of the port; a CXL memory device's is QEMU's.
    pub port: Option<(u32, u32)>,
    /// MiB of a CXL memory device, and of the window of addresses that leads to it.
    pub size: Option<u32>,
}

/// A memory module; an empty slot without a size.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Module {
    pub slot: String,
    pub bank: String,
    /// MiB.
    pub size: Option<u16>,
    /// MT/s it was sold for.
    #[serde(default)]
    pub rated: u16,
    /// MT/s it runs at.
    #[serde(default)]
    pub configured: u16,
}

/// The description of a machine whose topology must come out equal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Like {
    /// A file of `fixtures/machines`.
    pub fixture: String,
    /// QEMU numbers the threads of a core one after the other, most servers all first threads first: the original is
    /// renumbered.
    #[serde(default)]
    pub threads_adjacent: bool,
    /// Members of the topology that are not compared (`cpus/*/die`), and why: QEMU cannot present them, or nobody knows them.
    pub hidden: BTreeMap<String, String>,
}

impl Like {
    pub fn file(&self) -> PathBuf {
        xtask::tree::root().join("fixtures/machines").join(&self.fixture).with_extension("json")
    }
}

impl Machine {
    pub fn arch(&self) -> Arch {
        if self.arm { Arch::Aarch64 } else { Arch::X86_64 }
    }
    /// A number of `-smp`: QEMU prefers cores to sockets and threads where it is not stated.
    pub fn smp(&self, key: &str) -> u32 {
        let part = self.smp.split(',').find_map(|part| part.strip_prefix(key)?.strip_prefix('='));
        part.and_then(|n| n.parse().ok()).unwrap_or(1)
    }
    /// All CPUs, online or not.
    pub fn present(&self) -> CpuSet {
        let count = self.smp.split(',').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        (0..count).collect()
    }
    pub fn online(&self) -> CpuSet {
        self.present().iter().filter(|id| !self.place.offline.contains(id)).collect()
    }
    /// The CPUs that the program may use.
    pub fn usable(&self) -> CpuSet {
        let allowed = self.place.cpuset.as_ref().and_then(|set| set.parse().ok());
        allowed.map_or(self.online(), |set| self.online().intersection(&set))
    }
    /// The CPUs of each node.
    pub fn nodes(&self) -> Vec<CpuSet> {
        if self.cpus.is_empty() { vec![self.present()] } else { self.cpus.clone() }
    }
    /// The nodes on which these CPUs are.
    pub fn nodes_of(&self, cpus: &CpuSet) -> CpuSet {
        let nodes = (0..).zip(self.nodes());
        nodes.filter(|(_, of)| !of.intersection(cpus).is_empty()).map(|(id, _)| id).collect()
    }
    /// Whether it has more CPUs than any host that runs the tests can be expected to have.
    pub fn is_large(&self) -> bool {
        self.usable().len() > 8
    }
    /// Whether one thread of the host emulates all of its CPUs. Many CPUs on threads of their own would take a small host for
    /// themselves, and spin on each other's locks: sixteen of Arm have stood still.
    pub fn is_on_one_thread(&self) -> bool {
        self.icount.is_some() || self.like.is_some() || self.arm && self.is_large()
    }
}

/// Every machine.
///
/// # Errors
/// The table is no table of machines.
pub fn machines() -> Result<Vec<Machine>, String> {
    #[derive(Deserialize)]
    struct Table {
        machine: Vec<Machine>,
    }
    let table: Table = record::from_toml(include_str!("../machines.toml"))?;
    Ok(table.machine)
}

/// A machine by its name.
///
/// # Errors
/// There is none.
pub fn machine(name: &str) -> Result<Machine, String> {
    let found = machines()?.into_iter().find(|m| m.name == name);
    found.ok_or_else(|| format!("no machine is called `{name}`; see `cargo xtask lab --list`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_is_described_and_has_its_own_name() {
        let machines = machines().unwrap();
        for (n, machine) in machines.iter().enumerate() {
            assert!(!machine.what.is_empty(), "{}", machine.name);
            assert!(machine.named || !machine.facts.is_empty(), "{}", machine.name);
            assert!(machines[..n].iter().all(|m| m.name != machine.name), "{}", machine.name);
            let nodes = machine.cpus.len();
            assert!(nodes == 0 || nodes == machine.memory.len(), "{}", machine.name);
        }
    }

    #[test]
    fn distances_are_those_of_a_group_and_between_groups() {
        let machine = machine("sockets2-nodes4-smt").unwrap();
        let row: Vec<u32> = (0..4).map(|to| machine.distance.at(2, to)).collect();
        assert_eq!(row, [20, 20, 10, 12]);
        assert_eq!((machine.smp("threads"), machine.smp("sockets")), (2, 2));
        assert_eq!(machine.nodes_of(&"3,12".parse().unwrap()).to_string(), "0,3");
    }
}
