//! Cases of database workloads on described machines.
use super::*;
use database::options::{EngineOptions, Isolation, Protocol};
use record::ProbeId;
use record::param;

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|w| (*w).to_owned()).collect()
}

/// Cores with two threads each: CPU n and n + cores.
fn machine(cores: u32) -> (Machine, CpuSet) {
    let mut machine = Machine::default();
    for id in 0..2 * cores {
        let core = id % cores;
        machine.topology.cpus.push(record::Cpu {
            id,
            online: true,
            allowed: true,
            core: Some(core),
            package: Some(0),
            siblings: [core, core + cores].into_iter().collect(),
            ..record::Cpu::default()
        });
    }
    (machine, (0..2 * cores).collect())
}

#[test]
fn clients_sleep_where_they_share_cpus() {
    assert_eq!(
        (default_wait(true, true), default_wait(true, false)),
        (WaitMode::Spin, WaitMode::Spin)
    );
    assert_eq!(
        (default_wait(false, true), default_wait(false, false)),
        (WaitMode::Epoll, WaitMode::Poll)
    );
}

#[test]
fn named_points_are_found() {
    let (machine, cpus) = machine(12);
    let names = |asked: &[&str]| -> Vec<(usize, usize)> {
        let points = points(&machine, &cpus, &words(asked)).unwrap();
        points.iter().map(|s| (s.cores, s.cpus.len())).collect()
    };
    assert_eq!(
        names(&["1", "smt", "2", "5", "all", "12"]),
        [(1, 1), (1, 2), (2, 2), (5, 5), (12, 12)]
    );
    assert_eq!(names(&["threads"]), [(12, 24)]);
    assert_eq!(names(&[]).len(), 7, "1, its pair, 2, 4, 8, 12, all threads");
    let why = points(&machine, &cpus, &words(&["13"])).unwrap_err();
    assert!(why.why.contains("13 cores") && why.remedy.is_some(), "{why}");
    let one: CpuSet = [3].into_iter().collect();
    assert!(points(&machine, &one, &words(&["smt"])).is_err(), "one CPU has no sibling");
}

#[test]
fn few_cores_have_more_connections_and_clients_have_a_cpu() {
    let points_of = |cpus: u32, engine: &str, change: &dyn Fn(&mut DatabaseOptions)| {
        let mut machine = Machine::default();
        let each = |id| record::Cpu { id, online: true, core: Some(id), ..record::Cpu::default() };
        machine.topology.cpus = (0..cpus).map(each).collect();
        let mut setting = Setting::new(&machine, (0..cpus).collect(), Depth::Quick);
        let mut options =
            DatabaseOptions { engine: engine.into(), points: vec![], ..DatabaseOptions::default() };
        change(&mut options);
        setting.probe_options.set(options);
        let all = cases(&setting, ProbeId::PointSelect).unwrap();
        let of =
            |case: &Case| (case.get(param::CORES).unwrap(), case.get(param::CONNECTIONS).unwrap());
        all.iter().map(of).collect::<Vec<(u64, u64)>>()
    };
    let default = |_: &mut DatabaseOptions| ();
    assert_eq!(points_of(2, "sqlite", &default), [(1, 1), (1, 2), (2, 2)]);
    assert_eq!(points_of(1, "sqlite", &default), [(1, 1), (1, 2), (1, 4)]);
    assert_eq!(points_of(4, "sqlite", &default), [(1, 1), (2, 2), (4, 4)]);
    assert_eq!(
        points_of(2, "mariadb", &default),
        [(1, 4), (1, 8), (1, 16)],
        "clients have the other"
    );
    assert_eq!(points_of(1, "mariadb", &default), [(1, 4), (1, 8), (1, 16)], "clients share it");
    assert_eq!(
        points_of(8, "mariadb", &default),
        [(1, 4), (2, 8), (4, 16)],
        "8 leave none to clients"
    );
    // What is named is measured.
    assert_eq!(points_of(2, "mariadb", &|o| o.points = words(&["1", "all"])), [(1, 4), (2, 8)]);
    assert_eq!(
        points_of(2, "sqlite", &|o| o.connections = vec![1, 3]),
        [(1, 1), (1, 3), (2, 2), (2, 6)]
    );
    assert_eq!(points_of(2, "mariadb", &|o| o.instances = vec![1, 2]), [(1, 4), (2, 8), (2, 8)]);
}

#[test]
fn clients_have_other_cpus_than_the_server() {
    let (machine, cpus) = machine(4);
    let of = |server: &str| client_cpus(&machine, &cpus, &server.parse().unwrap()).to_string();
    assert_eq!(of("0"), "1-3,5-7", "the sibling, 4, is left out");
    assert_eq!(of("0-3"), "4-7", "nothing but siblings is left");
    assert_eq!(of("0-7"), "0-7", "nothing is left at all");
}

#[test]
fn a_running_server_has_one_point_and_is_not_pinned() {
    let (machine, cpus) = machine(4);
    let mut setting = Setting::new(&machine, cpus.clone(), Depth::Standard);
    let engine_options =
        EngineOptions { address: Some("mysql://me@h/d".into()), ..EngineOptions::default() };
    let options = DatabaseOptions {
        engine: "mysql".into(),
        engine_options,
        points: vec![],
        ..DatabaseOptions::default()
    };
    setting.probe_options.set(options.clone());
    for workload in ["point_select", "tpcc"] {
        let all = cases(&setting, workload.into()).unwrap();
        let [case] = &all[..] else { panic!("one step: {all:?}") };
        assert_eq!(case.get(param::STEP), Some("server as it runs"));
        assert_eq!((case.get(param::PIN), case.get(param::CORES)), (Some("none"), Some(4)));
        assert_eq!(case.place.cpus, cpus);
    }
    setting.probe_options.set(DatabaseOptions { points: words(&["1"]), ..options });
    assert!(
        cases(&setting, ProbeId::Tpcc).is_err_and(|why| why.why.contains("has no scaling points"))
    );
}

#[test]
fn clients_on_siblings_sleep() {
    let (machine, cpus) = machine(4);
    let mut setting = Setting::new(&machine, cpus, Depth::Standard);
    let points = words(&["1", "all"]);
    setting.probe_options.set(DatabaseOptions {
        engine: "mariadb".into(),
        points,
        ..DatabaseOptions::default()
    });
    let all = cases(&setting, ProbeId::PointSelect).unwrap();
    let waits: Vec<_> = all.iter().map(|c| c.get(param::WAIT).unwrap()).collect();
    assert_eq!(waits, ["spin", "epoll"], "all cores leave nothing but their siblings");
    assert_eq!(all[1].get(param::CLIENTS), Some("4-7"));
}

#[test]
fn terminals_are_limited_by_the_warehouses_by_default() {
    let (machine, cpus) = machine(8);
    let mut setting = Setting::new(&machine, cpus, Depth::Standard);
    let mut connections_of = |workload: &str, warehouses: u64, connections: &[u64]| -> Vec<u64> {
        setting.probe_options.set(DatabaseOptions {
            engine: "mariadb".into(),
            points: words(&["1", "2", "8"]),
            warehouses: Some(warehouses),
            connections: connections.to_vec(),
            ..DatabaseOptions::default()
        });
        let all = cases(&setting, workload.into()).unwrap();
        all.iter().map(|case| case.get(param::CONNECTIONS).unwrap()).collect()
    };
    assert_eq!(connections_of("tpcc", 4, &[]), [4, 8, 32]);
    assert_eq!(connections_of("tpcc", 1, &[]), [4, 8, 10]);
    assert_eq!(connections_of("tpcc", 1, &[4]), [4, 8, 32], "an explicit number is kept");
    assert_eq!(connections_of("point_select", 1, &[]), [4, 8, 32]);
    setting
        .probe_options
        .set(DatabaseOptions { connections: vec![], ..DatabaseOptions::default() });
    let all = cases(&setting, ProbeId::Tpcc).unwrap();
    assert!(all.iter().all(|c| c.get(param::CONNECTIONS) == Some(c.place.cpus.len() as u64)));
}

#[test]
fn options_of_other_engines_are_refused() {
    let (machine, cpus) = machine(4);
    let mut setting = Setting::new(&machine, cpus, Depth::Standard);
    let mut plan = |engine: &str, workload: &str, option: &str| {
        let mut engine_options = EngineOptions::default();
        match option {
            "durable" => engine_options.durable = Some(true),
            "option_file" => engine_options.option_file = Some("f".into()),
            "protocol" => engine_options.protocol = Some(Protocol::Text),
            _ => engine_options.isolation = Some(Isolation::Serializable),
        }
        let points = vec![];
        setting.probe_options.set(DatabaseOptions {
            engine: engine.into(),
            engine_options,
            points,
            ..DatabaseOptions::default()
        });
        cases(&setting, workload.into()).map(|all| all.len()).map_err(|why| why.to_string())
    };
    assert!(plan("mariadb", "tpcc", "durable").is_ok());
    for (engine, workload, option) in [
        ("sqlite", "tpcc", "durable"),
        ("mysql", "tpcc", "durable"),
        ("mariadb", "tpcc", "option_file"),
        ("mariadb", "tpcc", "protocol"),
        ("mariadb", "point_select", "isolation"),
    ] {
        let why = plan(engine, workload, option).unwrap_err();
        assert!(why.contains(&format!("--{}", option.replace('_', "-"))), "{why}");
    }
}

#[test]
fn cases_have_all_that_a_resumed_run_needs() {
    let (machine, cpus) = machine(4);
    let mut setting = Setting::new(&machine, cpus, Depth::Quick);
    assert_eq!(cases(&setting, ProbeId::Tpcc), Ok(vec![]), "not named");
    setting.depth = Depth::Standard;
    let all = cases(&setting, ProbeId::Tpcc).unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[1].place.cpus.len(), 4);
    assert!(all[0].estimate > all[1].estimate, "the first one loads");
    for name in [
        "engine",
        "mode",
        "step",
        "cores",
        "connections",
        "warehouses",
        "statements",
        "mix",
        "binding",
        "windows",
    ] {
        assert!(all.iter().all(|c| c.params.contains_key(name)), "{name}");
    }
    let options = DatabaseOptions {
        modes: words(&["shared", "wal"]),
        repeats: 3,
        points: vec![],
        ..DatabaseOptions::default()
    };
    setting.probe_options.set(options.clone());
    let all = cases(&setting, ProbeId::PointSelect).unwrap();
    assert_eq!(all.len(), 5 * 2 * 3, "1, its pair, 2, 4, all threads");
    let servers = DatabaseOptions {
        engine: "mariadb".into(),
        instances: vec![1, 2],
        pinning: vec![Pinning::Cores, Pinning::None],
        modes: vec![],
        repeats: 2,
        points: words(&["1", "4"]),
        ..options.clone()
    };
    setting.probe_options.set(servers.clone());
    let all = cases(&setting, ProbeId::PointSelect).unwrap();
    assert_eq!(all.len(), (2 + 4) * 2, "two servers need two cores");
    let of = |name: &str| all.iter().filter(|c| c.get(param::PLACEMENT) == Some(name)).count();
    assert_eq!(of("2 servers, pinned"), 2);
    let floating: Vec<&Case> = all
        .iter()
        .filter(|c| c.get(param::PLACEMENT).is_some_and(|p| p.ends_with(" unpinned")))
        .collect();
    assert!(floating.iter().all(|c| c.place.cpus.len() == 8 && c.get(param::CLIENTS).is_some()));
    assert!(all.iter().all(|c| floating.contains(&c) == (c.get(param::PIN) == Some("none"))));
    let loads = all.iter().filter(|c| c.estimate > all.last().unwrap().estimate + 1.0).count();
    assert_eq!(loads, 2, "whole, and in halves");
    for bad in [
        DatabaseOptions { instances: vec![1, 3], ..servers.clone() },
        DatabaseOptions { instances: vec![2], engine: "sqlite".into(), ..options.clone() },
        DatabaseOptions { engine: "oracle".into(), ..options.clone() },
        DatabaseOptions { modes: words(&["sharded"]), ..options.clone() },
        DatabaseOptions { points: words(&["5"]), ..options.clone() },
    ] {
        setting.probe_options.set(bad);
        assert!(cases(&setting, ProbeId::PointSelect).is_err_and(|why| why.remedy.is_some()));
    }
    setting.probe_options.set(DatabaseOptions {
        statements: vec![StatementStyle::Procedure],
        modes: vec![],
        ..options
    });
    assert!(cases(&setting, ProbeId::Tpcc).is_err(), "SQLite has no procedures");
}
