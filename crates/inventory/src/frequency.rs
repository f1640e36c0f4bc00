//! Frequencies as advertised: limits, driver, governor, boost. Probes measure the real one.
use crate::{
    evidence::{CPUID, CPUINFO, Evidence},
    reading::{Files, Presence, Unavailable},
};
use record::{CpuSet, Machine, Unit};
use std::collections::BTreeMap;

const CPU: &str = "/sys/devices/system/cpu";
/// No frequency is above 20 GHz; sysfs of some guests says 4294967 MHz.
const MOST: f64 = 20e9;

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let mut marked = None;
    let [mut governors, mut preferences] = [BTreeMap::new(), BTreeMap::new()];
    for cpu in machine.topology.cpus.iter_mut().filter(|cpu| cpu.online) {
        let dir = format!("{CPU}/cpu{}/cpufreq", cpu.id);
        for (file, words) in [
            ("scaling_governor", &mut governors),
            ("energy_performance_preference", &mut preferences),
        ] {
            if let Ok(word) = files.line(&format!("{dir}/{file}")) {
                words.entry(word).or_insert_with(CpuSet::default).insert(cpu.id);
            }
        }
        cpu.max_hz = kilohertz(files, &format!("{dir}/cpuinfo_max_freq"));
        if let Some(highest) = cpu.max_hz.and_then(|hz| below_marker(files, &dir, hz)) {
            marked = Some(highest);
            cpu.max_hz = None;
        }
    }
    let first = machine.topology.online().first().unwrap_or(0);
    let dir = format!("{CPU}/cpu{first}/cpufreq");
    governor(machine, &governors, &dir);
    if !preferences.is_empty() {
        let path = format!("{dir}/energy_performance_preference");
        machine.set("cpu.epp", of_cpus(&preferences), path);
    }
    let need = if governors.is_empty() { Presence::IfThere } else { Presence::Always };
    files.fact(machine, "cpu.driver", &format!("{dir}/scaling_driver"), need);
    if governors.is_empty() && !machine.facts.contains_key("cpu.driver") {
        machine.unknown("cpu.driver", WITHOUT_CPUFREQ, &*dir);
    }
    for (name, path) in [
        ("cpu.driver.intel_pstate", "/sys/devices/system/cpu/intel_pstate/status"),
        ("cpu.driver.amd_pstate", "/sys/devices/system/cpu/amd_pstate/status"),
        ("cpu.idle.driver", "/sys/devices/system/cpu/cpuidle/current_driver"),
        ("cpu.idle.governor", "/sys/devices/system/cpu/cpuidle/current_governor"),
    ] {
        files.fact(machine, name, path, Presence::IfThere);
    }
    boost(files, machine);
    frequencies(evidence, machine, &dir, marked);
}

/// The highest state below acpi-cpufreq's marker of boost: a state of 1 MHz more, which means "and above".
/// Source: Linux drivers/cpufreq/acpi-cpufreq.c, ACPI tables of Intel's processors.
fn below_marker(files: Files<'_>, dir: &str, hz: f64) -> Option<f64> {
    let driver = files.line(&format!("{dir}/scaling_driver")).ok()?;
    if driver.trim() != "acpi-cpufreq" {
        return None;
    }
    let Ok(states) = files.line(&format!("{dir}/scaling_available_frequencies")) else {
        // Without the list: states are multiples of 100 MHz, or of 133.
        return (hz % 1e7 == 1e6).then_some(hz - 1e6);
    };
    let states = states.split_whitespace().filter_map(|t| t.parse::<f64>().ok()).map(|t| t * 1e3);
    let below = states.filter(|state| *state < hz).fold(0.0, f64::max);
    (hz - below == 1e6).then_some(below)
}

const WITHOUT_CPUFREQ: &str =
    "this kernel has no frequency driver for this CPU; guests usually have none";

fn governor(machine: &mut Machine, governors: &BTreeMap<String, CpuSet>, dir: &str) {
    let several = "/sys/devices/system/cpu/cpu*/cpufreq";
    let path = format!("{}/scaling_governor", if governors.len() > 1 { several } else { dir });
    match governors.is_empty() {
        true => machine.unknown("cpu.governor", WITHOUT_CPUFREQ, path),
        false => machine.set("cpu.governor", of_cpus(governors), path),
    }
}

/// The word that all have, or `performance on 0-3; powersave on 4-7`.
fn of_cpus(words: &BTreeMap<String, CpuSet>) -> String {
    let all: Vec<String> = words.iter().map(|(name, cpus)| format!("{name} on {cpus}")).collect();
    match words.keys().next() {
        Some(only) if words.len() == 1 => only.clone(),
        _ => crate::reading::clean(&all.join("; ")),
    }
}

fn boost(files: Files<'_>, machine: &mut Machine) {
    for (path, on) in [
        ("/sys/devices/system/cpu/cpufreq/boost", 1),
        ("/sys/devices/system/cpu/intel_pstate/no_turbo", 0),
    ] {
        match files.number(path) {
            Ok(number @ 0..=1) => return machine.set("cpu.boost", number == on, path),
            Ok(number) => {
                let why = Unavailable::Unreadable(format!("says {number}"));
                return machine.unknown("cpu.boost", why.reason(path), path);
            }
            Err(Unavailable::Missing) => {}
            Err(why) => return machine.unknown("cpu.boost", why.reason(path), path),
        }
    }
    machine.unknown(
        "cpu.boost",
        "this kernel has no switch for it",
        "/sys/devices/system/cpu/cpufreq/boost",
    );
}

/// `marked` is the highest frequency without boost where cpufreq only marks that there is more.
fn frequencies(evidence: &Evidence<'_>, machine: &mut Machine, dir: &str, marked: Option<f64>) {
    let files = evidence.files;
    let cpuid = evidence.cpuid.megahertz();
    let mega = |mhz: Option<u32>| sane(f64::from(mhz?) * 1e6);
    let highest = machine.topology.cpus.iter().filter_map(|cpu| cpu.max_hz).reduce(f64::max);
    let firmware = machine.number("firmware.cpu.frequency.max");
    let max = highest
        .map(|hz| (hz, "/sys/devices/system/cpu/cpu*/cpufreq/cpuinfo_max_freq".to_string()))
        .or_else(|| Some((mega(cpuid?.1)?, format!("{CPUID} leaf 16h"))))
        .or_else(|| {
            let firmware = firmware.filter(|_| marked.is_none());
            Some((firmware?, format!("{} (maximum speed of the socket)", crate::evidence::SMBIOS)))
        });
    let path = format!("{dir}/base_frequency");
    let nominal = format!(
        "{CPU}/cpu{}/acpi_cppc/nominal_freq",
        machine.topology.online().first().unwrap_or(0)
    );
    let base = kilohertz(files, &path)
        .map(|hz| (hz, path))
        .or_else(|| Some((mega(cpuid?.0)?, format!("{CPUID} leaf 16h"))))
        .or_else(|| {
            Some((
                evidence.cpuinfo.get(&["model name"]).and_then(frequency_in_name)?,
                format!("{CPUINFO} (the model's name)"),
            ))
        })
        .or_else(|| Some((sane(files.number(&nominal).ok()? as f64 * 1e6)?, nominal)))
        .or_else(|| Some((marked?, format!("{dir}/scaling_available_frequencies"))));
    let path = format!("{dir}/cpuinfo_min_freq");
    let min = kilohertz(files, &path).map(|hz| (hz, path));
    for (name, found) in
        [("cpu.frequency.base", base), ("cpu.frequency.max", max), ("cpu.frequency.min", min)]
    {
        match found {
            Some((hz, source)) => machine.set_in(name, hz, Unit::Hertz, source),
            None => {
                let why = match marked.filter(|_| name == "cpu.frequency.max") {
                    Some(hz) => format!(
                        "cpufreq marks boost above {:.0} MHz and does not state how far",
                        hz / 1e6
                    ),
                    None => {
                        "neither cpufreq, CPUID, the model's name nor firmware states it".into()
                    }
                };
                machine.unknown(name, why, dir);
            }
        }
    }
    for (name, file) in
        [("cpu.frequency.limit", "scaling_max_freq"), ("cpu.frequency.current", "scaling_cur_freq")]
    {
        let path = format!("{dir}/{file}");
        if let Some(hz) = kilohertz(files, &path) {
            machine.set_in(name, hz, Unit::Hertz, path);
        }
    }
    if let Some(mhz) = evidence.cpuinfo.cpus.first().and_then(|cpu| cpu.mhz)
        && let Some(hz) = sane(mhz * 1e6)
    {
        machine.set_in("cpu.frequency.reported", hz, Unit::Hertz, CPUINFO);
    }
    // No frequency: a calibration constant of the delay loop, on Arm the timer's. Kept for machines with nothing else.
    if let Some(number) = evidence
        .cpuinfo
        .get(&["bogomips", "bogomips per cpu"])
        .and_then(|t| t.parse::<f64>().ok())
        .filter(|n| n.is_finite() && *n >= 0.0)
    {
        machine.set_in("cpu.bogomips", number, Unit::Count, CPUINFO);
    }
}

fn sane(hz: f64) -> Option<f64> {
    (1e6..=MOST).contains(&hz).then_some(hz)
}

fn kilohertz(files: Files<'_>, path: &str) -> Option<f64> {
    sane(files.number(path).ok()? as f64 * 1e3)
}

/// `Intel(R) Xeon(R) CPU @ 2.50GHz`, in hertz.
fn frequency_in_name(name: &str) -> Option<f64> {
    let (_, frequency) = name.rsplit_once('@')?;
    let frequency = frequency.trim();
    let (number, scale) = match frequency.strip_suffix("GHz") {
        Some(number) => (number, 1e9),
        None => (frequency.strip_suffix("MHz")?, 1e6),
    };
    sane((number.trim().parse::<f64>().ok()? * scale).round())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_frequency_in_a_name() {
        assert_eq!(super::frequency_in_name("Xeon 8269CY CPU @ 2.50GHz"), Some(2.5e9));
        for odd in ["Xeon", "X @ GHz", "X @ NaNGHz", "X @ 1e300GHz", "@"] {
            assert_eq!(super::frequency_in_name(odd), None, "{odd}");
        }
    }
}
