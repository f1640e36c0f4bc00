//! What must be true on every machine of the lab: that it is what its description says, that the program sees it
//! so, and how the program behaves there. Structure and counts only; an emulator's speed says nothing.
mod inventory;
mod noise;
mod place;
mod record;
mod scaling_run;
mod stat;
mod twin;

use super::{Boot, Command, Ending, MACHINES, Machine, Ran, boot, job::LOOK, qemu};
use crate::stopwatch::Stopwatch;
use serde_json::Value;
use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

/// What is found wrong, in words.
type Complaints = Vec<String>;

/// Where a record is saved on a machine that has room for one.
const RECORD: &str = "/tmp/record.json";

/// Small machines that are up at the same time: while one boots on one CPU, another measures.
const TOGETHER: usize = 2;

/// Boots every machine that does not take minutes.
pub(crate) fn suite() -> Result<(), String> {
    visit_all(MACHINES.iter().filter(|m| !m.slow))
}

/// The same for the machines named, slow ones too.
pub(crate) fn of(names: &[&str]) -> Result<(), String> {
    let chosen: Result<Vec<Machine>, String> =
        names.iter().map(|name| crate::lab::machine(name)).collect();
    visit_all(chosen?.iter())
}

fn visit_all<'a>(machines: impl Iterator<Item = &'a Machine>) -> Result<(), String> {
    let (large, small): (Vec<&Machine>, Vec<&Machine>) = machines.partition(|m| is_large(m));
    let wrong = Mutex::new(Complaints::new());
    let visit = |machine: &Machine| {
        let time = Stopwatch::start();
        // Emulated machines of many CPUs have stood still; one that does so twice does so because of what runs there.
        let came_back = boot(machine, commands(machine)).or_else(|why| {
            if !why.contains(qemu::NOT_DONE) {
                return Err(why);
            }
            println!("{}: {why}\n{0}: once more", machine.name);
            boot(machine, commands(machine))
        });
        let found = came_back.map_or_else(|e| vec![e], |boot| check(machine, &boot));
        let verdict = if found.is_empty() { "as described" } else { "WRONG" };
        println!("{}: {verdict} ({:.1} s)", machine.name, time.elapsed().as_secs_f64());
        let mut wrong = wrong.lock().unwrap_or_else(|e| e.into_inner());
        wrong.extend(found.iter().map(|what| format!("{}: {what}", machine.name)));
    };
    large.into_iter().for_each(visit);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(machine) = small.get(next.fetch_add(1, Relaxed)) {
            visit(machine);
        }
    };
    thread::scope(|scope| (0..TOGETHER).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().unwrap_or_else(|e| e.into_inner());
    if wrong.is_empty() { Ok(()) } else { Err(format!("\n  {}", wrong.join("\n  "))) }
}

/// What every machine runs: the inventory, the plan, the measurement; the inventory for nobody; and a counted command.
/// One climbs a scaling run. An imitation of a large machine is there for its inventory alone.
fn commands(machine: &Machine) -> Vec<Command> {
    let save: &[&str] = if saves(machine) { &["--record", RECORD] } else { &[] };
    let plan = [&["run", "--dry-run"], probes(machine)].concat();
    let measure = [&["run"], probes(machine), save].concat();
    let command = |words: &[&str]| Command {
        args: words.iter().chain(&["--format", "json"]).map(|&w| w.to_owned()).collect(),
        ..Command::default()
    };
    if machine.twin.is_some() {
        return vec![command(&["info"])];
    }
    let noise = noise::asked(machine).map(|words| Command {
        collect: if saves(machine) { vec![RECORD.to_owned()] } else { vec![] },
        ..command(&words)
    });
    if noise::alone(machine) {
        return [command(&["info"])].into_iter().chain(noise).collect();
    }
    let taken_away = machine.place.taken_away.map(|(cpu, after)| (cpu, after.to_owned()));
    let collect = save.iter().skip(1).map(|&file| file.to_owned()).collect();
    let mut all = vec![
        command(&["info"]),
        command(&plan),
        Command { collect, taken_away, ..command(&measure) },
        Command { unread: true, ..command(&["info"]) },
        Command { args: stat::COMMAND.map(str::to_owned).to_vec(), ..Command::default() },
    ];
    if scaling_run::climbs(machine) {
        all.push(Command {
            collect: vec![scaling_run::RECORD.to_owned()],
            ..command(scaling_run::SCALE)
        });
    }
    // The record of the measurement has been sent, and this one's is not asked for.
    all.extend(noise.map(|noise| Command { collect: vec![], ..noise }));
    all
}

/// Whether the record is asked for by name; elsewhere it is the point that it cannot be saved.
fn saves(machine: &Machine) -> bool {
    !machine.place.readonly && machine.place.disk.is_none()
}

/// What a machine measures: the multi-core paths everywhere, and memory where nodes or its lack are the point.
/// Budgets are small, since emulated loops cost more than their estimates, and so are the CPUs of a large
/// machine: those that share a core, a socket, and nothing. A line handed over between 16 emulated CPUs takes
/// minutes when the host has two.
fn probes(machine: &Machine) -> &'static [&'static str] {
    let hardware = &machine.hardware;
    if machine.place.taken_away.is_some() {
        // The third of these has just ended when the CPU goes.
        &["--only", "core_frequency,core_to_core,bandwidth", "--where", "kernel=read"]
    } else if hardware.cpus.len() >= 16 {
        // From three or four of its nodes to all of them.
        &["--only", "numa_matrix", "--cpus", "0,1,4,8", "--time-budget", "60"]
    } else if is_large(machine) {
        &[
            "--only",
            "core_to_core,bandwidth,numa_matrix",
            "--cpus",
            "0,1,4,8",
            "--time-budget",
            "25",
        ]
    } else if machine.place.memory.is_some() || hardware.memory.iter().sum::<u32>() < 256 {
        &["--only", "load_latency,bandwidth,loaded_latency", "--time-budget", "20"]
    } else if !hardware.cpus.is_empty() {
        &["--only", "core_frequency,bandwidth,numa_matrix", "--time-budget", "20"]
    } else {
        &["--only", "core_frequency,core_rate,core_to_core", "--time-budget", "8"]
    }
}

/// Whether it has more CPUs than any host that runs the tests can be expected to have.
fn is_large(machine: &Machine) -> bool {
    inventory::usable(machine).len() > 8
}

/// Everything that came back, against everything that is known of the machine.
fn check(machine: &Machine, boot: &Boot) -> Complaints {
    let mut wrong = is_as_described(machine, boot);
    if let (Some(_), [info]) = (machine.twin, &boot.runs[..]) {
        wrong.extend(ended_well("info", info, &[0]));
        match json("info", &info.stdout) {
            Ok(info) => {
                wrong.extend(inventory::check(machine, &info["machine"]));
                wrong.extend(twin::check(machine, &info["machine"]));
            }
            Err(error) => wrong.push(error),
        }
        return wrong;
    }
    if let (true, [info, asked]) = (noise::alone(machine), &boot.runs[..]) {
        wrong.extend(ended_well("info", info, &[0]));
        wrong.extend(json("info", &info.stdout).err());
        wrong.extend(of_noise(machine, asked, boot.files.get(RECORD)));
        return wrong;
    }
    let asked = if scaling_run::climbs(machine) { 6 } else { 5 };
    let asked = asked + usize::from(noise::asked(machine).is_some());
    let [info, plan, run, unread, counted, rest @ ..] = &boot.runs[..] else {
        wrong.push(format!("{} of {asked} commands were run", boot.runs.len()));
        return wrong;
    };
    wrong.extend(same("commands that were run", boot.runs.len(), asked));
    let (scales, noises) = rest.split_at(rest.len().min(usize::from(scaling_run::climbs(machine))));
    for noise in noises {
        wrong.extend(of_noise(machine, noise, None));
    }
    for scale in scales {
        wrong.extend(ended_well("scale", scale, &[0, 1, 3]));
        let saved = boot
            .files
            .get(scaling_run::RECORD)
            .ok_or_else(|| "no scaling run came back".to_owned());
        match saved.and_then(|bytes| json("the scaling run's record", bytes)) {
            Ok(record) => wrong.extend(scaling_run::check(&record)),
            Err(error) => wrong.push(error),
        }
    }
    for (what, ran, codes) in [
        ("info", info, &[0][..]),
        ("run --dry-run", plan, &[0, 1, 3]),
        ("run", run, &[0, 1, 3]),
        ("info into a closed pipe", unread, &[0]),
    ] {
        wrong.extend(ended_well(what, ran, codes));
    }
    wrong.extend(stat::check(machine, counted));
    if !unread.stderr.is_empty() {
        wrong.push(format!("info into a closed pipe complains: {}", said(unread)));
    }
    match (json("info", &info.stdout), json("the plan", &plan.stdout), json("run", &run.stdout)) {
        (Ok(info), Ok(plan), Ok(report)) => {
            wrong.extend(inventory::check(machine, &info["machine"]));
            wrong.extend(place::check(machine, &info["machine"], &report, &said(run)));
            if saves(machine) {
                let saved = boot.files.get(RECORD).ok_or_else(|| "no record came back".to_owned());
                match saved.and_then(|bytes| json("the record", bytes)) {
                    Ok(record) => {
                        wrong.extend(record::check(machine, &plan, &record));
                    }
                    Err(error) => wrong.push(error),
                }
            }
        }
        (info, plan, report) => {
            wrong.extend([info, plan, report].into_iter().filter_map(Result::err))
        }
    }
    wrong
}

/// How the question went who has the CPU.
fn of_noise(machine: &Machine, asked: &Ran, record: Option<&Vec<u8>>) -> Complaints {
    let mut wrong = ended_well("noise", asked, &[0, 1, 3]);
    let record = record.map(|bytes| json("the record of noise", bytes)).transpose();
    match (json("noise", &asked.stdout), record) {
        (Ok(report), Ok(record)) => wrong.extend(noise::check(machine, &report, record.as_ref())),
        (report, record) => wrong.extend([report.err(), record.err()].into_iter().flatten()),
    }
    wrong
}

/// The machine itself, before anything is said of the program.
fn is_as_described(machine: &Machine, boot: &Boot) -> Complaints {
    let look = boot.files.get(LOOK).map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
    let missing = machine.proof.iter().filter(|line| !look.lines().any(|l| l == **line));
    let unproved = missing.map(|line| format!("`{line}` is not what its kernel says:\n{look}"));
    let notes = boot.notes.iter().map(|note| format!("the init could not prepare it: {note}"));
    notes.chain(unproved).collect()
}

/// Nothing that a user would take for a crash.
fn ended_well(what: &str, ran: &Ran, codes: &[i32]) -> Complaints {
    let mut wrong = Complaints::new();
    if !matches!(ran.ending, Ending::Exited(code) if codes.contains(&code)) {
        wrong.push(format!("{what}: ended with {:?}\n{}", ran.ending, said(ran)));
    }
    for text in [String::from_utf8_lossy(&ran.stdout), said(ran).into()] {
        for trace in ["panicked", "RUST_BACKTRACE", "stack backtrace", "a defect of cpulens"] {
            if let Some(line) = text.lines().find(|line| line.contains(trace)) {
                wrong.push(format!("{what}: {line}"));
            }
        }
    }
    wrong
}

fn said(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.stderr).trim_end().to_owned()
}

fn json(what: &str, bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes)
        .map_err(|e| format!("{what}: no JSON, {e} in {} bytes", bytes.len()))
}

/// The members of a list; none where there is no list.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text that says something, or nothing.
fn words(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

/// Complains unless the two are equal.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, described: T) -> Option<String> {
    (found != described).then(|| format!("{what}: {found:?} instead of {described:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::machine;

    fn came_back(look: &str, notes: &[&str]) -> Boot {
        Boot {
            files: [(LOOK.to_owned(), look.as_bytes().to_vec())].into(),
            notes: notes.iter().map(|&n| n.to_owned()).collect(),
            ..Boot::default()
        }
    }

    #[test]
    fn a_machine_that_is_another_is_not_believed() {
        let machine = machine("offline-cpus").unwrap();
        assert!(is_as_described(&machine, &came_back("cpus 0,3\nnodes 0\n", &[])).is_empty());
        assert_eq!(is_as_described(&machine, &came_back("cpus 0-3\n", &[])).len(), 1);
        assert_eq!(is_as_described(&machine, &came_back("cpus 0,3\n", &["cannot"])).len(), 1);
    }

    #[test]
    fn crashes_are_quoted() {
        let ran = |ending, stderr: &str| Ran {
            stdout: Vec::new(),
            stderr: stderr.as_bytes().to_vec(),
            ending,
        };
        let good = [0, 1];
        assert!(ended_well("run", &ran(Ending::Exited(1), "done"), &good).is_empty());
        assert!(ended_well("run", &ran(Ending::Exited(2), "no CPU"), &good)[0].contains("no CPU"));
        assert_eq!(ended_well("run", &ran(Ending::Killed(9), ""), &good).len(), 1);
        let panic = "thread 'main' panicked at src/main.rs:1:1:";
        assert_eq!(ended_well("run", &ran(Ending::Exited(0), panic), &good).len(), 1);
    }
}
