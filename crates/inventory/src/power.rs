//! What holds the clock back or lets it rest: idle states, thermal throttling, power limits.
use crate::{
    evidence::Evidence,
    reading::{Files, Need, Why, absent},
};
use record::{Machine, Reason, Unit, Value};

const CPU: &str = "/sys/devices/system/cpu";
const ZONES: &str = "/sys/class/powercap";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    idle(evidence.files, machine);
    throttling(evidence.files, machine);
    limits(evidence.files, machine);
}

/// The idle states of the first online CPU, shallow to deep; the others have the same on every machine of one kind.
fn idle(files: Files<'_>, machine: &mut Machine) {
    const NAME: &str = "cpu.idle.states";
    let first = machine.topology.online().first().unwrap_or(0);
    let dir = format!("{CPU}/cpu{first}/cpuidle");
    let (mut states, mut off, mut deepest) = (vec![], 0u64, None);
    for id in files.numbered(&dir, "state").unwrap_or_default().into_iter().take(16) {
        let state = format!("{dir}/state{id}");
        let Ok(name) = files.line(&format!("{state}/name")) else { continue };
        // Latency is in microseconds (Documentation/admin-guide/pm/cpuidle.rst).
        let latency = files.number(&format!("{state}/latency"));
        let disabled = files.number(&format!("{state}/disable")).is_ok_and(|word| word != 0);
        let mut text = name;
        match &latency {
            Ok(us) => text += &format!(" {us} us"),
            Err(_) => text += " (wake-up time unknown)",
        }
        if disabled {
            text += " (disabled)";
            off += 1;
        } else if let Ok(us) = latency {
            deepest = deepest.max(Some(us));
        }
        states.push(Value::Text(text));
    }
    if states.is_empty() {
        let reason = Reason::new(format!(
            "{dir} lists no idle states: guests, and kernels told to poll, have none of their own"
        ));
        return machine.unknown(NAME, reason, dir);
    }
    machine.set(NAME, Value::List(states), dir.as_str());
    machine.set_in("cpu.idle.disabled", off, Unit::Count, dir.as_str());
    if let Some(us) = deepest {
        machine.set_in("cpu.idle.latency", us as f64 / 1e6, Unit::Seconds, dir);
    }
}

/// Events since boot. Both threads of a core count the core's, all CPUs of a package the package's.
fn throttling(files: Files<'_>, machine: &mut Machine) {
    let (mut cores, mut packages) = (None, std::collections::BTreeMap::new());
    for cpu in machine.topology.cpus.iter().filter(|cpu| cpu.online) {
        let dir = format!("{CPU}/cpu{}/thermal_throttle", cpu.id);
        if cpu.siblings.first() == Some(cpu.id)
            && let Ok(count) = files.number(&format!("{dir}/core_throttle_count"))
        {
            cores = Some(cores.unwrap_or(0u64).saturating_add(count));
        }
        if !packages.contains_key(&cpu.package)
            && let Ok(count) = files.number(&format!("{dir}/package_throttle_count"))
        {
            packages.insert(cpu.package, count);
        }
    }
    let source = format!("{CPU}/cpu*/thermal_throttle");
    if let Some(count) = cores {
        machine.set_in("cpu.throttle.core", count, Unit::Count, source.as_str());
    }
    if !packages.is_empty() {
        let sum = packages.into_values().fold(0u64, u64::saturating_add);
        machine.set_in("cpu.throttle.package", sum, Unit::Count, source);
    }
}

/// RAPL's zones: the package's limits are for all to read, its energy since 5.10 for root only.
fn limits(files: Files<'_>, machine: &mut Machine) {
    let mut zones = vec![];
    for prefix in ["intel-rapl:", "amd-rapl:"] {
        for id in files.numbered(ZONES, prefix).unwrap_or_default().into_iter().take(64) {
            zones.push(format!("{ZONES}/{prefix}{id}"));
        }
    }
    let mut energy = None;
    for zone in &zones {
        let Ok(name) = files.line(&format!("{zone}/name")) else { continue };
        // "package-0", or "psys": one word that goes into a fact's name.
        let good = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.len() > 32 || !name.chars().all(good) {
            continue;
        }
        for at in 0..3 {
            let path = format!("{zone}/constraint_{at}_power_limit_uw");
            let kind = files.line(&format!("{zone}/constraint_{at}_name"));
            let kind = match kind.as_deref() {
                Ok(kind @ ("long_term" | "short_term" | "peak_power")) => kind,
                _ => continue,
            };
            let fact = format!("power.limit.{name}.{kind}");
            match files.number(&path) {
                // Firmware that sets no limit leaves the field's largest value or 0.
                Ok(uw @ 1..1_000_000_000_000) => {
                    machine.set_in(&fact, uw as f64 / 1e6, Unit::Watts, path)
                }
                Ok(uw) => machine.unknown(
                    &fact,
                    Reason::new(format!("{path} says {uw} microwatts, which limits nothing")),
                    path,
                ),
                Err(why) => absent(machine, &fact, &why, &path, Need::IfThere),
            }
        }
        let path = format!("{zone}/energy_uj");
        energy.get_or_insert((files.number(&path), path));
    }
    const READABLE: &str = "power.energy";
    match energy {
        Some((Ok(_), path)) => machine.set(READABLE, "readable", path),
        Some((Err(why @ Why::Denied), path)) => machine.unknown(READABLE, why.reason(&path), path),
        Some((Err(why), path)) => absent(machine, READABLE, &why, &path, Need::IfThere),
        None => machine.unknown(
            READABLE,
            Reason::new(format!(
                "{ZONES} has no RAPL zone: guests and most Arm machines have none"
            )),
            ZONES,
        ),
    }
}
