//! What each microarchitecture is expected to do: a file of `microarchitectures` for each, every value with its source. What
//! is not published is left out, and nothing is judged by it.
use crate::say;
use crate::{facts, microarchitectures};
use record::{Machine, Reason, Unit};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A file.
#[derive(Debug, Clone, Deserialize)]
struct File {
    /// The names that the inventory gives it.
    names: Vec<String>,
    /// The sources of values, by the word that they use.
    sources: BTreeMap<String, String>,
    #[serde(flatten)]
    values: Values,
    /// Values of some models, which replace the others.
    #[serde(default)]
    variant: Vec<Variant>,
}

#[derive(Debug, Clone, Deserialize)]
struct Variant {
    /// A word of the model's name.
    model: String,
    #[serde(flatten)]
    values: Values,
}

/// Values by what they are of:
/// - `latency`: core cycles from load to use, by level (`l1`);
/// - `size`: KiB of a cache that one core reaches, by level;
/// - `per_cycle`: independent operations per cycle, by compute kernel; `fma_doubles` is numbers, not instructions;
/// - `cycles`: cycles of a dependent operation, by compute kernel;
/// - `penalty`: cycles that are lost (`branch_miss`);
/// - `tlb`: entries of the data TLB for 4 KiB pages, by level.
type Values = BTreeMap<String, BTreeMap<String, Value>>;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    is: Option<f64>,
    from: Option<f64>,
    to: Option<f64>,
    source: String,
}

/// Between what a value lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// The lowest.
    pub low: f64,
    /// The highest; the same where one value is published.
    pub high: f64,
    /// Its publication.
    pub source: String,
}

/// The expected values of a microarchitecture.
#[derive(Debug, Clone)]
pub struct Microarchitecture {
    /// Its name, short enough for a sentence.
    pub name: String,
    file: File,
}

/// The quantity of a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Cycles from load to use in the cache of this level.
    CacheLatency(u32),
    /// Independent operations per cycle, by compute kernel.
    Rate(String),
    /// Cycles of a dependent operation, by compute kernel.
    Chain(String),
    /// Cycles that a mispredicted branch costs.
    BranchMiss,
    /// Entries of the data TLB of this level.
    TlbEntries(u32),
}

impl Quantity {
    /// The unit of the expected numbers.
    pub fn unit(&self) -> Unit {
        match self {
            Quantity::CacheLatency(_) | Quantity::Chain(_) | Quantity::BranchMiss => Unit::Cycles,
            Quantity::Rate(_) => Unit::PerCycle,
            Quantity::TlbEntries(_) => Unit::Count,
        }
    }
}

impl Microarchitecture {
    /// Finds the microarchitecture of a machine's processor.
    ///
    /// # Errors
    /// The microarchitecture is not known, or there is no file for it.
    pub fn of(machine: &Machine) -> Result<Microarchitecture, Reason> {
        let known = facts::known(machine, facts::MICROARCHITECTURE)?;
        let name = known.text().unwrap_or_default();
        for file in files().map_err(Reason::new)? {
            if file.names.iter().any(|n| n == name) {
                let short = name.split(" (").next().unwrap_or(name).to_owned();
                return Ok(Microarchitecture {
                    name: short,
                    file: file.clone().of_model(machine.text(facts::CPU_MODEL).unwrap_or_default()),
                });
            }
        }
        Err(Reason::new(say::not_published(name)))
    }
    /// The expected value of a quantity; `None` where it is not published.
    pub fn expected(&self, quantity: &Quantity) -> Option<Expected> {
        match quantity {
            Quantity::CacheLatency(level) => self.known("latency", &format!("l{level}")),
            Quantity::Rate(op) => self.known("per_cycle", op),
            Quantity::Chain(op) => self.known("cycles", op),
            Quantity::BranchMiss => self.known("penalty", "branch_miss"),
            Quantity::TlbEntries(level) => self.known("tlb", &format!("l{level}")),
        }
    }
    fn known(&self, of: &str, name: &str) -> Option<Expected> {
        self.file.resolve(self.file.values.get(of)?.get(name)?).ok()
    }
    /// Multiply-adds on vectors of so many doubles that it does per cycle.
    pub fn vectors(&self, lanes: f64) -> Option<Expected> {
        let doubles = self.known("per_cycle", "fma_doubles")?;
        let most = self.expected(&Quantity::Rate("fma".into()))?.high;
        let of = |doubles: f64| (doubles / lanes).min(most);
        Some(Expected { low: of(doubles.low), high: of(doubles.high), source: doubles.source })
    }
    /// Bytes of the cache of a level that one core reaches.
    pub fn size(&self, level: u32) -> Option<Expected> {
        let kib = self.known("size", &format!("l{level}"))?;
        Some(Expected { low: kib.low * 1024.0, high: kib.high * 1024.0, ..kib })
    }
}

/// All files. A record is analysed more than once in a process, and they are always the same.
fn files() -> Result<&'static [File], String> {
    static READ: OnceLock<Result<Vec<File>, String>> = OnceLock::new();
    let all = || microarchitectures::ALL.iter().map(|(id, text)| parse(id, text)).collect();
    READ.get_or_init(all).as_deref().map_err(Clone::clone)
}

fn parse(id: &str, text: &str) -> Result<File, String> {
    record::from_toml(text).map_err(|e| format!("microarchitectures/{id}.toml: {e}"))
}

impl File {
    /// With what is said of this model alone.
    fn of_model(mut self, model: &str) -> File {
        for variant in std::mem::take(&mut self.variant) {
            if model.contains(&variant.model) {
                for (of, values) in variant.values {
                    self.values.entry(of).or_default().extend(values);
                }
            }
        }
        self
    }
    fn resolve(&self, value: &Value) -> Result<Expected, String> {
        let (low, high) = match (value.is, value.from, value.to) {
            (Some(is), None, None) => (is, is),
            (None, Some(from), Some(to)) => (from, to),
            _ => return Err("a value is one number (is) or two (from, to)".into()),
        };
        let source = self.sources.get(&value.source);
        let source = source.ok_or_else(|| format!("there is no source '{}'", value.source))?;
        Ok(Expected { low, high, source: source.clone() })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::example;
    use record::{Fact, FactValue};
    use std::collections::BTreeSet;

    pub(crate) fn machine(microarchitecture: &str, model: &str) -> Machine {
        let mut machine = example::empty().machine;
        for (name, text) in
            [(facts::MICROARCHITECTURE, microarchitecture), (facts::CPU_MODEL, model)]
        {
            let fact =
                Fact { known: FactValue::Value(text.into()), unit: None, source: String::new() };
            machine.facts.insert(name.into(), fact);
        }
        machine
    }

    #[test]
    fn every_file_is_read_and_every_value_has_its_source() {
        let mut names = BTreeSet::new();
        for (id, text) in microarchitectures::ALL {
            let file = parse(id, text).unwrap();
            let keys: BTreeMap<String, serde::de::IgnoredAny> = record::from_toml(text).unwrap();
            const KEYS: &str = "names sources latency size per_cycle cycles penalty tlb variant";
            let odd = keys.keys().find(|key| !KEYS.split(' ').any(|known| known == *key));
            assert_eq!(odd, None, "{id}");
            for name in &file.names {
                assert!(names.insert(name.clone()), "{name} is in two files");
            }
            let mut used = BTreeSet::new();
            let variants = file.variant.iter().map(|v| &v.values);
            for (of, value) in
                std::iter::once(&file.values).chain(variants).flat_map(Values::values).flatten()
            {
                let found = file.resolve(value).unwrap_or_else(|e| panic!("{id}, {of}: {e}"));
                assert!(found.low > 0.0 && found.low <= found.high, "{id}, {of}: {found:?}");
                used.insert(&value.source);
            }
            assert_eq!(used, file.sources.keys().collect(), "{id}: sources");
        }
        assert!(names.len() >= 24, "{names:?}");
    }

    #[test]
    fn latencies_sizes_and_reaches_grow_with_the_level() {
        for (id, text) in microarchitectures::ALL {
            let file = parse(id, text).unwrap();
            for of in ["latency", "size", "tlb"].map(|of| file.values.get(of)) {
                let lows: Vec<f64> = of
                    .into_iter()
                    .flat_map(BTreeMap::values)
                    .map(|v| file.resolve(v).unwrap().low)
                    .collect();
                assert!(lows.is_sorted(), "{id}: {lows:?}");
            }
        }
    }

    #[test]
    fn a_model_has_its_own_values() {
        let of = |model: &str| {
            let it = Microarchitecture::of(&machine("Ice Lake-SP", model)).unwrap();
            (it.name.clone(), it.expected(&Quantity::CacheLatency(2)).unwrap().low, it.size(2))
        };
        let (name, client, _) = of("Core i7-1065G7");
        let (_, server, size) = of("Intel(R) Xeon(R) Platinum 8380");
        assert_eq!((name.as_str(), client, server), ("Ice Lake-SP", 13.0, 14.0));
        assert_eq!(size.unwrap().low, 1280.0 * 1024.0);
    }

    #[test]
    fn a_name_is_short_and_an_unknown_one_has_a_reason() {
        let of = |name: &str| Microarchitecture::of(&machine(name, "")).map(|m| m.name);
        assert_eq!(of("Dhyana (from Zen 1)").unwrap(), "Dhyana");
        assert_eq!(of("TaiShan v110 (Kunpeng 920)").unwrap(), "TaiShan v110");
        assert_eq!(of("Neoverse N3").unwrap(), "Neoverse N3");
        assert!(of("P6").unwrap_err().why.contains("of P6"));
        assert!(Microarchitecture::of(&example::empty().machine).is_err());
    }
}
