//! The kernel module and the guest as their users have them: built against the headers of the lab's kernels, loaded there by
//! `cpulens noise --kmod`, measured with, unloaded, and nothing in the kernel's log; a guest booted by `--guest`; and the machine
//! as it was before, after every command that could leave it otherwise.
use lab::{Command, Ending, boot, command, machine};
use lab_init::KERNEL_LOG;
use record::{Outcome, Record, Series, Value};
use std::{collections::BTreeSet, fs, path::PathBuf};
use xtask::{
    children::{child, output},
    dist::{self, Arch},
    setup,
    tree::{cache, entries, read, refresh, root},
};

/// The path of the record in the lab.
const RECORD: &str = "/tmp/record.json";
/// The modules that the kernel has, one a line.
const MODULES: &str = "/proc/modules";
/// The processes in a partition of cgroup v2 that the program made.
const IN_PARTITION: &str = "/sys/fs/cgroup/cpulens-*/cgroup.procs";
/// The cgroups that there are: `nr_descendants`, of which one is that which the programs are in.
const GROUPS: &str = "/sys/fs/cgroup/cgroup.stat";

/// Messages of warning level that are as they should be: those that every module from outside the kernel's tree is greeted
/// with, and what the kernel says of a real-time pass that takes longer than 0.95 s, as emulated ones do.
const EXPECTED: [&str; 4] = [
    "loading out-of-tree module taints kernel",
    "module verification failed",
    "sched: RT throttling activated",
    // The emulator itself was not given a CPU.
    "hrtimer: interrupt took",
];

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
    // Warnings go to standard error, which a successful command keeps to itself.
    let mut make = child("sh");
    make.args(["-c", "exec make \"$@\" 2>&1", "sh", "-C"]).arg(setup::headers(arch)?);
    make.arg(format!("M={}", folder.display())).arg("modules");
    if arch == Arch::Aarch64 {
        make.args(["ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-"]);
    }
    let said = output(make.env_remove("MAKEFLAGS").env_remove("MFLAGS"))?;
    match said.lines().find(|line| line.contains("warning") || line.contains("WARNING")) {
        Some(line) => Err(format!("the {} module is built with a warning: {line}", arch.name())),
        None => Ok(folder.join("cpulens_noise.ko")),
    }
}

#[test]
fn the_module_is_built_for_aarch64() -> Result<(), String> {
    build(Arch::Aarch64).map(drop)
}

#[test]
fn the_module_is_loaded_measured_with_and_unloaded() -> Result<(), String> {
    let module = build(Arch::X86_64)?;
    let kmod = format!("--kmod=/lab/{}", module.file_name().unwrap_or_default().display());
    let args = ["noise", "line", &kmod, "--isolate", "--rounds", "1"];
    let args = [&args[..], &["--format", "json", "--force", "--record", RECORD]].concat();
    let killed = |left: &str, when: &str| Command {
        collect: vec![left.to_owned()],
        kill_when_filled: Some(when.to_owned()),
        ..command(&args)
    };
    let collect = [RECORD, MODULES, GROUPS, KERNEL_LOG].map(str::to_owned).to_vec();
    let whole = Command { collect, unchanged: true, ..command(&args) };
    let commands = vec![killed(MODULES, MODULES), killed(GROUPS, IN_PARTITION), whole];
    let boot = boot(&machine("kernel-module")?, commands, &[module])?;
    // The first two were killed: their supervisors have unloaded the module and removed the partition, as the third has after
    // its work.
    let ended: Vec<Ending> = boot.runs.iter().map(|run| run.ending).collect();
    assert_eq!(ended[..2], [Ending::Killed(9); 2], "{boot:?}");
    assert_eq!(boot.file(MODULES)?, "", "the module is still loaded");
    let groups = boot.file(GROUPS)?;
    assert!(groups.contains("nr_descendants 1\n"), "a partition is left: {groups}");
    let log = boot.file(KERNEL_LOG)?;
    assert!(log.contains("cpulens_noise"), "the kernel does not mention the module");
    assert_eq!(warnings(log), Vec::<&str>::new());
    // But for the record and its page; that a module was loaded the kernel knew already, which never forgets it.
    let changes = boot.runs[2].changes.iter().filter(|change| !change.contains(" /tmp/record."));
    assert_eq!(changes.collect::<Vec<_>>(), Vec::<&String>::new());
    let record = boot.file(RECORD)?.as_bytes();
    let record = record::from_slice(record).map_err(|e| e.to_string())?;
    complete(&record, "host", &["user on", "kernel on", "kernel off"], 4);
    Ok(())
}

/// With interrupts off jiffies stand still. The module ends its quanta all the same, and the program takes no time from it.
#[test]
fn a_clock_that_stands_still_is_noticed() -> Result<(), String> {
    let module = build(Arch::X86_64)?;
    let kmod = format!("--kmod=/lab/{}", module.file_name().unwrap_or_default().display());
    let args = ["noise", "line", &kmod, "--rounds", "1", "--format", "json", "--record", RECORD];
    let collect = [RECORD, MODULES, KERNEL_LOG].map(str::to_owned).to_vec();
    let whole = Command { collect, ..command(&args) };
    let boot = boot(&machine("kernel-module-jiffies")?, vec![whole], &[module])?;
    assert_eq!(boot.file(MODULES)?, "", "the module is still loaded");
    assert_eq!(warnings(boot.file(KERNEL_LOG)?), Vec::<&str>::new());
    let record = record::from_slice(boot.file(RECORD)?.as_bytes()).map_err(|e| e.to_string())?;
    let run = record.runs.iter().find(|run| run.case.probe == "undisturbed_speed");
    let run = run.expect("a run of the probe");
    let stands_still = |why: &record::Reason| why.why.contains("stands still");
    let noticed = match &run.outcome {
        Outcome::Measured(_) => run.unread.values().any(stands_still),
        Outcome::Skipped(why) | Outcome::Failed(why) | Outcome::NotReached(why) => {
            stands_still(why)
        }
    };
    assert!(noticed, "{:?} {:?}", run.outcome, run.unread);
    Ok(())
}

/// Settings, control groups, mounts, modules, files and processes are after each command what they were before.
#[test]
fn the_machine_is_as_it_was_after_every_command() -> Result<(), String> {
    let lines = [
        "run --time-budget 8 --record /dev/null",
        "db point-select --rows 1000 --points 1 --repeats 1 --windows 2 --seconds 0.05 --record /dev/null",
        "spread -- /bin/cpulens --version",
    ];
    let of =
        |line: &&str| Command { unchanged: true, ..command(&line.split(' ').collect::<Vec<_>>()) };
    let left = [("/tmp/left", "x"), ("/proc/sys/vm/swappiness", "7")]
        .map(|(file, text)| (file.into(), text.into()));
    let leaves = Command { before: left.to_vec(), ..of(&"capture -o /tmp/tree") };
    let commands = [leaves].into_iter().chain(lines.iter().map(of)).collect();
    let boot = boot(&machine("kernel-module")?, commands, &[])?;
    let [leaves, ran @ ..] = &boot.runs[..] else { panic!("{boot:?}") };
    for change in ["file /tmp/left ", "file /tmp/tree ", "setting /proc/sys/vm/swappiness "] {
        let change = format!("new: {change}");
        assert!(leaves.changes.iter().any(|c| c.starts_with(&change)), "{change}: {leaves:?}");
    }
    assert_eq!(ran.len(), lines.len(), "{:?}", boot.notes);
    for (line, ran) in lines.iter().zip(ran) {
        assert_eq!(ran.ending, Ending::Exited(0), "{line}: {}", ran.stderr);
        assert_eq!(ran.changes, Vec::<String>::new(), "{line}");
    }
    Ok(())
}

/// This machine as the host of an emulated guest, both in user mode; the guest's kernel is the lab's.
#[test]
fn a_guest_is_measured_beside_its_host() -> Result<(), String> {
    let file = cache().join("guest.json");
    let mut command = child(dist::shipped(Arch::X86_64));
    command.args(["noise", "line", "--rounds", "1", "--format", "json", "--guest", "--kernel"]);
    command.arg(setup::kernel(Arch::X86_64)?).args(["--force", "--record"]).arg(&file);
    let ran = command.output().map_err(|e| format!("cannot start cpulens: {e}"))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(matches!(ran.status.code(), Some(0)), "{}: {said}", ran.status);
    let bytes = fs::read(file).map_err(|e| e.to_string())?;
    let record = record::from_slice(&bytes).map_err(|e| e.to_string())?;
    complete(&record, "guest", &["user on"], 3);
    complete(&record, "host", &["user on"], 2);
    Ok(())
}

/// Every way of these modes was run in so many places at least, all by one machine code.
fn complete(record: &Record, system: &str, modes: &[&str], places: usize) {
    let run = record.runs.iter().find(|run| run.case.probe == "undisturbed_speed");
    let run = run.expect("a run of the probe");
    let Outcome::Measured(series) = &run.outcome else { panic!("{:?}", run.outcome) };
    for mode in modes {
        let at = |s: &Series, name: &str| s.at.get(name).and_then(Value::text).map(str::to_owned);
        let found = series.iter().filter(|s| {
            let words = [at(s, "mode"), at(s, "interrupts")].map(Option::unwrap_or_default);
            s.metric == "pass_time"
                && at(s, "system").as_deref() == Some(system)
                && words.join(" ") == *mode
        });
        let count = found.count();
        assert!(count >= places, "{system}, {mode}: {count} of {places}; {:?}", run.unread);
    }
    let codes: BTreeSet<&str> = series.iter().filter_map(|s| s.variant.as_deref()).collect();
    assert!(codes.len() == 1 && codes.iter().all(|c| c.starts_with("fnv1a:")), "{codes:?}");
}

/// Messages of warning level or graver since the module was first mentioned, but for those that are expected.
fn warnings(log: &str) -> Vec<&str> {
    let since = log.lines().skip_while(|line| !line.contains("cpulens_noise"));
    let grave = |line: &&str| {
        let priority = line.split([',', ';']).next().and_then(|n| n.parse::<u32>().ok());
        // The lowest three bits (syslog(3)); 4 is a warning. Continuation lines have no number.
        priority.is_some_and(|n| n & 7 <= 4)
    };
    let expected = |line: &&str| EXPECTED.iter().any(|words| line.contains(words));
    since.filter(grave).filter(|line| !expected(line)).collect()
}

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
