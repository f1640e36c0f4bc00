//! The kernel: release, command line, clock source, preemption, and its build configuration where readable.
use crate::{
    evidence::Evidence,
    reading::{Files, Presence, ReadResult, Unavailable, clean, listed, put},
    scrub,
};
use record::{Machine, Reason, Unit, Value};
use std::io::Read as _;

const UNAME: &str = "/cpulens/uname";
const VERSION: &str = "/proc/version";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let uname = files.text(UNAME).unwrap_or_default();
    let part = |at: usize| uname.lines().nth(at).map(clean).filter(|text| !text.is_empty());
    let version = files.text(VERSION).map(|text| clean(&scrub::version(&text)));
    let release = match part(1) {
        Some(text) => (Ok(text), UNAME),
        None => match files.line("/proc/sys/kernel/osrelease") {
            Ok(text) => (Ok(text), "/proc/sys/kernel/osrelease"),
            Err(_) => (version.clone().and_then(|text| word(&text, 2)), VERSION),
        },
    };
    let config = config(files, release.0.as_deref().ok());
    put(machine, "kernel.release", release.0, release.1, Presence::Always);
    match part(2) {
        Some(text) => machine.set("kernel.version", text, UNAME),
        // From "#1 SMP PREEMPT" on it is what uname calls the version.
        None => put(
            machine,
            "kernel.version",
            version.map(|t| t.find('#').map_or(t.clone(), |at| t[at..].to_string())),
            VERSION,
            Presence::Always,
        ),
    }
    match &evidence.arch {
        Some((arch, source)) => machine.set("kernel.arch", arch.as_str(), *source),
        None => machine.unknown("kernel.arch", "neither uname nor /proc/cpuinfo states it", UNAME),
    }
    evidence.put_cmdline(machine);
    for key in [
        "isolcpus",
        "nohz_full",
        "rcu_nocbs",
        "irqaffinity",
        "mitigations",
        "hardened_usercopy",
        "idle",
        "intel_idle.max_cstate",
        "processor.max_cstate",
    ] {
        if let Some(value) = evidence.parameter(key) {
            machine.set(&format!("kernel.cmdline.{key}"), value, crate::evidence::CMDLINE);
        }
    }
    const CLOCKS: &str = "/sys/devices/system/clocksource/clocksource0";
    files.fact(
        machine,
        "kernel.clocksource",
        &format!("{CLOCKS}/current_clocksource"),
        Presence::Always,
    );
    files.fact(
        machine,
        "kernel.clocksource.available",
        &format!("{CLOCKS}/available_clocksource"),
        Presence::IfThere,
    );
    if let Ok(text) = files.text("/etc/os-release")
        && let Some(name) = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))
        && let name = clean(name.trim_matches(['"', '\'']))
        && !name.is_empty()
    {
        machine.set("os.name", name, "/etc/os-release");
    }
    preemption(files, machine);
    options(machine, &config);
    page_tables(evidence, machine);
    checks(files, machine);
}

/// Checks at every system call: a seccomp filter, as containers have, and SELinux.
/// Source: proc(5), selinux(8).
fn checks(files: Files<'_>, machine: &mut Machine) {
    const STATUS: &str = "/proc/self/status";
    let status = files.text(STATUS).unwrap_or_default();
    let mode = status.lines().find_map(|line| line.strip_prefix("Seccomp:")).map(str::trim);
    let mode = mode.and_then(|mode| match mode {
        "0" => Some("none"),
        "1" => Some("strict"),
        "2" => Some("filter"),
        _ => None,
    });
    if let Some(mode) = mode {
        machine.set("kernel.seccomp", mode, STATUS);
    }
    const ENFORCE: &str = "/sys/fs/selinux/enforce";
    if let Ok(line) = files.line(ENFORCE) {
        let mode = if line.trim() == "1" { "enforcing" } else { "permissive" };
        machine.set("kernel.selinux", mode, ENFORCE);
    }
}

/// Whether the kernel's page tables are taken away in user mode (KPTI), which every system call pays for, and on
/// Arm whether E0PD does the same for nothing.
fn page_tables(evidence: &Evidence<'_>, machine: &mut Machine) {
    const MELTDOWN: &str = "/sys/devices/system/cpu/vulnerabilities/meltdown";
    const NAME: &str = "kernel.kpti";
    match evidence.files.line(MELTDOWN) {
        // Kernels before 4.15 have neither the file nor, unless patched, the feature; patched ones show a flag.
        Err(Unavailable::Missing) if evidence.cpuinfo.has_flag("pti") => {
            machine.set(NAME, true, crate::evidence::CPUINFO)
        }
        got => put(machine, NAME, got.map(|text| text.contains("PTI")), MELTDOWN, Presence::Always),
    }
    if evidence.is_arm() {
        let built = machine.flag("kernel.config.arm64_e0pd");
        match built {
            Some(false) => machine.set("kernel.e0pd", false, "kernel.config.arm64_e0pd"),
            _ => machine.unknown(
                "kernel.e0pd",
                Reason::mended_by(
                    "the register that states it (ID_AA64MMFR2_EL1) is not visible to programs",
                    "as root: dmesg | grep E0PD",
                ),
                "kernel log",
            ),
        }
    }
}

fn word(text: &str, at: usize) -> ReadResult<String> {
    text.split(' ')
        .nth(at)
        .map(str::to_string)
        .ok_or_else(|| Unavailable::Unreadable("has no release".into()))
}

fn preemption(files: Files<'_>, machine: &mut Machine) {
    const LIVE: &str = "/sys/kernel/debug/sched/preempt";
    // "none voluntary (full)": the one in force is in parentheses.
    let live = files
        .line(LIVE)
        .ok()
        .and_then(|t| Some(t.split_once('(')?.1.split_once(')')?.0.to_string()));
    if let Some(model) = live {
        return machine.set("kernel.preemption", model, LIVE);
    }
    let version = machine.text("kernel.version").unwrap_or("").to_string();
    let source =
        machine.facts.get("kernel.version").map_or(VERSION.into(), |fact| fact.source.clone());
    let has = |word: &str| version.split(' ').any(|w| w == word);
    let model = match () {
        () if has("PREEMPT_RT") => "realtime",
        () if has("PREEMPT_DYNAMIC") => "dynamic",
        () if has("PREEMPT") => "full",
        () if version.starts_with('#') => "none or voluntary",
        () => {
            let why = Reason::new("the kernel's version string does not say");
            return machine.unknown("kernel.preemption", why, source);
        }
    };
    machine.set("kernel.preemption", model, source);
}

/// The build options that change what is measured: tick, preemption, hardening.
const OPTIONS: &str = include_str!("words/kernel_options.txt");

fn config(files: Files<'_>, release: Option<&str>) -> ReadResult<(String, String)> {
    let packed = "/proc/config.gz";
    match files.bytes(packed) {
        Ok(bytes) => {
            return config_text(&bytes).map(|text| (text, packed.into())).ok_or_else(|| {
                Unavailable::Unreadable("is not a packed kernel configuration".into())
            });
        }
        Err(Unavailable::Missing) => {}
        Err(why) => return Err(why),
    }
    // A release is one path component; anything else is not looked up.
    let Some(release) = release.filter(|r| !r.contains(['/', ' ']) && !r.contains("..")) else {
        return Err(Unavailable::Missing);
    };
    let path = format!("/boot/config-{release}");
    files.text(&path).map(|text| (text, path))
}

/// A configuration, unpacked if it is packed; a capture holds it as text.
pub(crate) fn config_text(bytes: &[u8]) -> Option<String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Some(String::from_utf8_lossy(bytes).into_owned());
    }
    let mut text = vec![];
    // A genuine one is a third of a megabyte; a hostile one is a gigabyte of zeros.
    flate2::read::GzDecoder::new(bytes).take(4 << 20).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The lines about [`OPTIONS`]: the rest of a configuration names who built it.
pub(crate) fn relevant_config(text: &str) -> String {
    let line = |line: &&str| {
        let key = match line.strip_prefix("# ") {
            Some(rest) => rest.strip_suffix(" is not set"),
            None => line.split_once('=').map(|(key, _)| key),
        };
        key.is_some_and(|key| listed(OPTIONS, key))
    };
    text.lines().filter(line).map(|line| format!("{line}\n")).collect()
}

fn options(machine: &mut Machine, config: &ReadResult<(String, String)>) {
    let (text, source) = match config {
        Ok(found) => found,
        Err(Unavailable::Missing) => {
            return machine.unknown(
                "kernel.hz",
                "the kernel's configuration is neither in /proc/config.gz nor in /boot",
                "/proc/config.gz",
            );
        }
        Err(why) => {
            return machine.unknown("kernel.hz", why.reason("/proc/config.gz"), "/proc/config.gz");
        }
    };
    for line in relevant_config(text).lines() {
        // "# CONFIG_X is not set" is how a configuration says no.
        let unset = line.strip_prefix("# ").and_then(|rest| rest.strip_suffix(" is not set"));
        let Some((key, value)) = unset.map(|key| (key, "n")).or_else(|| line.split_once('='))
        else {
            continue;
        };
        if key == "CONFIG_HZ" {
            match value.parse::<u64>() {
                Ok(hz @ 1..=100_000) => {
                    machine.set_in("kernel.hz", hz, Unit::PerSecond, source.as_str())
                }
                _ => machine.unknown(
                    "kernel.hz",
                    Unavailable::Unreadable(format!("says {}", clean(value))).reason(source),
                    source.as_str(),
                ),
            }
        } else {
            let name =
                format!("kernel.config.{}", key.trim_start_matches("CONFIG_").to_ascii_lowercase());
            let value = match value {
                "y" => Value::Bool(true),
                "n" => Value::Bool(false),
                other => Value::Text(clean(other)),
            };
            machine.set(&name, value, source.as_str());
        }
    }
}
