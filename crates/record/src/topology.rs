//! CPUs, caches, NUMA nodes, DIMMs and devices: the parts a plan is made of, so typed where facts are words.
use crate::{CpuSet, Device, Reason};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The machine's parts and how they hang together. `None` always means "not known", never "zero".
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Topology {
    /// Every CPU that is present, online or not, in ascending order of its number.
    pub cpus: Vec<Cpu>,
    /// Every cache instance, by level, kind and first CPU.
    pub caches: Vec<Cache>,
    /// Every NUMA node, with or without CPUs, in ascending order of its number.
    pub nodes: Vec<Node>,
    /// Every memory slot that firmware describes, filled or empty.
    pub dimms: Vec<Dimm>,
    /// PCI devices whose place matters, by address.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Device>,
    /// Parts that could not be read, with the reason (`dimms`: "needs root").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<(String, Reason)>,
    /// The source of each part (`cpus`: "/sys/devices/system/cpu").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<(String, String)>,
}

/// One logical CPU (hardware thread).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cpu {
    /// The kernel's number.
    pub id: u32,
    /// Whether the kernel schedules on it.
    pub online: bool,
    /// Whether this process may run on it (affinity mask, cpuset).
    pub allowed: bool,
    /// Whether it is isolated from the scheduler (`isolcpus`).
    #[serde(default)]
    pub isolated: bool,
    /// Physical package (socket) number.
    pub package: Option<u32>,
    /// Die number inside its package.
    pub die: Option<u32>,
    /// Cluster (CCX, Kunpeng CCL) number.
    pub cluster: Option<u32>,
    /// Core number inside its package (not unique across packages).
    pub core: Option<u32>,
    /// Hardware threads of the same core, itself included.
    pub siblings: CpuSet,
    /// NUMA node.
    pub node: Option<u32>,
    /// Kind of core on hybrid machines, such as `performance` or `efficiency`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Highest frequency in hertz that firmware or driver states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_hz: Option<f64>,
}

/// One cache instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cache {
    /// 1, 2, 3 ...
    pub level: u32,
    /// Its kind.
    pub kind: CacheKind,
    /// Capacity in bytes.
    pub bytes: Option<u64>,
    /// Line size in bytes.
    pub line: Option<u32>,
    /// Associativity.
    pub ways: Option<u32>,
    /// The CPUs that share this instance.
    pub cpus: CpuSet,
}

/// The kind of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CacheKind {
    /// Data only.
    Data,
    /// Instructions only.
    Instruction,
    /// Both.
    Unified,
}

/// One NUMA node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Node {
    /// The kernel's number.
    pub id: u32,
    /// Its CPUs; empty for a memory-only node (CXL, HBM).
    pub cpus: CpuSet,
    /// Memory in bytes; `Some(0)` is a node without memory.
    pub bytes: Option<u64>,
    /// Free memory in bytes when the inventory was taken.
    pub free: Option<u64>,
    /// Firmware distances (SLIT) to each node of `Topology::nodes`, in order; 10 is local.
    pub distances: Vec<u32>,
    /// Reserved huge pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub huge: Vec<HugePool>,
}

/// Reserved huge pages of one size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HugePool {
    /// Page size in bytes.
    pub page: u64,
    /// Pages reserved.
    pub total: u64,
    /// Pages free.
    pub free: u64,
}

/// One memory slot.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dimm {
    /// The slot's name on the board.
    pub slot: String,
    /// The bank's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank: Option<String>,
    /// Capacity in bytes; nothing for an empty slot or where firmware does not know.
    pub bytes: Option<u64>,
    /// Whether a module is in the slot, as far as firmware knows.
    pub populated: bool,
    /// DDR4, DDR5 ...
    pub kind: Option<String>,
    /// Ranks.
    pub ranks: Option<u32>,
    /// Data width in bits.
    pub width: Option<u32>,
    /// Rated transfers per second (DDR4-3200: 3.2e9).
    pub rated: Option<f64>,
    /// Configured transfers per second.
    pub configured: Option<f64>,
    /// The manufacturer.
    pub manufacturer: Option<String>,
    /// Part number.
    pub part: Option<String>,
    /// The memory channel, such as `P0 A`, where the names of the board's slots tell one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Its purpose where that is not main memory: `flash`, `video`, `cache` ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Its technology where that is not plain DRAM: `NVDIMM-N`, `Intel Optane persistent memory` ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub technology: Option<String>,
}

impl Topology {
    /// States where a part was read.
    pub fn read(&mut self, part: &str, source: impl Into<String>) {
        self.sources.push((part.into(), source.into()));
    }
    /// States why a part is not known, or not all of it.
    pub fn lack(&mut self, part: &str, why: impl Into<Reason>) {
        self.missing.push((part.into(), why.into()));
    }
    /// The CPU with that number.
    pub fn cpu(&self, id: u32) -> Option<&Cpu> {
        self.cpus.iter().find(|c| c.id == id)
    }
    /// CPUs that are online and that this process may use.
    pub fn usable(&self) -> CpuSet {
        self.cpus.iter().filter(|c| c.online && c.allowed).map(|c| c.id).collect()
    }
    /// Online CPUs.
    pub fn online(&self) -> CpuSet {
        self.cpus.iter().filter(|c| c.online).map(|c| c.id).collect()
    }
    /// The data or unified caches that this CPU reaches, nearest first.
    pub fn data_caches(&self, cpu: u32) -> Vec<&Cache> {
        let reached = |c: &&Cache| c.kind != CacheKind::Instruction && c.cpus.contains(cpu);
        let mut caches: Vec<_> = self.caches.iter().filter(reached).collect();
        caches.sort_by_key(|c| c.level);
        caches
    }
    /// The largest known capacity in bytes among the caches this CPU reaches.
    pub fn last_level_bytes(&self, cpu: u32) -> Option<u64> {
        self.data_caches(cpu).iter().rev().find_map(|c| c.bytes)
    }
    /// Sockets, counted over online CPUs whose package is known.
    pub fn sockets(&self) -> usize {
        let online = self.cpus.iter().filter(|c| c.online);
        online.filter_map(|c| c.package).collect::<BTreeSet<_>>().len()
    }
    /// Physical cores, counted by distinct sibling sets of online CPUs.
    pub fn cores(&self) -> usize {
        let online = self.cpus.iter().filter(|c| c.online);
        online.map(|c| c.siblings.first().unwrap_or(c.id)).collect::<BTreeSet<_>>().len()
    }
    /// Physical cores that these CPUs belong to.
    pub fn cores_of(&self, cpus: &CpuSet) -> usize {
        let core = |id: u32| self.cpu(id).and_then(|c| c.siblings.first()).unwrap_or(id);
        cpus.iter().map(core).collect::<CpuSet>().len()
    }
    /// The first usable CPU of every core, in ascending order: one thread per core.
    pub fn one_per_core(&self) -> CpuSet {
        let usable = self.usable();
        let first = |id: u32| self.cpu(id)?.siblings.intersection(&usable).first();
        usable.iter().filter(|id| first(*id).is_none_or(|first| first == *id)).collect()
    }
    /// The NUMA node of a CPU.
    pub fn node_of(&self, cpu: u32) -> Option<u32> {
        let listed = || self.nodes.iter().find(|n| n.cpus.contains(cpu)).map(|n| n.id);
        self.cpu(cpu)?.node.or_else(listed)
    }
    /// The node that a CPU's memory comes from: its own, or where that is known to have none the nearest that has some, of
    /// equally near ones the first.
    pub fn memory_of(&self, cpu: u32) -> Option<u32> {
        let own = self.node_of(cpu)?;
        let Some(bare) = self.node(own).filter(|n| n.bytes == Some(0)) else { return Some(own) };
        let far = |n: &&Node| self.distance(bare.id, n.id).unwrap_or(u32::MAX);
        Some(self.with_memory().min_by_key(far).map_or(own, |n| n.id))
    }
    /// The node with that number.
    pub fn node(&self, id: u32) -> Option<&Node> {
        self.nodes.iter().find(|n| n.id == id)
    }
    /// Nodes with memory, as far as is known.
    pub fn with_memory(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|n| n.bytes != Some(0))
    }
    /// Nodes with CPUs.
    pub fn with_cpus(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|n| !n.cpus.is_empty())
    }
    /// The firmware's distance (SLIT) from one node to another.
    pub fn distance(&self, from: u32, to: u32) -> Option<u32> {
        let at = self.nodes.iter().position(|n| n.id == to)?;
        self.node(from)?.distances.get(at).copied().filter(|d| *d > 0)
    }
    /// The memory modules that are fitted, without those of special purpose.
    pub fn modules(&self) -> impl Iterator<Item = &Dimm> + Clone {
        self.dimms.iter().filter(|d| d.populated && d.purpose.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four nodes with a CPU each, two of them without memory: as on a Threadripper 2990WX.
    #[test]
    fn a_cpu_without_memory_of_its_own_has_the_nearest() {
        let node = |id: u32, bytes, distances: [u32; 4]| Node {
            id,
            cpus: [id].into_iter().collect(),
            bytes,
            distances: distances.into(),
            ..Node::default()
        };
        let nodes = vec![
            node(0, Some(1 << 30), [10, 16, 16, 16]),
            node(1, Some(0), [16, 10, 32, 16]),
            node(2, None, [16, 16, 10, 16]),
            node(3, Some(0), [32, 16, 16, 10]),
        ];
        let cpus = (0..5).map(|id| Cpu { id, ..Cpu::default() }).collect();
        let mut topology = Topology { cpus, nodes, ..Topology::default() };
        let all = |t: &Topology| [0, 1, 2, 3, 4, 9].map(|cpu| t.memory_of(cpu));
        assert_eq!(all(&topology), [Some(0), Some(0), Some(2), Some(2), None, None]);
        // Where no distance is known one is as near as another; where nobody has memory, each is left with its own.
        topology.nodes[3].distances.clear();
        assert_eq!(topology.memory_of(3), Some(0));
        topology.nodes.iter_mut().for_each(|n| n.bytes = Some(0));
        assert_eq!(all(&topology), [Some(0), Some(1), Some(2), Some(3), None, None]);
    }
}
