//! Facts in which the machines differ, the most important first.
use super::Side;
use crate::words;
use estimates::groups::by_key;
use record::{CacheKind, Dimm, FactValue, Machine, Sort, Unit, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A fact that differs.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FactRow {
    /// Its dotted name.
    pub name: String,
    /// Whether it is one of those that decide speed.
    pub important: bool,
    /// The value and its unit, one for each record; nothing where it is not known.
    pub values: Vec<Option<(Value, Option<Unit>)>>,
}

type InUnit = (Value, Option<Unit>);

/// A known fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Stated {
    pub(super) name: String,
    pub(super) value: (Value, Option<Unit>),
}

/// Facts that decide speed, the gravest first; a name that ends in a dot stands for all that begin with it.
const IMPORTANT: &[&str] = &[
    "virtual.hypervisor",
    "cpu.model",
    "cpu.microarchitecture",
    "cpu.sockets",
    "cpu.cores",
    "cpu.threads",
    "cpu.smt",
    "cpu.frequency.max",
    "cpu.frequency.base",
    "cpu.boost",
    "cpu.governor",
    "cpu.driver",
    "cpu.epp",
    "cache.data.",
    "memory.nodes",
    "memory.modules",
    "memory.channels",
    "memory.channels.filled",
    "memory.total",
    "limits.cpu_quota",
    "limits.cpuset",
    "memory.thp.enabled",
    "memory.page",
    "memory.numa_balancing",
    "memory.zone_reclaim",
    "cpu.microcode",
    "kernel.release",
    "kernel.arch",
    "kernel.kpti",
    "kernel.mitigations.",
    "kernel.cmdline.",
    "kernel.clocksource",
    "kernel.preemption",
    "kernel.sched_ext",
    "kernel.sched_ext.ops",
    "kernel.cache_aware",
    "virtual.container",
];

/// Facts that differ at every read, or repeat another at length.
const VOLATILE: &[&str] = &[
    "load.",
    "interrupts.",
    "machine.",
    "cpu.flags",
    "cpu.frequency.current",
    "cpu.frequency.reported",
    "cpu.bogomips",
    "cpu.throttle.",
    "cpu.uncore.current",
    "memory.errors.",
    "memory.free",
    "memory.available",
    "memory.swap.used",
    "kernel.cmdline",
    "kernel.config.",
];

fn listed(list: &[&str], name: &str) -> Option<usize> {
    list.iter().position(|known| match known.strip_suffix('.') {
        Some(head) => name.strip_prefix(head).is_some_and(|rest| rest.starts_with('.')),
        None => *known == name,
    })
}

/// Facts that were met before, so that what many machines say alike is held once.
#[derive(Debug, Default)]
pub(super) struct FactCache {
    /// By name; nothing of what is not compared.
    by_name: HashMap<String, Option<Vec<Arc<Stated>>>>,
}

impl FactCache {
    /// Unlike values of a fact that are kept once each.
    const REMEMBERED: usize = 8;

    fn fact(&mut self, name: &str, value: &Value, unit: Option<Unit>) -> Option<Arc<Stated>> {
        if !self.by_name.contains_key(name) {
            let compared = listed(IMPORTANT, name).is_some() || listed(VOLATILE, name).is_none();
            self.by_name.insert(name.to_owned(), compared.then(Vec::new));
        }
        let known = self.by_name.get_mut(name)?.as_mut()?;
        if let Some(same) = known.iter().find(|k| k.value.0 == *value && k.value.1 == unit) {
            return Some(same.clone());
        }
        let fact = Arc::new(Stated { name: name.to_owned(), value: (value.clone(), unit) });
        if known.len() >= FactCache::REMEMBERED {
            known.remove(0);
        }
        known.push(fact.clone());
        Some(fact)
    }
}

/// The facts of a machine that may be compared, those of its parts too.
pub(super) fn stated(machine: &Machine, met: &mut FactCache) -> Vec<Arc<Stated>> {
    let mut found = vec![];
    for (name, fact) in &machine.facts {
        if let FactValue::Value(value) = &fact.known {
            found.extend(met.fact(name, value, fact.unit));
        }
    }
    for (name, value) in parts(machine) {
        found.extend(met.fact(&name, &value, None));
    }
    found
}

/// The smallest data cache of each level.
pub(super) fn caches(machine: &Machine) -> Vec<(u32, u64)> {
    let mut smallest: BTreeMap<u32, u64> = BTreeMap::new();
    for cache in machine.topology.caches.iter().filter(|c| c.kind != CacheKind::Instruction) {
        let Some(bytes) = cache.bytes.filter(|bytes| *bytes > 0) else { continue };
        let least = smallest.entry(cache.level).or_insert(bytes);
        *least = bytes.min(*least);
    }
    smallest.into_iter().collect()
}

/// CPUs, caches, nodes and modules in words.
fn parts(machine: &Machine) -> Vec<(String, Value)> {
    let topology = &machine.topology;
    let mut found = vec![];
    let mut put = |name: String, value: Value| {
        if !matches!(value, Value::Integer(0)) {
            found.push((name, value));
        }
    };
    put("cpu.sockets".into(), (machine.sockets() as u64).into());
    put("cpu.cores".into(), (machine.cores() as u64).into());
    put("cpu.threads".into(), (topology.online().len() as u64).into());
    put("memory.nodes".into(), (topology.nodes.len() as u64).into());
    let caches = topology.caches.iter().filter(|c| c.kind != CacheKind::Instruction);
    for (level, sizes) in record::groups(caches.map(|c| (c.level, c.bytes.unwrap_or(0)))) {
        let words: Vec<String> = by_key(sizes, |bytes| *bytes)
            .into_iter()
            .map(|(bytes, all)| match bytes {
                0 => format!("{} of unknown size", all.len()),
                bytes => format!("{} of {}", all.len(), words::bytes(bytes as f64)),
            })
            .collect();
        put(format!("cache.data.l{level}"), words.join(", ").into());
    }
    let modules = modules(&topology.dimms);
    if !modules.is_empty() {
        put("memory.modules".into(), modules.into());
    }
    found
}

/// `12 of 16 GiB DDR4 at 2666 MT/s, rated 3200 MT/s`, kind by kind.
fn modules(dimms: &[Dimm]) -> String {
    let kind = |dimm: &Dimm| {
        let mut words = vec![];
        words.extend(dimm.bytes.map(|b| words::bytes(b as f64)));
        words.extend(dimm.kind.clone());
        words.extend(dimm.configured.map(|t| format!("at {}", words::transfers(t))));
        let slower = dimm.rated.filter(|rated| dimm.configured.is_some_and(|c| c < *rated));
        words.extend(slower.map(|t| format!("(rated {})", words::transfers(t))));
        words.join(" ")
    };
    let kinds = record::counts(dimms.iter().filter(|d| d.populated).map(kind));
    let words: Vec<String> =
        kinds.into_iter().map(|(what, count)| format!("{count} of {what}")).collect();
    words.join(", ")
}

/// The facts that are not alike in all records; one that is known in some only differs, too, if it is important.
pub(super) fn differing(sides: &[Side]) -> Vec<FactRow> {
    let mut by_name: BTreeMap<&str, Vec<Option<&InUnit>>> = BTreeMap::new();
    for (i, side) in sides.iter().enumerate() {
        for fact in &side.facts {
            let values = by_name.entry(&fact.name).or_insert_with(|| vec![None; sides.len()]);
            values[i] = Some(&fact.value);
        }
    }
    let mut rows: Vec<(usize, FactRow)> = by_name
        .into_iter()
        .filter_map(|(name, values)| {
            let rank = listed(IMPORTANT, name);
            let known: Vec<_> = values.iter().flatten().collect();
            // Equal facts of many records are one.
            let apart = |pair: &[&&InUnit]| !std::ptr::eq(*pair[0], *pair[1]) && pair[0] != pair[1];
            let unequal = known.windows(2).any(apart);
            let differs = unequal || (rank.is_some() && known.len() < values.len());
            differs.then(|| {
                let row = FactRow {
                    name: name.to_owned(),
                    important: rank.is_some(),
                    values: values.into_iter().map(Option::<&_>::cloned).collect(),
                };
                (rank.unwrap_or(IMPORTANT.len()), row)
            })
        })
        .collect();
    rows.order_by(|a, b| (a.0, &a.1.name).cmp(&(b.0, &b.1.name)));
    rows.into_iter().map(|(_, row)| row).collect()
}
