//! The facts that judgements and rules rest on, by name, and how their words are read.
use crate::say;
use record::{FactValue, Machine, Reason, Value};

pub const ARCHITECTURE: &str = "kernel.arch";
pub const CPU_QUOTA: &str = "limits.cpu_quota";
pub const CLOCK_MAX: &str = "cpu.frequency.max";
pub const CLOCK_BASE: &str = "cpu.frequency.base";
pub const CHANNELS: &str = "memory.channels";
pub const CPU_MODEL: &str = "cpu.model";
pub const GOVERNOR: &str = "cpu.governor";
pub const HYPERVISOR: &str = "virtual.hypervisor";
pub const MICROARCHITECTURE: &str = "cpu.microarchitecture";
pub const THP: &str = "memory.thp.enabled";
pub const THP_PROCESS: &str = "memory.thp.process";

/// A frequency that the machine states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advertised {
    pub name: &'static str,
    pub hertz: f64,
}

/// A fact's value, or why there is none.
pub fn known<'a>(machine: &'a Machine, name: &str) -> Result<&'a Value, Reason> {
    match machine.facts.get(name).map(|fact| &fact.known) {
        Some(FactValue::Value(value)) => Ok(value),
        Some(FactValue::Unknown(reason)) => Err(reason.after(say::fact_unknown(name))),
        None => Err(Reason::mended_by(say::fact_missing(name), say::MEASURE_MACHINE_AGAIN)),
    }
}

/// CPUs' worth of time that the process may use; `None` is no limit.
pub fn cpu_quota(machine: &Machine) -> Result<Option<f64>, Reason> {
    // Without a limit the fact is a word, `unlimited`.
    Ok(known(machine, CPU_QUOTA)?.number().filter(|cpus| cpus.is_finite() && *cpus > 0.0))
}

/// The base and maximum frequency that the machine states for a CPU, base first.
pub fn rated_frequencies(machine: &Machine, cpu: Option<u32>) -> Result<Vec<Advertised>, Reason> {
    let mut frequencies = vec![];
    let number = |name| known(machine, name).and_then(|v| v.number().ok_or_else(|| odd(name)));
    if let Ok(hertz) = number(CLOCK_BASE) {
        frequencies.push(Advertised { name: "base", hertz });
    }
    let own = cpu.and_then(|id| machine.topology.cpu(id)?.max_hz);
    match own.map_or_else(|| number(CLOCK_MAX), Ok) {
        Ok(hertz) => frequencies.push(Advertised { name: "maximum", hertz }),
        Err(why) if frequencies.is_empty() => return Err(why),
        Err(_) => {}
    }
    frequencies.retain(|c| c.hertz.is_finite() && c.hertz > 0.0);
    if frequencies.is_empty() { Err(odd(CLOCK_MAX)) } else { Ok(frequencies) }
}

fn odd(name: &str) -> Reason {
    Reason::new(say::fact_not_number(name))
}

/// The first advertised frequency that the measured one stays below by more than `share`.
pub fn below(measured: f64, advertised: &[Advertised], share: f64) -> Option<Advertised> {
    advertised.iter().copied().find(|c| measured < c.hertz * (1.0 - share))
}

/// Whether every CPU has that governor. Where they differ the fact reads `performance on 0-3; powersave on 4-7`.
pub fn only_performance(governor: &str) -> bool {
    governor == "performance"
}

/// The hypervisor, where the machine is known to be virtual.
pub fn hypervisor(machine: &Machine) -> Option<&str> {
    machine.text(HYPERVISOR).filter(|name| *name != "none")
}

/// Why modules tell nothing of the memory where a hypervisor describes them.
pub fn unreal_modules(hypervisor: &str) -> Reason {
    Reason::mended_by(say::modules_unreal(hypervisor), say::DMIDECODE_ON_HOST)
}

/// The selected word of a kernel switch: `always [madvise] never` and `madvise` are the same.
pub fn selected(text: &str) -> &str {
    match text.split_once('[').and_then(|(_, rest)| rest.split_once(']')) {
        Some((word, _)) => word,
        None => text.trim(),
    }
}
