//! What must be true on every machine of the lab: that it is what its description says, that the program sees it so, and how
//! the program behaves there. Structure and counts only; an emulator's speed says nothing. One test for each machine; slow
//! ones are ignored unless they are asked for.
#![allow(clippy::unwrap_used, reason = "tests, without the harness by which clippy knows them")]

mod checked;
mod devices;
mod inventory;
mod like;
mod noise;
mod place;
mod record;
mod scaling_run;
mod stat;

use ::record::{Case, Machine as Found, Outcome};
use lab::{Boot, Command, Ending, Machine, NOT_DONE, Ran, boot, command, machines};
use lab_init::FACTS;
use libtest_mimic::{Arguments, Trial};
use serde::Deserialize;
use serde_json::Value;
use std::sync::{PoisonError, RwLock};

/// Differences from the expected state, as sentences.
type Complaints = Vec<String>;

/// The path of the record on a machine that has room for one.
const RECORD: &str = "/tmp/record.json";

/// Machines are up at the same time, two by two: while one boots on one CPU, another measures. One whose many CPUs have threads of
/// their own is alone.
static ALONE: RwLock<()> = RwLock::new(());

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = arguments.test_threads.or(Some(2));
    // None of those is a machine.
    let checks = [
        ("a_machine_that_differs_is_not_believed", facts_are_compared as fn()),
        ("crashes_are_quoted", crashes_are_quoted),
        ("like::numbers_are_qemus_and_the_rest_is_equal", like::numbers_are_qemus),
        ("like::whatever_is_hidden_is_there", like::whatever_is_hidden_is_there),
    ];
    let checks = checks.map(|(name, check)| {
        Trial::test(name, move || {
            check();
            Ok(())
        })
    });
    let machines = machines().expect("a table of machines");
    let machines = machines.into_iter().filter(|m| !m.named).map(|machine| {
        let slow = machine.slow;
        Trial::test(machine.name.clone(), move || visit(&machine)).with_ignored_flag(slow)
    });
    libtest_mimic::run(&arguments, checks.into_iter().chain(machines).collect()).exit();
}

fn visit(machine: &Machine) -> Result<(), libtest_mimic::Failed> {
    let alone = machine.is_large() && !machine.is_on_one_thread();
    let _alone = alone.then(|| ALONE.write().unwrap_or_else(PoisonError::into_inner));
    let _beside = (!alone).then(|| ALONE.read().unwrap_or_else(PoisonError::into_inner));
    // Emulated machines of many CPUs have stood still; one that does so twice does so because of what runs there.
    let mut booted = boot(machine, commands(machine), &[]);
    if stood_still(&booted) {
        booted = boot(machine, commands(machine), &[]);
    }
    let boot = booted?;
    let wrong = check(machine, &boot);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Whether the machine, or the init there, gave up waiting.
fn stood_still(booted: &Result<Boot, String>) -> bool {
    match booted {
        Ok(boot) => boot.runs.iter().any(|ran| ran.ending == Ending::TimedOut),
        Err(why) => why.contains(NOT_DONE),
    }
}

/// The commands of every machine: inventory, plan, measurement, inventory into a closed pipe, and a counted command.
/// One does a scaling run. An imitation of a large machine is there for its inventory alone, and one with devices for placement.
fn commands(machine: &Machine) -> Vec<Command> {
    let save: &[&str] = if saves(machine) { &["--force", "--record", RECORD] } else { &[] };
    let plan = [&["run", "--dry-run"], probes(machine)].concat();
    let measure = [&["run", "--verbose"], probes(machine), save].concat();
    let command = |words: &[&str]| command(&[words, &["--format", "json"]].concat());
    if machine.like.is_some() {
        return vec![command(&["info"])];
    }
    if !machine.devices.is_empty() {
        let near = machine.devices.iter().map(|d| command(&["place", "--near", devices::name(d)]));
        return [command(&["info"])].into_iter().chain(near).collect();
    }
    if checked::is_planted(machine) {
        return vec![command(&["info"]), lab::command(&checked::COMMAND)];
    }
    let collect = || if saves(machine) { vec![RECORD.to_owned()] } else { vec![] };
    if is_scarce(machine) {
        return vec![Command { collect: collect(), ..command(&measure) }];
    }
    let noise = noise::arguments(machine);
    let noise = noise.map(|words| Command { collect: collect(), ..command(&words) });
    if noise::alone(machine) {
        return [command(&["info"])].into_iter().chain(noise).collect();
    }
    let mut all = vec![
        command(&["info"]),
        command(&plan),
        Command { collect: collect(), unplug: machine.unplug.clone(), ..command(&measure) },
        Command { closed_output: true, ..command(&["info"]) },
        lab::command(&stat::COMMAND),
    ];
    if scaling_run::runs_on(machine) {
        all.push(Command {
            collect: vec![scaling_run::RECORD.to_owned()],
            ..command(scaling_run::SCALE)
        });
    }
    // The record of the measurement has been sent, and this one's is not asked for.
    all.extend(noise.map(|noise| Command { collect: vec![], ..noise }));
    all
}

/// Whether there is so little of a CPU that every command takes a minute.
fn is_scarce(machine: &Machine) -> bool {
    machine.place.quota.as_deref() == Some("10000 100000")
}

/// Whether the record is asked for by name; elsewhere it is the point that it cannot be saved.
fn saves(machine: &Machine) -> bool {
    !machine.place.readonly && machine.place.disk.is_none()
}

/// The probes of a machine: multi-core ones everywhere, memory where nodes or little memory are tested.
/// Budgets are small, since emulated loops cost more than their estimates, and so are the CPUs of a large
/// machine: those that share a core, a socket, and nothing. A line handed over between 16 emulated CPUs takes
/// minutes when the host has two.
fn probes(machine: &Machine) -> &'static [&'static str] {
    if machine.unplug.is_some() {
        // The CPU goes once the second case, which has one visit, has ended: the first visits of these follow.
        &["--only", "core_frequency,core_to_core,bandwidth", "--where", "kernel=read"]
    } else if machine.cpus.len() >= 16 {
        // From three or four of its nodes to all of them.
        &["--only", "numa_matrix", "--cpus", "0,1,4,8", "--time-budget", "60"]
    } else if machine.is_large() {
        const PROBES: &str = "core_to_core,bandwidth,numa_matrix";
        &["--only", PROBES, "--cpus", "0,1,4,8", "--time-budget", "25"]
    } else if is_scarce(machine) {
        &["--time-budget", "20"]
    } else if machine.place.memory.is_some() || machine.memory.iter().sum::<u32>() < 256 {
        &["--only", "load_latency,bandwidth,loaded_latency", "--time-budget", "10"]
    } else if !machine.cpus.is_empty() {
        &["--only", "core_frequency,bandwidth,numa_matrix", "--time-budget", "20"]
    } else {
        &["--only", "core_frequency,core_rate,core_to_core", "--time-budget", "8"]
    }
}

/// `info` as JSON.
#[derive(Deserialize)]
struct Info {
    machine: Found,
}

/// `run --dry-run` as JSON.
#[derive(Deserialize)]
struct DryRun {
    plan: Plan,
}

#[derive(Deserialize)]
struct Plan {
    cases: Vec<Planned>,
}

#[derive(Deserialize)]
struct Planned {
    case: Case,
}

/// Everything that came back, against everything that is known of the machine.
fn check(machine: &Machine, boot: &Boot) -> Complaints {
    let mut wrong = is_as_described(machine, boot);
    let checked = match &boot.runs[..] {
        [info] if machine.like.is_some() => inventory_alone(machine, info),
        [info, places @ ..] if !machine.devices.is_empty() => inventory_alone(machine, info)
            .and_then(|complaints| {
                wrong.extend(complaints);
                devices::check(machine, info, places)
            }),
        [info, check] if checked::is_planted(machine) => {
            inventory_alone(machine, info).and_then(|complaints| {
                wrong.extend(complaints);
                checked::check(check)
            })
        }
        [run] if is_scarce(machine) => scarce(machine, boot, run),
        [info, noise] if noise::alone(machine) => {
            wrong.extend(ended_well("info", info, &[0]));
            let record = boot.file(RECORD);
            record.and_then(|record| noise::check(machine, noise, Some(record)))
        }
        [info, plan, run, closed, counted, rest @ ..] => {
            wrong.extend(ended_well("info into a closed pipe", closed, &[0]));
            wrong.extend(same("complaints into a closed pipe", closed.stderr.trim(), ""));
            wrong.extend(stat::check(machine, counted));
            everything(machine, boot, [info, plan, run], rest)
        }
        runs => Err(format!("{} commands were run", runs.len())),
    };
    wrong.extend(checked.unwrap_or_else(|error| vec![error]));
    wrong
}

fn inventory_alone(machine: &Machine, info: &Ran) -> Result<Complaints, String> {
    let mut wrong = ended_well("info", info, &[0]);
    let found = json::<Info>("info", &info.stdout)?.machine;
    wrong.extend(inventory::check(machine, &found));
    wrong.extend(like::check(machine, &found.topology));
    Ok(wrong)
}

/// A run of everything ends in time, and what was not measured has a reason.
fn scarce(machine: &Machine, boot: &Boot, run: &Ran) -> Result<Complaints, String> {
    let mut wrong = ended_well("run", run, &[0]);
    let (report, record) = (json::<Value>("run", &run.stdout)?, record(boot, RECORD)?);
    wrong.extend(place::check(machine, &record.machine, &report, &run.stderr));
    for run in &record.runs {
        match &run.outcome {
            Outcome::Measured(_) => {}
            Outcome::Failed(why) | Outcome::Skipped(why) | Outcome::NotReached(why) => {
                if why.why.is_empty() || why.why.contains("defect") {
                    wrong.push(format!("{}: {why}", run.case.label()));
                }
            }
        }
    }
    Ok(wrong)
}

fn everything(
    machine: &Machine,
    boot: &Boot,
    [info, plan, run]: [&Ran; 3],
    rest: &[Ran],
) -> Result<Complaints, String> {
    let mut wrong = ended_well("info", info, &[0]);
    wrong.extend(ended_well("run --dry-run", plan, &[0]));
    wrong.extend(ended_well("run", run, saved_codes(machine)));
    let (scales, noises) =
        rest.split_at(rest.len().min(usize::from(scaling_run::runs_on(machine))));
    let asked = usize::from(noise::arguments(machine).is_some());
    wrong.extend(same("commands about noise", noises.len(), asked));
    for noise in noises {
        wrong.extend(noise::check(machine, noise, None)?);
    }
    for scale in scales {
        wrong.extend(ended_well("scale", scale, &[0]));
        wrong.extend(scaling_run::check(&record(boot, scaling_run::RECORD)?));
    }
    let found = json::<Info>("info", &info.stdout)?.machine;
    let report: Value = json("run", &run.stdout)?;
    wrong.extend(inventory::check(machine, &found));
    wrong.extend(place::check(machine, &found, &report, &run.stderr));
    if saves(machine) {
        let planned = json::<DryRun>("the plan", &plan.stdout)?.plan.cases;
        let planned: Vec<Case> = planned.into_iter().map(|planned| planned.case).collect();
        wrong.extend(record::check(machine, &planned, &record(boot, RECORD)?));
    }
    Ok(wrong)
}

/// The machine itself, before anything is said of the program.
fn is_as_described(machine: &Machine, boot: &Boot) -> Complaints {
    let facts = boot.files.get(FACTS).map_or("", String::as_str);
    let missing = machine.facts.iter().filter(|line| !facts.lines().any(|l| l == **line));
    let unproved = missing.map(|line| format!("`{line}` is not what its kernel says:\n{facts}"));
    let notes = boot.notes.iter().map(|note| format!("the init could not prepare it: {note}"));
    notes.chain(unproved).collect()
}

/// Nothing that a user would take for a crash.
/// Permitted exit codes of a run: a full disk and a read-only system have their own.
fn saved_codes(machine: &Machine) -> &'static [i32] {
    if machine.place.readonly || machine.place.disk.is_some() { &[0, 4] } else { &[0] }
}

fn ended_well(what: &str, ran: &Ran, codes: &[i32]) -> Complaints {
    let mut wrong = Complaints::new();
    if !matches!(ran.ending, Ending::Exited(code) if codes.contains(&code)) {
        wrong.push(format!("{what}: ended with {:?}\n{}", ran.ending, ran.stderr));
    }
    for text in [&ran.stdout, &ran.stderr] {
        for trace in ["panicked", "RUST_BACKTRACE", "stack backtrace", "a defect of cpulens"] {
            if let Some(line) = text.lines().find(|line| line.contains(trace)) {
                wrong.push(format!("{what}: {line}"));
            }
        }
    }
    wrong
}

fn json<'a, T: Deserialize<'a>>(what: &str, text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|e| format!("{what}: {e} in {} bytes", text.len()))
}

/// A record that came back.
fn record(boot: &Boot, name: &str) -> Result<::record::Record, String> {
    ::record::from_slice(boot.file(name)?.as_bytes()).map_err(|e| format!("{name}: {e}"))
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

fn facts_are_compared() {
    let machine = lab::machine("offline-cpus").unwrap();
    let boot = |facts: &str, notes: &[&str]| Boot {
        files: [(FACTS.to_owned(), facts.to_owned())].into(),
        notes: notes.iter().map(|&n| n.to_owned()).collect(),
        ..Boot::default()
    };
    assert!(is_as_described(&machine, &boot("cpus 0,3\nnodes 0\n", &[])).is_empty());
    assert_eq!(is_as_described(&machine, &boot("cpus 0-3\n", &[])).len(), 1);
    assert_eq!(is_as_described(&machine, &boot("cpus 0,3\n", &["cannot"])).len(), 1);
}

fn crashes_are_quoted() {
    let ran = |ending, stderr: &str| Ran {
        stdout: String::new(),
        stderr: stderr.into(),
        changes: vec![],
        ending,
    };
    let good = [0, 1];
    assert!(ended_well("run", &ran(Ending::Exited(1), "done"), &good).is_empty());
    assert!(ended_well("run", &ran(Ending::Exited(2), "no CPU"), &good)[0].contains("no CPU"));
    assert_eq!(ended_well("run", &ran(Ending::Killed(9), ""), &good).len(), 1);
    let panic = "thread 'main' panicked at src/main.rs:1:1:";
    assert_eq!(ended_well("run", &ran(Ending::Exited(0), panic), &good).len(), 1);
}
