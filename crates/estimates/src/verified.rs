//! The readings of the probe `verify` for each class of instructions.
use record::{CpuSet, Reading};
use std::collections::BTreeMap;

/// Results of a class that were checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verified {
    /// The number of checked results.
    pub checked: f64,
    /// The number of wrong ones.
    pub wrong: f64,
    /// The CPUs that computed wrong results.
    pub cpus: CpuSet,
}

/// By class. Names are `verify.checked.CLASS` and `verify.wrong.CLASS.KERNEL.VARIANT.cpuN`.
pub fn verified<'a>(
    readings: impl IntoIterator<Item = &'a Reading>,
) -> BTreeMap<&'a str, Verified> {
    let mut classes: BTreeMap<&str, Verified> = BTreeMap::new();
    for reading in readings {
        let Some(name) = reading.name.strip_prefix("verify.") else { continue };
        let mut parts = name.split('.');
        let (Some(kind), Some(class)) = (parts.next(), parts.next()) else { continue };
        let of = classes.entry(class).or_default();
        match kind {
            "checked" => of.checked += reading.value,
            "wrong" => {
                of.wrong += reading.value;
                let cpu = parts.next_back().and_then(|cpu| cpu.strip_prefix("cpu")?.parse().ok());
                of.cpus = of.cpus.iter().chain(cpu).collect();
            }
            _ => {}
        }
    }
    classes
}
