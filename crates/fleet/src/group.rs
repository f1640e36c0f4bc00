//! The key of a peer group: machines of one kind.
use crate::say;
use record::{Machine, Text};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What peers have in common, by hardware. Settings are no part of it: a setting that one machine of a group has and no other is
/// what a slow one is explained by.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The processor's name.
    pub model: String,
    /// Its stepping.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stepping: String,
    /// Sockets, cores, and CPUs that are online.
    pub sockets: usize,
    /// See `sockets`.
    pub cores: usize,
    /// See `sockets`.
    pub cpus: usize,
    /// NUMA nodes.
    pub nodes: usize,
    /// The hypervisor, or `none`.
    pub hypervisor: String,
}

impl Key {
    /// The kind of a machine.
    pub fn of(machine: &Machine) -> Key {
        let words = |name: &str| machine.value(name).map_or("unknown".into(), ToString::to_string);
        let topology = &machine.topology;
        Key {
            model: words("cpu.model"),
            stepping: words("cpu.stepping"),
            sockets: machine.sockets(),
            cores: machine.cores(),
            cpus: topology.online().len(),
            nodes: topology.nodes.len(),
            hypervisor: words("virtual.hypervisor"),
        }
    }
    /// Each part under the name of its fact, or what it counts.
    pub(crate) fn parts(&self) -> [(&'static str, String); 7] {
        [
            ("cpu.model", self.model.clone()),
            ("cpu.stepping", self.stepping.clone()),
            ("sockets", self.sockets.to_string()),
            ("cores", self.cores.to_string()),
            ("cpus", self.cpus.to_string()),
            ("nodes", self.nodes.to_string()),
            ("virtual.hypervisor", self.hypervisor.clone()),
        ]
    }
}

impl From<&Key> for Text {
    fn from(key: &Key) -> Text {
        let Key { model, stepping, sockets, cores, cpus, nodes, hypervisor } = key;
        say::key(model, stepping, sockets, cores, cpus, nodes, hypervisor)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Text::from(self))
    }
}
