//! Frequency and idle limits: idle states, thermal throttling, power limits.
use crate::{
    evidence::Evidence,
    reading::{Files, Presence, absent, put},
};
use record::{Machine, Sort, Unit, Value};

const CPU: &str = "/sys/devices/system/cpu";
const ZONES: &str = "/sys/class/powercap";
/// More kinds of core than any processor has.
const MOST_KINDS: usize = 8;

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    idle(evidence.files, machine);
    throttling(evidence.files, machine);
    limits(evidence.files, machine);
    temperatures(evidence.files, machine);
}

/// The idle states of one CPU of each kind of core, shallow to deep; the others of its kind have the same. The first
/// online CPU's kind has the plain names, the others their kind's behind it: `cpu.idle.states.efficiency`.
fn idle(files: Files<'_>, machine: &mut Machine) {
    let mut kinds: Vec<(Option<String>, u32)> = vec![];
    for cpu in machine.topology.cpus.iter().filter(|cpu| cpu.online) {
        if kinds.len() < MOST_KINDS && !kinds.iter().any(|(kind, _)| *kind == cpu.kind) {
            kinds.push((cpu.kind.clone(), cpu.id));
        }
    }
    if kinds.is_empty() {
        kinds.push((None, 0));
    }
    for (at, (kind, cpu)) in kinds.into_iter().enumerate() {
        let own = kind.filter(|_| at > 0).map(|kind| format!(".{}", kind.replace(' ', "-")));
        idle_of(files, machine, cpu, &own.unwrap_or_default());
    }
}

fn idle_of(files: Files<'_>, machine: &mut Machine, cpu: u32, own: &str) {
    let name = format!("cpu.idle.states{own}");
    let dir = format!("{CPU}/cpu{cpu}/cpuidle");
    let (mut states, mut off, mut deepest) = (vec![], 0u64, None);
    for id in files.some(&dir, "state", 16) {
        let state = format!("{dir}/state{id}");
        let Ok(name) = files.line(&format!("{state}/name")) else { continue };
        // Latency is in microseconds (Documentation/admin-guide/pm/cpuidle.rst).
        let latency = files.number(&format!("{state}/latency"));
        let disabled = files.number(&format!("{state}/disable")).is_ok_and(|word| word != 0);
        let mut text = match &latency {
            Ok(us) => format!("{name} {us} us"),
            Err(_) => format!("{name} (wake-up time unknown)"),
        };
        if disabled {
            text += " (disabled)";
            off += 1;
        } else if let Ok(us) = latency {
            deepest = deepest.max(Some(us));
        }
        states.push(Value::Text(text));
    }
    if states.is_empty() {
        let why = format!("{dir} lists no idle states: guests, and kernels that poll, have none");
        return machine.unknown(&name, why, dir);
    }
    machine.set(&name, Value::List(states), dir.as_str());
    machine.set_in(&format!("cpu.idle.disabled{own}"), off, Unit::Count, dir.as_str());
    if let Some(us) = deepest {
        machine.set_in(&format!("cpu.idle.latency{own}"), us as f64 / 1e6, Unit::Seconds, dir);
    }
}

/// The temperatures at which the processor slows down and stops, as its driver or firmware states them.
fn temperatures(files: Files<'_>, machine: &mut Machine) {
    const THERMAL: &str = "/sys/class/thermal";
    const HWMON: &str = "/sys/class/hwmon";
    // Thousandths of a degree; drivers that know none say 0, -274000 or the register's largest.
    let degrees = |path: &str| {
        let thousandths = files.number(path).ok()?;
        (20_000..=150_000).contains(&thousandths).then_some(thousandths as f64 / 1e3)
    };
    let mut found: Vec<(&str, f64, String)> = vec![];
    for id in files.some(THERMAL, "thermal_zone", 64) {
        let zone = format!("{THERMAL}/thermal_zone{id}");
        let kind = files.line(&format!("{zone}/type")).unwrap_or_default().to_ascii_lowercase();
        if !(kind.contains("cpu") || kind.contains("pkg") || kind.contains("soc")) {
            continue;
        }
        for trip in 0..12 {
            let path = format!("{zone}/trip_point_{trip}_temp");
            let fact = match files.line(&format!("{zone}/trip_point_{trip}_type")).as_deref() {
                Ok("passive") => "power.temperature.throttle",
                Ok("critical") => "power.temperature.critical",
                Ok(_) => continue,
                Err(_) => break,
            };
            found.extend(degrees(&path).map(|limit| (fact, limit, path)));
        }
    }
    for id in files.some(HWMON, "hwmon", 64) {
        let dir = format!("{HWMON}/hwmon{id}");
        if files.line(&format!("{dir}/name")).as_deref() != Ok("coretemp") {
            continue;
        }
        for (fact, file) in
            [("power.temperature.throttle", "max"), ("power.temperature.critical", "crit")]
        {
            let path = format!("{dir}/temp1_{file}");
            found.extend(degrees(&path).map(|limit| (fact, limit, path)));
        }
    }
    // The lowest limit applies first.
    found.order_by(|a, b| a.0.cmp(b.0).then(a.1.total_cmp(&b.1)));
    found.dedup_by_key(|(fact, _, _)| *fact);
    for (fact, limit, path) in found {
        machine.set_in(fact, limit, Unit::Celsius, path);
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
        for id in files.some(ZONES, prefix, 64) {
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
                    format!("{path} says {uw} microwatts, which limits nothing"),
                    path,
                ),
                Err(why) => absent(machine, &fact, &why, &path, Presence::IfThere),
            }
        }
        let path = format!("{zone}/energy_uj");
        energy.get_or_insert((files.number(&path), path));
    }
    const READABLE: &str = "power.energy";
    match energy {
        Some((energy, path)) => {
            put(machine, READABLE, energy.map(|_| "readable"), &path, Presence::IfThere)
        }
        None => machine.unknown(
            READABLE,
            format!("{ZONES} has no RAPL zone: guests and most Arm machines have none"),
            ZONES,
        ),
    }
}
