//! The machine: facts by dotted name, and its topology, each with its source.
use crate::{CpuSet, Reason, Topology, Unit, Value};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A machine as it describes itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// Facts by dotted name, such as `memory.thp.enabled`.
    pub facts: BTreeMap<String, Fact>,
    /// CPUs, caches, nodes, DIMMs and devices.
    pub topology: Topology,
}

/// One thing the machine says about itself, and where.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fact {
    /// The value, or why there is none.
    #[serde(flatten)]
    pub known: FactValue,
    /// Unit of a numeric value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// The file, instruction or table it was read from.
    pub source: String,
}

/// A fact as it stands in a document. serde's own reading of a flattened part keeps a copy of all of it.
#[derive(Deserialize)]
struct FactDocument {
    value: Option<Value>,
    unknown: Option<Reason>,
    #[serde(default)]
    unit: Option<Unit>,
    source: String,
}

impl<'de> Deserialize<'de> for Fact {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fact, D::Error> {
        let written = FactDocument::deserialize(from)?;
        let known = match (written.value, written.unknown) {
            (Some(value), _) => FactValue::Value(value),
            (None, Some(reason)) => FactValue::Unknown(reason),
            (None, None) => return Err(Error::custom("a fact has neither `value` nor `unknown`")),
        };
        Ok(Fact { known, unit: written.unit, source: written.source })
    }
}

/// A value, or the reason that there is none. "Unreadable" is an answer; zero is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FactValue {
    /// The value.
    Value(Value),
    /// The reason why it could not be read, with a remedy.
    Unknown(Reason),
}

impl Machine {
    /// Records a fact.
    pub fn set(&mut self, name: &str, value: impl Into<Value>, source: impl Into<String>) {
        self.insert(name, FactValue::Value(value.into()), None, source);
    }
    /// Records a numeric fact with its unit.
    pub fn set_in(
        &mut self,
        name: &str,
        value: impl Into<Value>,
        unit: Unit,
        source: impl Into<String>,
    ) {
        self.insert(name, FactValue::Value(value.into()), Some(unit), source);
    }
    /// Records that a fact could not be had, and why.
    pub fn unknown(&mut self, name: &str, why: impl Into<Reason>, source: impl Into<String>) {
        self.insert(name, FactValue::Unknown(why.into()), None, source);
    }
    fn insert(
        &mut self,
        name: &str,
        known: FactValue,
        unit: Option<Unit>,
        source: impl Into<String>,
    ) {
        self.facts.insert(name.into(), Fact { known, unit, source: source.into() });
    }
    /// The value of a fact, if it is known.
    pub fn value(&self, name: &str) -> Option<&Value> {
        match &self.facts.get(name)?.known {
            FactValue::Value(value) => Some(value),
            FactValue::Unknown(_) => None,
        }
    }
    /// The text of a fact, if it is known and text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.text()
    }
    /// The number of a fact, if it is known and numeric.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.value(name)?.number()
    }
    /// The whole number of a fact, if it is known and whole.
    pub fn integer(&self, name: &str) -> Option<u64> {
        self.value(name)?.integer()
    }
    /// The yes or no of a fact, if it is known and boolean.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self.value(name)? {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        }
    }
    /// Sockets with online CPUs; as many as are stated where no CPU's socket is known, and 0 where neither is.
    pub fn sockets(&self) -> usize {
        match self.topology.sockets() {
            0 => self.count("cpu.sockets").unwrap_or(0),
            known => known,
        }
    }
    /// Physical cores of online CPUs; as many as are stated where no source says which CPUs share a core.
    pub fn cores(&self) -> usize {
        let (topology, online) = (&self.topology, self.topology.online().len());
        if topology.cpus.iter().any(|cpu| !cpu.siblings.is_empty()) {
            return topology.cores();
        }
        let of_sockets = self.count("cpu.cores_per_socket").zip(self.count("cpu.sockets"));
        let stated = of_sockets.map(|(cores, sockets)| cores.saturating_mul(sockets));
        let threads = self.count("cpu.threads_per_core").filter(|_| online > 0);
        stated
            .filter(|n| online == 0 || *n <= online)
            .or_else(|| threads.map(|threads| online.div_ceil(threads)))
            .unwrap_or(topology.cores())
    }
    /// Physical cores of these CPUs: counted where it is known which share one, else by the threads a core that are stated.
    pub fn cores_of(&self, cpus: &CpuSet) -> Option<usize> {
        let shared = |id: u32| self.topology.cpu(id).is_some_and(|cpu| !cpu.siblings.is_empty());
        if cpus.iter().all(shared) {
            return Some(self.topology.cores_of(cpus));
        }
        let threads = self.count("cpu.threads_per_core")?;
        cpus.len().is_multiple_of(threads).then(|| cpus.len() / threads)
    }
    fn count(&self, name: &str) -> Option<usize> {
        usize::try_from(self.integer(name)?).ok().filter(|n| *n > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cpu;

    #[test]
    fn counts_that_are_stated_serve_where_no_cpu_says_its_place() {
        let mut machine = Machine::default();
        let cpus = (0..96).map(|id| Cpu { id, online: true, ..Cpu::default() });
        machine.topology.cpus = cpus.collect();
        assert_eq!((machine.cores(), machine.sockets()), (96, 0));
        for (name, count) in
            [("cpu.threads_per_core", 2u64), ("cpu.cores_per_socket", 24), ("cpu.sockets", 2)]
        {
            machine.set_in(name, count, Unit::Count, "lscpu");
        }
        assert_eq!((machine.cores(), machine.sockets()), (48, 2));
        for cpu in &mut machine.topology.cpus {
            cpu.package = Some(cpu.id / 24 % 4);
            cpu.siblings = [cpu.id].into_iter().collect();
        }
        assert_eq!((machine.cores(), machine.sockets()), (96, 4));
        machine.topology.cpus.clear();
        assert_eq!((machine.cores(), machine.sockets()), (48, 2));
    }
}
