//! Databases from plan to record on this machine: structure and relations, never times.
#![allow(clippy::unwrap_used, reason = "tests may")]
use database::{
    engine::{Engine, OpenOptions},
    engines::mariadb::Mariadb,
};
use host::clock::Monotonic;
use measure::{
    plan::{Selection, plan},
    probe::{Depth, Setting},
    run::{End, Observer, RunContext, execute},
    time_left::TimeLeft,
};
use probes::probes::ALL;
use record::{Machine, Outcome, Provenance, Record, Run, Series, param};
use std::sync::atomic::AtomicBool;
use workloads::db::{DatabaseOptions, EngineOptions, ExistingTables};

struct Silent;
impl Observer for Silent {
    fn begins(&mut self, _: usize, _: &Record, _: TimeLeft) {}
    fn progress(&mut self, share: f64) {
        assert!((0.0..=1.0).contains(&share));
    }
    fn ended(&mut self, _: usize, _: &Record) {}
}

/// Runs the probe on the CPUs of this machine.
fn measured(probe: &str, options: DatabaseOptions) -> Vec<Run> {
    let mut machine = Machine::default();
    for id in host::cpus::affinity().unwrap().iter() {
        let siblings = [id].into_iter().collect();
        let cpu = record::Cpu { id, online: true, allowed: true, siblings, ..Default::default() };
        machine.topology.cpus.push(cpu);
    }
    let mut setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    setting.probe_options.set(options);
    let skip = vec!["preflight".into(), "instrument".into()];
    let runs = plan(ALL, &setting, &Selection { only: vec![probe.into()], skip }).unwrap();
    let provenance = Provenance { seed: 1, ..Provenance::default() };
    let mut record = Record::new(provenance, machine, runs);
    let (clock, cancel) = (Monotonic::new(), AtomicBool::new(false));
    let conduct = RunContext {
        probes: ALL,
        clock: &clock,
        cancel: &cancel,
        depth: Depth::Quick,
        budget: None,
        patience: 0.0,
        own_process: &[],
    };
    assert_eq!(execute(&mut record, &conduct, &mut Silent), End::Complete);
    record.runs
}

fn series(run: &Run) -> &[Series] {
    match &run.outcome {
        Outcome::Measured(series) => series,
        other => panic!("{}: {other:?}", run.case.label()),
    }
}

fn of<'a>(run: &'a Run, metric: &str) -> Vec<&'a Series> {
    series(run).iter().filter(|s| s.metric == metric).collect()
}

/// Needs an installed server.
fn a_running_server_has_one_point_and_is_observed() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = OpenOptions {
        workload: "point_select",
        mode: "shared",
        folder: folder.path().to_owned(),
        bytes: 1 << 20,
        threads: 1,
        connections: 4,
        ..OpenOptions::default()
    };
    if Mariadb.unavailable(&wanted).is_some() {
        return;
    }
    let server = Mariadb.open(&wanted).unwrap();
    let socket = folder.path().join("server/data/socket").display().to_string();
    let engine_options = EngineOptions {
        socket: Some(socket),
        user: Some("root".into()),
        database: Some("cpulens".into()),
        ..EngineOptions::default()
    };
    let connections = vec![1];
    let options = DatabaseOptions {
        engine: "mysql".into(),
        engine_options,
        points: vec![],
        connections,
        ..short()
    };
    let runs = measured("point_select", options);
    let [run] = &runs[..] else { panic!("one step") };
    assert_eq!(run.case.get(param::STEP), Some("server as it runs"));
    assert_eq!((of(run, "cpus_used").len(), of(run, "client_cpus_used").len()), (1, 1));
    server.close().unwrap();
}

fn short() -> DatabaseOptions {
    DatabaseOptions {
        rows: 3000,
        windows: 4,
        seconds: 0.05,
        warm_up: 0.02,
        ..DatabaseOptions::default()
    }
}

/// One test, since cases would disturb each other.
#[test]
fn every_point_has_its_windows_and_data_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let modes = ["shared", "wal", "own"].map(str::to_owned).to_vec();
    let options = DatabaseOptions { modes, folder: Some(path.clone()), ..short() };
    let runs = measured("point_select", options);
    let steps = runs.len() / 3;
    assert!(steps >= 1 && runs.len() == 3 * steps);
    for run in &runs {
        let [rate] = of(run, "throughput")[..] else { panic!("one throughput") };
        let count = rate.samples.len();
        assert!(
            (4..=8).contains(&count),
            "as many as were asked for, or more while they vary: {count}"
        );
        // A thread may have waited for its CPU through a window, but hardly through all of them.
        assert!(rate.samples.iter().any(|x| *x > 0.0));
        assert!(rate.variant.as_ref().is_some_and(|v| v.starts_with("SQLite 3.")));
        let latencies = of(run, "latency");
        assert_eq!(latencies.len(), 6);
        for two in latencies.windows(2) {
            let pairs = two[0].samples.iter().zip(&two[1].samples);
            assert!(pairs.clone().all(|(low, high)| low <= high), "quantiles rise");
        }
        let cpus = run.case.place.cpus.len() as f64;
        let used = of(run, "cpus_used")[0].samples.iter().sum::<f64>() / count as f64;
        assert!(used > 0.0 && used < cpus * 1.2, "{used} of {cpus}");
        assert!(of(run, "cpu_time")[0].samples.iter().any(|s| *s > 0.0));
        assert!(run.threads.len() == run.case.place.cpus.len(), "every thread is pinned");
    }
    let left: Vec<_> = std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["sqlite-point_select.db"], "only the data are kept");

    // Tables that are too small fail; cases of another load do not.
    let lost = DatabaseOptions {
        existing: ExistingTables::Reuse,
        rows: 999_999,
        folder: Some(path),
        ..short()
    };
    for run in measured("point_select", lost) {
        assert!(matches!(&run.outcome, Outcome::Failed(why) if why.why.contains("999999")));
    }
    let runs = measured("tpcc", DatabaseOptions { points: vec!["all".into()], ..short() });
    let [run] = &runs[..] else { panic!("one step") };
    let (orders, all) = (of(run, "throughput")[0], of(run, "transactions")[0]);
    assert!((4..=8).contains(&orders.samples.len()));
    let share = orders.samples.iter().sum::<f64>() / all.samples.iter().sum::<f64>();
    assert!((0.1..0.9).contains(&share), "45 of 100, over a few dozens at least: {share}");
    assert!(of(run, "latency").iter().all(|s| param::TRANSACTION.is_in(&s.at)));
    a_running_server_has_one_point_and_is_observed();
    let ours = |name: &str| name.starts_with(&format!("cpulens-db-{}-", std::process::id()));
    for place in ["/dev/shm", "/tmp"] {
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            let name = entry.file_name();
            assert!(!name.to_str().is_some_and(ours), "{place} has {name:?}");
        }
    }
}
