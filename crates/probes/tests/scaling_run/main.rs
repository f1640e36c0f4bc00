//! The scaling run's steps on every recorded machine, its cases, and a short one on this machine: structure, never speed.
#![allow(clippy::unwrap_used, reason = "tests may")]
mod step_lists;

use host::clock::Monotonic;
use kernels::{Arena, Features};
use measure::{
    plan::{Selection, plan},
    probe::{Depth, Setting},
    rate::Rate,
    run::{End, Observer, RunContext, execute},
    scalable_work::{self, CopyResources, Work},
    scaling_run::{Memory, Policy, ScalingRun, Step, Workload, steps},
    time_left::TimeLeft,
};
use probes::probes::ALL;
use record::{CpuSet, Machine, Outcome, ProbeId, Provenance, Record, Run, Unit, param};
use std::{collections::BTreeMap, collections::BTreeSet, fs, path::Path, sync::atomic::AtomicBool};

fn machines() -> Vec<(String, Machine)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|x| x == "json"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, serde_json::from_slice(&fs::read(&path).unwrap()).unwrap())
        })
        .collect()
}

fn named(name: &str) -> Machine {
    machines().into_iter().find(|(n, _)| n == name).unwrap().1
}

fn scaling_run(workload: Workload) -> ScalingRun {
    ScalingRun {
        workload,
        policies: Policy::ALL.into(),
        memory: vec![Memory::Local],
        repeats: 3,
        seconds: 0.02,
        copies: None,
        timeout: Some(20.0),
        rate: Rate::Runs,
        server: None,
        end_children: false,
    }
}

fn of_probe(id: &str) -> ScalingRun {
    scaling_run(Workload::Probe(id.into()))
}

fn command(words: &[&str]) -> ScalingRun {
    scaling_run(Workload::Command(words.iter().map(|w| (*w).to_owned()).collect()))
}

/// The scaling run's runs alone.
fn planned(machine: &Machine, scaling_run: ScalingRun, only_with: &[(&str, &str)]) -> Vec<Run> {
    let mut setting = Setting::new(machine, machine.topology.usable(), Depth::Quick);
    setting.probe_options.set(scaling_run);
    setting.options.only_with =
        only_with.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let skip = ["preflight", "instrument"].map(str::to_owned).to_vec();
    plan(ALL, &setting, &Selection { only: vec!["scaling_run".into()], skip }).unwrap()
}

#[test]
fn every_step_is_planned_with_every_policy_in_turn_on_its_own_cpus() {
    for (name, machine) in machines() {
        let usable = machine.topology.usable();
        let steps = steps(&machine, &usable);
        let runs = planned(&machine, of_probe("bandwidth"), &[]);
        if usable.is_empty() {
            continue;
        }
        assert_eq!(runs.len(), steps.len() * 3 * 3, "{name}");
        let labels: BTreeSet<String> = runs.iter().map(|r| r.case.label()).collect();
        assert_eq!(labels.len(), runs.len(), "{name}");
        // Down after up: the order of a round is that of the one before, turned round.
        let of = |round: usize| -> Vec<(String, String)> {
            let here = &runs[round * steps.len() * 3..][..steps.len() * 3];
            let text = |r: &Run, of: param::Parameter<str>| r.case.get(of).unwrap().to_owned();
            here.iter().map(|r| (text(r, param::STEP), text(r, param::POLICY))).collect()
        };
        let mut down = of(1);
        down.reverse();
        assert_eq!((of(0), of(0)), (down, of(2)), "{name}");
        for run in &runs {
            let step = steps.iter().find(|s| Some(s.name.as_str()) == run.case.get(param::STEP));
            let step = step.unwrap();
            let unpinned = run.case.get(param::POLICY) == Some("unpinned");
            assert_eq!(
                run.case.place.cpus,
                if unpinned { usable.clone() } else { step.cpus.clone() }
            );
            assert_eq!(run.case.get(param::COPIES), Some(step.cpus.len() as u64), "{name}");
            assert_eq!(run.case.get(param::CORES), Some(step.cores as u64), "{name}");
            assert_eq!(run.case.get(param::KERNEL), Some("read"), "{name}");
        }
    }
}

#[test]
fn other_work_is_chosen_by_its_parameter() {
    let machine = named("kunpeng-920");
    let runs =
        planned(&machine, of_probe("bandwidth"), &[("kernel", "triad"), ("policy", "range")]);
    assert!(!runs.is_empty());
    assert!(runs.iter().all(|r| r.case.get(param::KERNEL) == Some("triad")));
    assert!(runs.iter().all(|r| r.case.get(param::POLICY) == Some("range")));
}

#[test]
fn memory_is_interleaved_over_the_nodes_of_the_cpus_where_there_are_several() {
    let both = |workload| ScalingRun {
        memory: vec![Memory::Local, Memory::Interleave],
        ..of_probe(workload)
    };
    let runs = planned(&named("memory-only-node"), both("load_latency"), &[]);
    let nodes: BTreeSet<Option<&str>> = runs.iter().map(|r| r.case.get(param::NODES)).collect();
    assert_eq!(nodes, [None, Some("0,1")].into());
    let runs = planned(&named("intel-8163"), both("load_latency"), &[]);
    let [Run { outcome: Outcome::Skipped(why), .. }] = &runs[..] else { panic!("{runs:?}") };
    assert!(why.remedy.as_deref() == Some("--memory local"), "{why}");
}

#[test]
fn memory_is_bound_to_a_node_that_has_some_whoever_runs() {
    let bound = |node| ScalingRun {
        memory: vec![Memory::Local, Memory::Bind(node)],
        ..of_probe("bandwidth")
    };
    let machine = named("memory-only-node");
    // It has memory and no CPU; node 5 has neither.
    let far = 2;
    let runs = planned(&machine, bound(far), &[]);
    let (word, text) = (Memory::Bind(far).name(), far.to_string());
    for run in &runs {
        let bound = run.case.get(param::MEMORY) == Some(&*word);
        assert_eq!(run.case.get(param::NODES), bound.then_some(&*text));
        assert_eq!(run.case.place.node, bound.then_some(far));
    }
    let on = |node: &str| runs.iter().filter(|r| r.case.get(param::MEMORY) == Some(node)).count();
    assert!(on("local") > 0 && on("local") == on(&word), "{}", runs.len());
    for (node, words) in [(3, "there is no node 3"), (5, "node 5 has no memory")] {
        let runs = planned(&machine, bound(node), &[]);
        let [Run { outcome: Outcome::Skipped(why), .. }] = &runs[..] else { panic!("{runs:?}") };
        assert!(why.why.contains(words) && why.remedy.is_some(), "{why}");
    }
}

#[test]
fn what_cannot_be_scaled_says_what_can() {
    let machine = named("intel-8163");
    let runs = planned(&machine, of_probe("core_to_core"), &[]);
    let [Run { outcome: Outcome::Skipped(why), .. }] = &runs[..] else { panic!("{runs:?}") };
    assert!(why.to_string().contains("core_rate"), "{why}");
    // No scaling run unasked.
    let setting = Setting::new(&machine, machine.topology.usable(), Depth::Standard);
    let runs = plan(ALL, &setting, &Selection::default()).unwrap();
    assert!(runs.iter().all(|r| r.case.probe != ProbeId::ScalingRun));
}

struct Quiet;

impl Observer for Quiet {
    fn begins(&mut self, _: usize, _: &Record, _: TimeLeft) {}
    fn progress(&mut self, _: f64) {}
    fn ended(&mut self, _: usize, _: &Record) {}
}

/// Two CPUs of this machine at most, said to be two cores.
fn here() -> Machine {
    let mut machine = Machine::default();
    for id in host::cpus::affinity().unwrap().iter().take(2) {
        let siblings = [id].into_iter().collect();
        let cpu = record::Cpu { id, online: true, allowed: true, siblings, ..Default::default() };
        machine.topology.cpus.push(cpu);
    }
    // A small one, so that buffers are.
    machine.topology.caches.push(record::Cache {
        level: 3,
        kind: record::CacheKind::Unified,
        bytes: Some(1 << 20),
        line: None,
        ways: None,
        cpus: machine.topology.usable(),
    });
    machine
}

fn scaling_record(machine: &Machine, scaling_run: ScalingRun) -> Record {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let mut record =
        Record::new(Provenance::default(), machine.clone(), planned(machine, scaling_run, &[]));
    let clock = Monotonic::new();
    let conduct = RunContext {
        probes: ALL,
        clock: &clock,
        cancel: &NEVER,
        depth: Depth::Quick,
        budget: None,
        patience: 0.0,
        own_process: &[],
    };
    assert_eq!(execute(&mut record, &conduct, &mut Quiet), End::Complete);
    record
}

/// Samples by metric.
fn seen(run: &Run) -> BTreeMap<&str, (Unit, &[f64])> {
    let Outcome::Measured(series) = &run.outcome else { panic!("{:?}", run.outcome) };
    series.iter().map(|s| (s.metric.as_str(), (s.unit, &s.samples[..]))).collect()
}

#[test]
fn a_probe_runs_as_many_copies_as_the_step_has() {
    let machine = here();
    for (id, unit) in [
        ("core_rate", Unit::PerSecond),
        ("load_latency", Unit::PerSecond),
        ("bandwidth", Unit::BytesPerSecond),
    ] {
        let scaling_run = ScalingRun { repeats: 1, ..of_probe(id) };
        let record = scaling_record(&machine, scaling_run);
        assert_eq!(record.runs.len(), 3 * machine.topology.cpus.len());
        for run in &record.runs {
            let copies = run.case.get(param::COPIES).unwrap() as usize;
            let seen = seen(run);
            let (found, whole) = seen["throughput"];
            let each = seen["copy_rate"].1;
            assert_eq!((found, whole.len(), each.len()), (unit, 1, copies), "{id}");
            assert!((whole[0] / each.iter().sum::<f64>() - 1.0).abs() < 1e-9 && whole[0] > 0.0);
            let used = seen["cpus_used"].1[0];
            assert!(used > 0.0 && used < copies as f64 * 1.1, "{id}: {used}");
            let pinned = run.case.get(param::POLICY) == Some("one-to-one");
            assert_eq!(run.threads.len(), if pinned { copies } else { 0 }, "{id}");
        }
    }
}

#[test]
fn a_command_is_run_once_by_each_copy_where_the_policy_says() {
    let machine = here();
    for (policy, cpus) in [(Policy::OneToOne, 1), (Policy::Unpinned, machine.topology.cpus.len())] {
        // Fails unless the copy sees as many CPUs as it was given: nproc counts those of its mask, where nothing tells it otherwise.
        let script = format!("unset OMP_NUM_THREADS OMP_THREAD_LIMIT; test $(nproc) = {cpus}");
        let scaling_run = command(&["sh", "-c", &script]);
        let record = scaling_record(
            &machine,
            ScalingRun { copies: Some(3), repeats: 1, policies: vec![policy], ..scaling_run },
        );
        copies_ran(&record);
    }
}

#[test]
fn a_command_says_its_own_rate_in_its_output_or_in_a_file() {
    let machine = here();
    let total = |words: &[&str], rate: Rate| {
        let plan = ScalingRun {
            copies: Some(3),
            repeats: 1,
            policies: vec![Policy::Unpinned],
            rate,
            ..command(words)
        };
        let record = scaling_record(&machine, plan);
        record.runs.iter().map(|run| seen(run)["throughput"].1[0]).collect::<Vec<_>>()
    };
    // 2, 3 and 4 of three copies.
    let said = total(
        &["sh", "-c", "echo rate $((2 + {index}))"],
        Rate::matching("rate ([0-9]+)").unwrap(),
    );
    assert!(!said.is_empty() && said.iter().all(|sum| *sum == 9.0), "{said:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rate-{index}");
    let script = format!("echo $((5 + {{index}})) > {}", file.display());
    let left = total(&["sh", "-c", &script], Rate::File(file.into_os_string()));
    assert!(!left.is_empty() && left.iter().all(|sum| *sum == 18.0), "{left:?}");
}

fn copies_ran(record: &Record) {
    for run in &record.runs {
        let seen = seen(run);
        assert_eq!((seen["copy_time"].1.len(), seen["cpu_time"].1.len()), (3, 3));
        let slowest = seen["copy_time"].1.iter().copied().fold(0.0, f64::max);
        assert!(seen["throughput"].1[0] <= 3.0 / slowest * 1.001);
        assert!(!seen.contains_key("copy_rate") && run.threads.is_empty());
    }
}

#[test]
fn a_command_that_fails_or_hangs_says_so() {
    let machine = here();
    let why = |scaling_run: ScalingRun| -> String {
        let record = scaling_record(
            &machine,
            ScalingRun { repeats: 1, policies: vec![Policy::OneToOne], ..scaling_run },
        );
        let Outcome::Failed(why) = &record.runs[0].outcome else { panic!("{:?}", record.runs[0]) };
        why.why.to_string()
    };
    assert_eq!(why(command(&["sh", "-c", "exit 7"])), "1 of 1 copies failed: exit code 7 (1)");
    // Where the output is read for a rate, its last line is known.
    let rate = Rate::matching("rate ([0-9]+)").unwrap();
    let rated = ScalingRun { rate, ..command(&["sh", "-c", "echo no luck; exit 7"]) };
    let said = why(rated);
    assert!(said.ends_with("copies failed: exit code 7 (1); the last it said: no luck"), "{said}");
    assert!(why(command(&["no-such-program-here"])).contains("command not found"));
    let hangs = ScalingRun { timeout: Some(0.2), ..command(&["sleep", "60"]) };
    assert!(why(hangs).contains("had not ended after 0.2 s"));
}

/// All of this work does all of its kinds on any machine, and more of it in more steps.
#[test]
fn every_kind_of_work_can_be_done_and_grows_with_its_steps() {
    let all = scalable_work::all(ALL);
    assert!(all.len() >= 3, "{:?}", all.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    for (id, work) in all {
        let kinds = (work.kinds)();
        assert!(!work.parameter.name().is_empty() && !kinds.is_empty(), "{id}");
        for kind in kinds {
            for features in [Features::portable(), Features::detect()] {
                let mut arena = Arena::heap(1 << 20);
                kernels::fill_random(arena.lines_mut(), 3);
                let mut done = vec![];
                let mut go = |work: Work<'_>| done.extend([work(1), work(3)]);
                let memory = arena.lines_mut();
                let copy = CopyResources { kind, memory, features, seed: 3 };
                let ready = (work.prepare)(copy, &mut go);
                if let Err(why) = ready {
                    assert!(why.why.contains("variant"), "{id} {kind}: {why}");
                    continue;
                }
                let [one, three] = done[..] else { panic!("{id} {kind}: no work") };
                assert!(one > 0.0 && (three / one - 3.0).abs() < 1e-9, "{id} {kind}: {done:?}");
            }
        }
        let call = &mut |_: Work<'_>| panic!("there is no such work");
        let features = Features::portable();
        let copy = CopyResources { kind: "sideways", memory: &mut [], features, seed: 1 };
        assert!((work.prepare)(copy, call).is_err(), "{id}");
    }
}
