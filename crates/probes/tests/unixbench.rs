//! UnixBench's tests on this machine, each for a moment: what they leave in the record and behind; and the results that
//! Dhrystone and Whetstone must have wherever they run.
#![allow(clippy::unwrap_used, reason = "tests may")]
use host::clock::Monotonic;
use kernels::programs::{COMPUTE, Program, SYSTEM};
use measure::{
    plan::{Selection, plan},
    probe::{Depth, Setting},
    run::{End, Observer, RunContext, execute},
    time_left::TimeLeft,
};
use probes::probes::ALL;
use record::{Case, Machine, Outcome, Provenance, Record, Run, SCHEMA, Series, param};
use std::{
    collections::BTreeMap, fs, os::unix::fs::PermissionsExt, process::Command,
    sync::atomic::AtomicBool,
};
use workloads::unixbench::{Copies, Options, Placement, Start, Switch, TESTS, Variant};

fn machine() -> Machine {
    let mut machine = Machine::default();
    for id in host::cpus::affinity().unwrap().iter() {
        let siblings = [id].into_iter().collect();
        let (online, allowed) = (true, true);
        let cpu = record::Cpu { id, online, allowed, siblings, ..record::Cpu::default() };
        machine.topology.cpus.push(cpu);
    }
    machine
}

struct Silent;
impl Observer for Silent {
    fn begins(&mut self, _: usize, _: &Record, _: TimeLeft) {}
    fn progress(&mut self, _: f64) {}
    fn ended(&mut self, _: usize, _: &Record) {}
}

static RUNS_ON: AtomicBool = AtomicBool::new(false);

fn planned(tests: &[&str], options: Options, machine: &Machine) -> Vec<Run> {
    let mut setting = Setting::new(machine, machine.topology.usable(), Depth::Quick);
    setting.probe_options.set(options);
    let only = tests.iter().map(|t| (*t).to_owned()).collect();
    let skip = vec!["preflight".into(), "instrument".into()];
    plan(ALL, &setting, &Selection { only, skip }).unwrap()
}

fn measured(tests: &[&str], options: Options) -> Vec<Run> {
    let machine = machine();
    let runs = planned(tests, options, &machine);
    let (schema, provenance) = (SCHEMA, Provenance::default());
    let mut record =
        Record { schema, provenance, machine, judgement: None, runs, reference_samples: vec![] };
    let clock = Monotonic::new();
    let conduct = RunContext {
        probes: ALL,
        clock: &clock,
        cancel: &RUNS_ON,
        depth: Depth::Quick,
        budget: None,
        patience: 0.0,
        own_process: &[],
    };
    assert_eq!(execute(&mut record, &conduct, &mut Silent), End::Complete);
    record.runs
}

fn series<'a>(run: &'a Run, metric: &str) -> Option<&'a Series> {
    match &run.outcome {
        Outcome::Measured(all) => all.iter().find(|s| s.metric == metric),
        other => panic!("{}: {other:?}", run.case.label()),
    }
}

fn short(folder: &tempfile::TempDir) -> Options {
    Options {
        copies: vec![Copies::Number(2)],
        passes: Some(2),
        seconds: Some(0.1),
        scratch: Some(folder.path().display().to_string()),
        ..Options::default()
    }
}

#[test]
fn every_test_counts_something_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    for variant in Variant::ALL {
        let all = TESTS.map(|(test, _)| test.as_str());
        let tests: &[&str] =
            if variant == Variant::Upstream6 { &all } else { &["fsbuffer", "syscall", "shell1"] };
        let of = |shell: bool| -> Vec<&str> {
            tests.iter().filter(|t| t.starts_with("shell") == shell).copied().collect()
        };
        let options = Options { variant, ..short(&folder) };
        // A run of eight scripts takes a moment.
        let long = Options { seconds: Some(2.0), ..options.clone() };
        let mut counted: BTreeMap<&str, f64> = tests.iter().map(|test| (*test, 0.0)).collect();
        for run in [measured(&of(false), options), measured(&of(true), long)].concat() {
            let label = run.case.label();
            let rate = series(&run, "rate").unwrap();
            let test = record::unixbench::of_probe(run.case.probe).unwrap();
            // Two passes are two turns of one.
            assert_eq!((rate.samples.len(), rate.unit), (1, test.unit), "{label}");
            assert_eq!(param::TEST.of(&rate.at), Some(test.name));
            *counted.get_mut(test.id.as_str()).unwrap() += rate.samples[0];
            assert_eq!(series(&run, "copy_rate").unwrap().samples.len(), 2, "{label}");
            assert_eq!(series(&run, "time").unwrap().samples.len(), 1, "{label}");
            let (count, copies) =
                (series(&run, "count").unwrap(), series(&run, "copy_rate").unwrap());
            if test.timebase == 0.0 {
                // Rates are added up; the copies of the first pass come first.
                let sum = copies.samples[..2].iter().sum::<f64>() / test.factor;
                assert!((sum / count.samples[0] - 1.0).abs() < 1e-9, "{label}");
            }
        }
        assert!(counted.values().all(|rate| *rate > 0.0), "{counted:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{variant:?}");
    }
    // This thread has started them all, and has none left; a kernel without CONFIG_PROC_CHILDREN does not say.
    let left = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    assert_eq!(left, "");
}

/// A disturbance of seconds costs each test a pass, and not one test all.
#[test]
fn tests_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { passes: Some(4), repeats: 2, ..short(&folder) };
    let machine = machine();
    let one = |options: Options| Options { copies: vec![Copies::Number(1)], ..options };
    let turns = |options: Options| -> Vec<(&str, Option<u64>, Option<String>)> {
        let runs = planned(&["pipe", "dhry2reg"], one(options), &machine);
        let turn = |case: &Case| case.get(param::TURN).map(str::to_owned);
        runs.iter()
            .map(|r| (r.case.probe.as_str(), r.case.get(param::REPEAT), turn(&r.case)))
            .collect()
    };
    let mut expected = vec![];
    for repeat in [1, 2] {
        for turn in ["1/3", "2/3", "3/3"] {
            for probe in ["dhry2reg", "pipe"] {
                expected.push((probe, Some(repeat), Some(turn.to_owned())));
            }
        }
    }
    assert_eq!(turns(options.clone()), expected);
    // The original's way has each test's passes one after the other.
    let exact = turns(Options { exact: true, repeats: 1, ..options });
    assert_eq!(exact, ["dhry2reg", "pipe"].map(|p| (p, None, None)));
}

#[test]
fn placements_starts_and_switches_are_measured_in_turn() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        placements: vec![Placement::OneToOne, Placement::Range],
        start: Start::Barrier,
        repeats: 2,
        passes: Some(1),
        ..short(&folder)
    };
    let runs = measured(&["pipe"], options);
    let placed: Vec<&str> = runs.iter().map(|r| r.case.get(param::PLACEMENT).unwrap()).collect();
    assert_eq!(placed, ["one-to-one", "range", "range", "one-to-one"]);
    assert!(runs.iter().all(|r| series(r, "rate").is_some()));

    let switches = vec![Switch::Same, Switch::Nodes];
    let options =
        Options { switches, copies: vec![Copies::Number(1)], passes: Some(1), ..short(&folder) };
    let runs = measured(&["context1"], options);
    let [free, same, nodes] = &runs[..] else { panic!("{runs:?}") };
    assert!(series(free, "rate").is_some() && series(same, "rate").is_some());
    // Nothing counts events beside switches.
    assert!(free.unread.contains_key("migrations") && free.unread.contains_key("counters"));
    assert!(!free.readings.iter().any(|r| r.name.starts_with("migrations")));
    assert_eq!(same.case.get(param::PARENT), same.case.get(param::CHILD));
    assert!(matches!(&nodes.outcome, Outcome::Skipped(why) if why.why.contains("two nodes")));
}

/// Far more copies than CPUs: files, pipes and processes all have their limits.
#[test]
fn a_hundred_copies_of_a_test_are_all_counted() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { copies: vec![Copies::Number(100)], passes: Some(1), ..short(&folder) };
    let runs = measured(&["spawn"], options);
    assert_eq!(series(&runs[0], "copy_rate").unwrap().samples.len(), 100);
}

/// The program's output for the arguments of a check.
fn printed(program: Program, words: &[&str]) -> Vec<String> {
    // Another test's process group would end or reap what is started here.
    let _alone = host::child::ProcessGroup::new().unwrap();
    let mut all = vec![];
    let folder = tempfile::tempdir().unwrap();
    for (form, bytes) in [("dynamic", program.dynamic), ("static", &program.fixed())] {
        let file = folder.path().join(form);
        fs::write(&file, bytes).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o700)).unwrap();
        // Other tests fork while the file is written (ETXTBSY).
        let output = (0..50).find_map(|_| match Command::new(&file).args(words).output() {
            Ok(output) => Some(output),
            Err(error) => {
                assert_eq!(error.kind(), std::io::ErrorKind::ExecutableFileBusy, "{form}: {error}");
                std::thread::sleep(std::time::Duration::from_millis(20));
                None
            }
        });
        let output = output.unwrap();
        assert!(output.status.success(), "{form}: {output:?}");
        all.push(String::from_utf8(output.stdout).unwrap());
    }
    all
}

/// Two halves of which this process may use none, as in a cpuset: the version that has halves goes on where it is.
#[test]
fn processes_that_may_not_be_where_they_should_stay_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    // No kernel has a CPU 8191 (NR_CPUS).
    printed(SYSTEM, &["context", results.to_str().unwrap(), "0.05", "8191", "8191"]);
    let said = fs::read_to_string(&results).unwrap();
    assert_eq!(said.lines().filter(|l| l.starts_with("result ")).count(), 2, "{said}");
}

/// Weicker's values after any number of loops; the element of the table counts them, from 10 on.
#[test]
fn dhrystone_ends_with_the_published_values() {
    for text in printed(COMPUTE, &["dhrystone-check", "-", "1000"]) {
        assert_eq!(text, "5 1 A B 7 1010 17 2 18 1 5 13 7 1 DHRYSTONE PROGRAM, 2'ND STRING\n");
    }
}

/// The results of the original's eight loops, run once; the last digits depend on the order of additions.
#[test]
fn whetstone_ends_with_the_results_of_the_original() {
    let known = [
        -1.123_982_556_673_917,
        -1.121_870_798_892_873,
        1.0,
        12.0,
        0.499_029_372_815_182_6,
        0.999_999_878_907_674,
        3.0,
        0.751_001_630_184_541_9,
    ];
    for text in printed(COMPUTE, &["whetstone-check", "-"]) {
        let found: Vec<f64> = text.lines().map(|l| l.parse().unwrap()).collect();
        assert_eq!(found.len(), known.len());
        for (found, known) in found.iter().zip(known) {
            assert!((found / known - 1.0).abs() < 1e-11, "{found} against {known}");
        }
    }
}
