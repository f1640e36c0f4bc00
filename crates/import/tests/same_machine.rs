//! A machine read from its files and the same machine imported from its tools' outputs have the same identity. The tools
//! run on each described machine's files, and on this machine; what is not installed is left out, and said.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "tests end at the first surprise"
)]
use import::Gathered;
use inventory::{Entry, Folder, capture, inventory};
use record::{Machine, Provenance, Value};
use std::{collections::BTreeMap, fs, path::Path, process::Command};

#[path = "../../inventory/tests/machines/mod.rs"]
mod machines;

/// The machine's identity, in the order of the names: facts, then counts.
fn identity(machine: &Machine) -> BTreeMap<&'static str, String> {
    let fact = |name: &'static str| Some((name, machine.value(name).map(Value::to_string)?));
    let mut all: BTreeMap<_, _> = ["cpu.vendor", "cpu.model", "cpu.microarchitecture", "cpu.smt"]
        .into_iter()
        .filter_map(fact)
        .collect();
    let counts = [("cores", machine.cores()), ("sockets", machine.sockets())];
    all.extend(counts.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name, n.to_string())));
    all
}

/// Each tool's name, its command with `ROOT` for the folder of files, and what its output must state.
const FULL: &[&str] =
    &["cpu.vendor", "cpu.model", "cpu.microarchitecture", "cpu.smt", "cores", "sockets"];
const PLACES: &[&str] = &["cpu.smt", "cores", "sockets"];
const NAMES: &[&str] = &["cpu.vendor", "cpu.model", "cpu.microarchitecture"];

type Tool = (&'static str, &'static [&'static str], &'static [&'static str]);

/// hwloc takes names from the running kernel's architecture only, so from files it states places.
const OF_FILES: &[Tool] = &[
    ("lscpu", &["-s", "ROOT"], FULL),
    ("lscpu", &["-s", "ROOT", "-J"], FULL),
    ("lscpu", &["-s", "ROOT", "-B"], FULL),
    ("lscpu", &["-s", "ROOT", "-p"], PLACES),
    ("lstopo-no-graphics", &["--of", "xml"], PLACES),
    ("cat", &["ROOT/proc/cpuinfo"], NAMES),
];
const HERE: &[Tool] = &[
    ("lscpu", &[], FULL),
    ("lscpu", &["-J"], FULL),
    ("lscpu", &["-B"], FULL),
    ("lscpu", &["-p"], PLACES),
    ("lscpu", &["-e"], PLACES),
    ("lstopo-no-graphics", &["--of", "xml"], FULL),
    ("lshw", &["-C", "cpu", "-quiet"], NAMES),
    ("lshw", &["-C", "cpu", "-json", "-quiet"], NAMES),
    ("cat", &["/proc/cpuinfo"], NAMES),
];

/// A tool's output; nothing where it is not installed or cannot read these files.
fn output(tool: &Tool, root: Option<&Path>) -> Option<Vec<u8>> {
    let mut command = Command::new(tool.0);
    command.env("LC_ALL", "C");
    if let Some(root) = root {
        command.env("HWLOC_FSROOT", root).env("HWLOC_THISSYSTEM", "0");
        command.env("HWLOC_COMPONENTS", "linux,stop");
        command.args(tool.1.iter().map(|a| a.replace("ROOT", root.to_str().unwrap())));
    } else {
        command.args(tool.1);
    }
    let Ok(output) = command.output() else {
        eprintln!("skipped: {} is not installed", tool.0);
        return None;
    };
    if !output.status.success() || output.stdout.is_empty() {
        eprintln!(
            "skipped: {} {:?}: {}: {}",
            tool.0,
            tool.1,
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        return None;
    }
    Some(output.stdout)
}

/// Compares what a tool's output states with what the machine's files say; returns the differences.
fn differences(name: &str, tool: &Tool, output: &[u8], read: &Machine) -> Vec<String> {
    let title = format!("{name}: {} {:?}", tool.0, tool.1);
    let mut gathered = Gathered::default();
    if let Err(problem) = gathered.add("output.txt", output) {
        return vec![format!("{title}: {problem}")];
    }
    let imported = identity(&gathered.record(Provenance::default()).machine);
    let chip =
        read.text("firmware.cpu.model").is_some() && read.text("kernel.arch") == Some("aarch64");
    let cpuid = read.facts.values().any(|fact| fact.source == "/cpulens/cpuid");
    let read = identity(read);
    // CPUID's leaves are not in these tools' files, and lscpu decodes Arm's numbers on the machine only: what they do not
    // state is no difference.
    let states = |key: &str| imported.get(key).is_some_and(|name| !name.starts_with("unknown"));
    let beside = |key: &&&str| (cpuid || chip) && NAMES.contains(*key) && !states(key);
    let differs = |key: &&&str| read.get(**key) != imported.get(**key);
    let worded = |key: &&str| {
        format!(
            "{title}: {key}: {:?} in the files, {:?} imported",
            read.get(*key),
            imported.get(*key)
        )
    };
    // The chip's name is firmware's there, which these outputs do not show.
    let firmware = |key: &&&str| **key == "cpu.model" && chip;
    tool.2.iter().filter(|key| !firmware(key) && !beside(key)).filter(differs).map(worded).collect()
}

/// Files that hold as a mask what others hold as a list; the inventory reads lists, these tools masks.
const MASKS: &[(&str, &str)] = &[("shared_cpu_list", "shared_cpu_map"), ("/cpulist", "/cpumap")];

fn mask(set: &record::CpuSet) -> String {
    let words = set.iter().max().map_or(1, |most| most / 32 + 1);
    let word = |w: u32| (0..32).filter(|b| set.contains(w * 32 + b)).fold(0u32, |m, b| m | 1 << b);
    let words: Vec<String> = (0..words).rev().map(|w| format!("{:08x}", word(w))).collect();
    words.join(",") + "\n"
}

#[test]
#[ignore = "runs every tool on thousands of files, for minutes: cargo test -p import --test same_machine -- --ignored"]
fn described_machines() {
    let mut wrong = vec![];
    let mut compared = 0;
    for (name, tree) in machines::all() {
        // Made to be nonsense, or with places that tools do not see.
        if ["hostile"].contains(&name) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        capture(&tree, &mut |path, entry| {
            let path = folder.path().join(path.trim_start_matches('/'));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match entry {
                Entry::File(content) => {
                    for (from, to) in MASKS {
                        let of = path
                            .to_str()
                            .unwrap()
                            .strip_suffix(from)
                            .map(|stem| format!("{stem}{to}"));
                        let list = String::from_utf8_lossy(&content).trim().parse();
                        if let (Some(of), Ok(list)) = (of, list) {
                            fs::write(of, mask(&list)).unwrap();
                        }
                    }
                    fs::write(path, content)
                }
                Entry::Link(_) => Ok(()),
            }
        })
        .unwrap();
        let cpus = folder.path().join("sys/devices/system/cpu");
        if cpus.join("present").exists() {
            fs::copy(cpus.join("present"), cpus.join("possible")).unwrap();
        }
        let machine = inventory(&tree);
        for cpu in machine.topology.cpus.iter().filter(|c| c.online && cpus.exists()) {
            let package = |other: &&record::Cpu| other.online && other.package == cpu.package;
            let package = machine.topology.cpus.iter().filter(package).map(|c| c.id).collect();
            let topology = cpus.join(format!("cpu{}/topology", cpu.id));
            fs::create_dir_all(&topology).unwrap();
            for (names, set) in [
                (["thread_siblings", "core_cpus"], &cpu.siblings),
                (["core_siblings", "package_cpus"], &package),
            ] {
                names.iter().for_each(|name| fs::write(topology.join(name), mask(set)).unwrap());
            }
        }
        for tool in OF_FILES {
            if let Some(output) = output(tool, Some(folder.path())) {
                compared += 1;
                wrong.extend(differences(name, tool, &output, &machine));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 20, "{compared}");
}

#[test]
fn this_machine() {
    let machine = inventory(&Folder::open(Path::new("/")).unwrap());
    let mut wrong = vec![];
    for tool in HERE {
        if let Some(output) = output(tool, None) {
            wrong.extend(differences("this machine", tool, &output, &machine));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
