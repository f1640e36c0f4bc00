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
const PACKED: &str = "/proc/config.gz";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let uname = files.text(UNAME).unwrap_or_default();
    let part = |at: usize| uname.lines().nth(at).map(clean).filter(|text| !text.is_empty());
    let version = files.text(VERSION).map(|text| clean(&scrub::version(&text)));
    const OSRELEASE: &str = "/proc/sys/kernel/osrelease";
    let (release, source) = match (part(1), files.line(OSRELEASE)) {
        (Some(text), _) => (Ok(text), UNAME),
        (None, Ok(text)) => (Ok(text), OSRELEASE),
        (None, Err(_)) => (version.clone().and_then(|text| word(&text, 2)), VERSION),
    };
    let config = config(files, release.as_deref().ok());
    put(machine, "kernel.release", release, source, Presence::Always);
    match part(2) {
        Some(text) => machine.set("kernel.version", text, UNAME),
        // From "#1 SMP PREEMPT" on it is what uname calls the version.
        None => {
            let version = version.map(|t| t[t.find('#').unwrap_or(0)..].to_string());
            put(machine, "kernel.version", version, VERSION, Presence::Always);
        }
    }
    match &evidence.arch {
        Some((arch, source)) => machine.set("kernel.arch", arch.as_str(), *source),
        None => machine.unknown("kernel.arch", "neither uname nor /proc/cpuinfo states it", UNAME),
    }
    let cmdline = evidence.cmdline.clone();
    put(machine, "kernel.cmdline", cmdline, crate::evidence::CMDLINE, Presence::Always);
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
    for (name, file, need) in [
        ("kernel.clocksource", "current_clocksource", Presence::Always),
        ("kernel.clocksource.available", "available_clocksource", Presence::IfThere),
    ] {
        files.fact(machine, name, &format!("{CLOCKS}/{file}"), need);
    }
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
    let modes = [("0", "none"), ("1", "strict"), ("2", "filter")];
    if let Some((_, name)) = modes.iter().find(|(number, _)| mode == Some(number)) {
        machine.set("kernel.seccomp", *name, STATUS);
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
    let live = files.line(LIVE).unwrap_or_default();
    if let Some((model, _)) = live.split_once('(').and_then(|(_, rest)| rest.split_once(')')) {
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
    match files.bytes(PACKED) {
        Ok(bytes) => {
            let no = || Unavailable::Unreadable("is not a packed kernel configuration".into());
            return config_text(&bytes).map(|text| (text, PACKED.into())).ok_or_else(no);
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
        Err(why) => {
            let none = "the kernel's configuration is neither in /proc/config.gz nor in /boot";
            let reason = match why {
                Unavailable::Missing => none.into(),
                why => why.reason(PACKED),
            };
            return machine.unknown("kernel.hz", reason, PACKED);
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
                    machine.set_in("kernel.hz", hz, Unit::PerSecond, source.as_str());
                }
                _ => {
                    let why = Unavailable::Unreadable(format!("says {}", clean(value)));
                    machine.unknown("kernel.hz", why.reason(source), source.as_str());
                }
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
