//! Energy, power and temperature of the processor beside a case, from RAPL, SCMI and hwmon. None that can be read is no zero.
//! Limits: RAPL counts whole packages and DRAM for all programs, idle power included; power meters show an average of their own.
//! Source: Linux, Documentation/power/powercap/powercap.rst, Documentation/hwmon/sysfs-interface.rst, hwmon/scmi-hwmon.c.
use crate::sampler::{Sampler, Watch};
use host::clock::{Clock, Monotonic};
use record::{CpuSet, Reading, Reason, Unit};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// More zones, sensors or inputs of a sensor than are looked at.
const MOST: usize = 64;
/// Drivers whose temperatures are the processor's.
const THERMOMETERS: &[&str] =
    &["altra_hwmon", "coretemp", "cpu_thermal", "k10temp", "scmi_sensors", "zenpower"];
/// Drivers whose power or energy is the processor's or the whole machine's.
const METERS: &[&str] = &["altra_hwmon", "amd_energy", "power_meter", "scmi_sensors"];
/// Shorter than this, a counter that moves every millisecond says little of power (seconds).
const SHORTEST: f64 = 0.05;

/// Joules by domain, watts and the highest temperature.
pub(crate) static SAMPLER: Sampler =
    Sampler { open: || open_at(Path::new("/sys/class")), slows_switches: false };

fn open_at(class: &Path) -> Result<Box<dyn Watch>, Reason> {
    let mut found =
        Sensors { denied: None, counters: vec![], meters: vec![], thermometers: vec![] };
    found.zones(&class.join("powercap"));
    found.hwmon(&class.join("hwmon"));
    let any =
        !(found.counters.is_empty() && found.meters.is_empty() && found.thermometers.is_empty());
    match (any, &found.denied) {
        (true, _) => Ok(Box::new(Open { sensors: found, clock: Monotonic::new(), before: None })),
        (false, Some(path)) => Err(Reason::mended_by(
            format!("{} is readable by root only", path.display()),
            "run as root, or: sudo chmod a+r /sys/class/powercap/*/energy_uj",
        )),
        (false, None) => Err(Reason::new(
            "neither RAPL (powercap) nor a sensor of the processor (hwmon) is here, as in guests and on many boards",
        )),
    }
}

/// The readable sensors.
struct Sensors {
    denied: Option<PathBuf>,
    counters: Vec<Counter>,
    meters: Vec<PathBuf>,
    thermometers: Vec<PathBuf>,
}

/// A counter of microjoules that begins again after `range`.
struct Counter {
    domain: &'static str,
    path: PathBuf,
    range: Option<u64>,
}

impl Sensors {
    /// RAPL's and SCMI's zones. `intel-rapl:0` is a package, `intel-rapl:0:0` a part of it.
    fn zones(&mut self, dir: &Path) {
        for name in names(dir) {
            let zone = dir.join(&name);
            let Ok(kind) = line(&zone.join("name")) else { continue };
            // Through memory-mapped registers the same package is counted a second time.
            let domain = match kind.as_str() {
                _ if name.contains("mmio") => continue,
                "psys" => "platform",
                "dram" => "dram",
                kind if kind.starts_with("package") => "package",
                _ if name.starts_with("arm-scmi") && name.matches(':').count() == 1 => "package",
                _ => continue,
            };
            let range = number(&zone.join("max_energy_range_uj")).ok().filter(|range| *range > 0);
            self.counter(domain, zone.join("energy_uj"), range);
        }
    }
    fn counter(&mut self, domain: &'static str, path: PathBuf, range: Option<u64>) {
        match number(&path) {
            Ok(_) => self.counters.push(Counter { domain, path, range }),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                self.denied.get_or_insert(path);
            }
            Err(_) => {}
        }
    }
    fn hwmon(&mut self, dir: &Path) {
        // The package's energy from two drivers would be counted twice.
        let rapl = self.counters.iter().any(|c| c.domain == "package");
        for name in names(dir) {
            let at = dir.join(name);
            let Ok(driver) = line(&at.join("name")) else { continue };
            let inputs = || (1..=16).map(|n| (n, at.clone()));
            if THERMOMETERS.contains(&driver.as_str()) {
                let all = inputs().map(|(n, at)| at.join(format!("temp{n}_input")));
                self.thermometers.extend(all.filter(|path| number(path).is_ok()));
            }
            if !METERS.contains(&driver.as_str()) {
                continue;
            }
            let power = inputs()
                .flat_map(|(n, at)| ["input", "average"].map(|w| at.join(format!("power{n}_{w}"))));
            self.meters.extend(power.filter(|path| number(path).is_ok()));
            for (n, at) in inputs().filter(|_| !rapl) {
                let label = line(&at.join(format!("energy{n}_label"))).unwrap_or_default();
                // Cores are a part of their socket.
                if !label.starts_with("Ecore") {
                    self.counter("package", at.join(format!("energy{n}_input")), None);
                }
            }
        }
        self.counters.truncate(MOST);
        self.meters.truncate(MOST);
        self.thermometers.truncate(MOST);
    }
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().take(16 * MOST);
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names.truncate(MOST);
    names
}

fn line(path: &Path) -> io::Result<String> {
    Ok(fs::read_to_string(path)?.trim().to_owned())
}

fn number(path: &Path) -> io::Result<u64> {
    line(path)?.parse().map_err(|_| io::ErrorKind::InvalidData.into())
}

struct Open {
    sensors: Sensors,
    clock: Monotonic,
    /// Seconds, the counters, and the meters' watts.
    before: Option<(f64, Vec<Option<u64>>, Option<f64>)>,
}

impl Open {
    fn counts(&self) -> Vec<Option<u64>> {
        self.sensors.counters.iter().map(|c| number(&c.path).ok()).collect()
    }
    /// The sum of the meters, or of fewer meters nothing.
    fn watts(&self) -> Option<f64> {
        let all: Option<Vec<u64>> = self.sensors.meters.iter().map(|p| number(p).ok()).collect();
        all.filter(|all| !all.is_empty()).map(|all| all.iter().map(|uw| *uw as f64 / 1e6).sum())
    }
}

impl Watch for Open {
    fn start(&mut self, _: &CpuSet) {
        self.before = Some((self.clock.now(), self.counts(), self.watts()));
    }
    fn stop(&mut self) -> Vec<Reading> {
        let Some((began, before, watts_before)) = self.before.take() else { return vec![] };
        let seconds = self.clock.now() - began;
        let mut joules: BTreeMap<&str, Option<f64>> = BTreeMap::new();
        for ((counter, before), now) in self.sensors.counters.iter().zip(before).zip(self.counts())
        {
            let passed = before.zip(now).and_then(|(from, to)| passed(from, to, counter.range));
            let sum = joules.entry(counter.domain).or_insert(Some(0.0));
            *sum = sum.zip(passed).map(|(sum, uj)| sum + uj as f64 / 1e6);
        }
        let reading = |name: &str, unit, value| Reading::new(format!("energy.{name}"), unit, value);
        let mut readings = vec![];
        for (domain, joules) in joules {
            let Some(joules) = joules else { continue };
            readings.push(reading(domain, Unit::Joules, joules));
            if seconds >= SHORTEST {
                readings.push(reading(&format!("{domain}.power"), Unit::Watts, joules / seconds));
            }
        }
        if let Some((from, to)) = watts_before.zip(self.watts()) {
            readings.push(reading("meter.power", Unit::Watts, f64::midpoint(from, to)));
        }
        let degrees = self.sensors.thermometers.iter().filter_map(|path| number(path).ok());
        if let Some(most) = degrees.filter(|thousandths| *thousandths < 200_000).max() {
            readings.push(reading("temperature", Unit::Celsius, most as f64 / 1e3));
        }
        readings
    }
}

/// The advance of a counter that wrapped at most once.
fn passed(from: u64, to: u64, range: Option<u64>) -> Option<u64> {
    match to.checked_sub(from) {
        Some(passed) => Some(passed),
        None => range?.checked_sub(from)?.checked_add(to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(top: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let file = top.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }

    fn value(readings: &[Reading], name: &str) -> Option<f64> {
        readings.iter().find(|r| r.name == name).map(|r| r.value)
    }

    #[test]
    fn packages_are_added_and_a_counter_that_began_again_goes_on() {
        let top = tempfile::tempdir().unwrap();
        put(
            top.path(),
            &[
                ("powercap/intel-rapl:0/name", "package-0\n"),
                ("powercap/intel-rapl:0/energy_uj", "5000000\n"),
                ("powercap/intel-rapl:0/max_energy_range_uj", "6000000\n"),
                ("powercap/intel-rapl:1/name", "package-1\n"),
                ("powercap/intel-rapl:1/energy_uj", "1000000\n"),
                ("powercap/intel-rapl:0:0/name", "dram\n"),
                ("powercap/intel-rapl:0:0/energy_uj", "0\n"),
                ("powercap/intel-rapl:0:1/name", "core\n"),
                ("powercap/intel-rapl:0:1/energy_uj", "0\n"),
                ("powercap/intel-rapl-mmio:0/name", "package-0\n"),
                ("powercap/intel-rapl-mmio:0/energy_uj", "0\n"),
                ("hwmon/hwmon0/name", "coretemp\n"),
                ("hwmon/hwmon0/temp1_input", "48000\n"),
                ("hwmon/hwmon0/temp2_input", "51000\n"),
                ("hwmon/hwmon1/name", "nvme\n"),
                ("hwmon/hwmon1/temp1_input", "70000\n"),
            ],
        );
        let mut watch = open_at(top.path()).unwrap();
        watch.start(&CpuSet::default());
        put(
            top.path(),
            &[
                ("powercap/intel-rapl:0/energy_uj", "1000000\n"),
                ("powercap/intel-rapl:1/energy_uj", "1500000\n"),
                ("powercap/intel-rapl:0:0/energy_uj", "250000\n"),
                ("powercap/intel-rapl-mmio:0/energy_uj", "9000000\n"),
            ],
        );
        let readings = watch.stop();
        assert_eq!(value(&readings, "energy.package"), Some(2.5));
        assert_eq!(value(&readings, "energy.dram"), Some(0.25));
        assert_eq!(value(&readings, "energy.temperature"), Some(51.0));
        assert_eq!(value(&readings, "energy.platform"), None);
        assert!(watch.stop().is_empty(), "nothing since the last one");
    }

    #[test]
    fn sensors_of_scmi_and_meters_are_read_and_what_fails_is_no_zero() {
        let top = tempfile::tempdir().unwrap();
        put(
            top.path(),
            &[
                ("hwmon/hwmon0/name", "scmi_sensors\n"),
                ("hwmon/hwmon0/energy1_input", "10000000\n"),
                ("hwmon/hwmon0/power1_input", "40000000\n"),
                ("hwmon/hwmon0/temp1_input", "-40000\n"),
            ],
        );
        let mut watch = open_at(top.path()).unwrap();
        watch.start(&CpuSet::default());
        put(top.path(), &[("hwmon/hwmon0/energy1_input", "lost\n")]);
        let readings = watch.stop();
        assert_eq!(value(&readings, "energy.meter.power"), Some(40.0));
        assert_eq!(value(&readings, "energy.package"), None);
        assert_eq!(value(&readings, "energy.temperature"), None);
        let empty = tempfile::tempdir().unwrap();
        assert!(open_at(empty.path()).is_err_and(|why| why.why.contains("guests")));
        // A counter that went back and states no range.
        assert_eq!(
            (passed(5, 4, None), passed(5, 4, Some(6)), passed(5, 4, Some(3))),
            (None, Some(5), None)
        );
    }
}
