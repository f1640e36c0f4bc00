//! The kernel module and the guest as their users have them: built against the headers of the lab's kernels, loaded there by
//! `cpulens noise --kmod`, measured with, unloaded, and nothing in the kernel's log; and a guest booted by `--guest`.
use crate::{
    children::{child, output},
    dist::{self, Arch},
    lab, setup,
    stopwatch::Stopwatch,
    tree::{cache, entries, read, refresh, root},
};
use serde_json::Value;
use std::path::PathBuf;

/// The architecture whose module is loaded; that of the other one is built.
const LOADED: Arch = Arch::X86_64;

/// Where the record is saved in the lab.
const RECORD: &str = "/tmp/record.json";

/// Messages of warning level that are as they should be: those that every module from outside the kernel's tree is greeted
/// with, and what the kernel says of a real-time pass that takes longer than 0.95 s, as emulated ones do.
const EXPECTED: [&str; 3] = [
    "loading out-of-tree module taints kernel",
    "module verification failed",
    "sched: RT throttling activated",
];

pub(crate) fn chore() -> Result<(), String> {
    let mut module = PathBuf::new();
    for arch in Arch::ALL {
        let time = Stopwatch::start();
        let built = build(arch)?;
        println!("{} module: built ({:.1} s)", arch.name(), time.elapsed().as_secs_f64());
        if arch == LOADED {
            module = built;
        }
    }
    let time = Stopwatch::start();
    in_the_lab(&module)?;
    println!("loaded, measured, unloaded ({:.1} s)", time.elapsed().as_secs_f64());
    let time = Stopwatch::start();
    in_a_guest()?;
    println!("a guest beside its host ({:.1} s)", time.elapsed().as_secs_f64());
    Ok(())
}

/// The module of an architecture, of the sources as they are, without a warning.
fn build(arch: Arch) -> Result<PathBuf, String> {
    let folder = cache().join(format!("kmod-{}", arch.name()));
    let assembly = root().join("crates/kernels/src/quantum");
    for file in entries(&root().join("kmod")).into_iter().chain(entries(&assembly)) {
        let name = file.file_name().unwrap_or_default();
        if file.is_file() {
            refresh(&folder.join(name), &read(&file)?)?;
        }
    }
    let mut make = child("make");
    make.arg("-C").arg(setup::headers(arch)?).arg(format!("M={}", folder.display())).arg("modules");
    if arch == Arch::Aarch64 {
        make.args(["ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-"]);
    }
    make.env_remove("MAKEFLAGS").env_remove("MFLAGS");
    // Warnings go to standard error, which a successful command keeps to itself.
    let said = output(child("sh").args(["-c", "exec \"$@\" 2>&1", "sh"]).args(words(&make)))?;
    match said.lines().find(|line| line.contains("warning") || line.contains("WARNING")) {
        Some(line) => Err(format!("the {} module is built with a warning: {line}", arch.name())),
        None => Ok(folder.join("cpulens_noise.ko")),
    }
}

/// A command as the words of another's arguments.
fn words(command: &std::process::Command) -> Vec<String> {
    let all = std::iter::once(command.get_program()).chain(command.get_args());
    all.map(|word| word.to_string_lossy().into_owned()).collect()
}

fn in_the_lab(module: &std::path::Path) -> Result<(), String> {
    let kmod = format!("--kmod=/lab/{}", module.file_name().unwrap_or_default().to_string_lossy());
    let args = ["noise", "line", &kmod, "--isolate", "--rounds", "1"];
    let args = [&args[..], &["--format", "json", "--record", RECORD]].concat();
    let collect = [RECORD, lab::MODULES, lab::GROUPS, lab::KERNEL_SAID];
    let boot = lab::with_module(LOADED, module, &args, &collect)?;
    let file = |name: &str| {
        let bytes = boot.files.get(name).ok_or(format!("no {name} came back: {boot:?}"))?;
        Ok::<String, String>(String::from_utf8_lossy(bytes).into_owned())
    };
    // The first two were killed: their guardians have unloaded the module and removed the partition, as the third has after its
    // work.
    let ended: Vec<lab::Ending> = boot.runs.iter().map(|run| run.ending).collect();
    match ended[..] {
        [lab::Ending::Killed(9), lab::Ending::Killed(9), _] => {}
        _ => {
            return Err(format!(
                "not killed with its module loaded and in its partition: {ended:?}"
            ));
        }
    }
    if !file(lab::MODULES)?.is_empty() {
        return Err(format!("the module is still loaded: {}", file(lab::MODULES)?));
    }
    let groups = file(lab::GROUPS)?;
    let mut counts = groups.lines().filter_map(|line| line.strip_prefix("nr_descendants "));
    if groups.is_empty() || counts.any(|n| n != "1") {
        return Err(format!("a partition is left: {groups}"));
    }
    let log = file(lab::KERNEL_SAID)?;
    if !log.contains("cpulens_noise") {
        return Err("the kernel does not mention the module".into());
    }
    if let Some(line) = warnings(&log).first() {
        return Err(format!("the kernel warns: {line}"));
    }
    let record = serde_json::from_str(&file(RECORD)?).map_err(|e| format!("the record: {e}"))?;
    complete(&record, "host", &["user on", "kernel on", "kernel off"], 4)
}

/// This machine as the host of an emulated guest, both in user mode; the guest's kernel is the lab's.
fn in_a_guest() -> Result<(), String> {
    let record = cache().join("guest.json");
    let mut command = child(dist::shipped(LOADED));
    command.args(["noise", "line", "--rounds", "1", "--format", "json"]);
    command.arg("--guest").arg("--kernel").arg(setup::kernel(LOADED)?);
    let ran = command.arg("--record").arg(&record).output();
    let ran = ran.map_err(|e| format!("cannot start cpulens: {e}"))?;
    if !matches!(ran.status.code(), Some(0 | 1 | 3)) {
        return Err(format!(
            "noise --guest: {}\n{}",
            ran.status,
            String::from_utf8_lossy(&ran.stderr)
        ));
    }
    let record = serde_json::from_str(&read(&record)?).map_err(|e| format!("the record: {e}"))?;
    complete(&record, "guest", &["user on"], 3)?;
    complete(&record, "host", &["user on"], 2)
}

/// Every way of these modes was run in so many places at least, all by one machine code.
fn complete(record: &Value, system: &str, modes: &[&str], places: usize) -> Result<(), String> {
    let runs = record["runs"].as_array().map_or(&[][..], Vec::as_slice);
    let run = runs
        .iter()
        .find(|r| r["case"]["probe"] == "undisturbed_speed")
        .ok_or("no undisturbed speed")?;
    let series = run["outcome"]["measured"].as_array().ok_or(format!("{}", run["outcome"]))?;
    let times =
        || series.iter().filter(|s| s["metric"] == "pass_time" && s["at"]["system"] == system);
    for mode in modes {
        let of = |s: &&Value| {
            let word = |name: &str| s["at"][name].as_str().unwrap_or_default().to_owned();
            format!("{} {}", word("mode"), word("interrupts")) == *mode
        };
        let found = times().filter(of).count();
        if found < places {
            return Err(format!("{system}, {mode}: {found} of {places} places; {}", run["unread"]));
        }
    }
    let mut codes: Vec<&str> = series.iter().filter_map(|s| s["variant"].as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    match codes[..] {
        [one] if one.starts_with("fnv1a:") => Ok(()),
        _ => Err(format!("not one machine code: {codes:?}")),
    }
}

/// Messages of warning level or graver since the module was first mentioned, but for those that are expected.
fn warnings(log: &str) -> Vec<String> {
    let since = log.lines().skip_while(|line| !line.contains("cpulens_noise"));
    let grave = |line: &&str| {
        let priority = line.split([',', ';']).next().and_then(|n| n.parse::<u32>().ok());
        // The lowest three bits (syslog(3)); 4 is a warning. Continuation lines have no number.
        priority.is_some_and(|n| n & 7 <= 4)
    };
    let expected = |line: &&str| EXPECTED.iter().any(|words| line.contains(words));
    since.filter(grave).filter(|line| !expected(line)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_after_the_module_and_is_not_expected_is_a_warning() {
        let log = "4,1,0,-;an old warning\n\
                   6,2,0,-;cpulens_noise: here\n\
                   4,3,0,-;cpulens_noise: loading out-of-tree module taints kernel.\n\
                   5,4,0,-;a notice\n DEVICE=x\n";
        assert!(warnings(log).is_empty());
        let grave = format!("{log}4,5,0,-;WARNING: CPU: 0 PID: 1 at kernel/x.c\n");
        assert_eq!(warnings(&grave).len(), 1);
    }

    #[test]
    fn a_record_is_complete_with_all_places_and_one_code() {
        let series = |place: &str, code: &str| {
            serde_json::json!({"metric": "pass_time", "variant": code, "at": {
                "system": "host", "mode": "user", "interrupts": "on", "place": place}})
        };
        let record = |codes: [&str; 2]| {
            let measured = [series("bound", codes[0]), series("unbound", codes[1])];
            serde_json::json!({"runs": [{"case": {"probe": "undisturbed_speed"},
                "outcome": {"measured": measured}}]})
        };
        let check = |record: &Value, places| complete(record, "host", &["user on"], places);
        assert_eq!(check(&record(["fnv1a:1", "fnv1a:1"]), 2), Ok(()));
        assert!(check(&record(["fnv1a:1", "fnv1a:1"]), 3).is_err());
        assert!(check(&record(["fnv1a:1", "fnv1a:2"]), 2).is_err());
        assert!(check(&Value::Null, 0).is_err());
    }
}
