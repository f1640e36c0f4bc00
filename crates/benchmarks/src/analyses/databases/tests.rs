//! Databases whose shape is known.
use super::*;
use crate::example;
use record::{Better, Metric, Outcome, Placement, Reading, Unit, Value, param};
use std::collections::BTreeMap;

/// A step: cores, throughput, CPUs used, cycles an event.
type Shape = (usize, f64, f64, f64);

fn record(steps: &[Shape]) -> Record {
    let mut record = example::empty();
    for (cores, rate, used, cycles) in steps {
        let cpus: CpuSet = (0..*cores as u32).collect();
        let new = |metric, unit, value: f64| Series {
            samples: (0..10).map(|i| value * (1.0 + 1e-4 * f64::from(i))).collect(),
            ..Series::new(metric, unit, Better::Higher)
        };
        let count = |n: usize| Value::Integer(n as u64);
        let step = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
        let params: BTreeMap<String, Value> = [
            ("engine".to_owned(), Value::from("sqlite")),
            ("step".to_owned(), step.into()),
            ("cores".to_owned(), count(*cores)),
            ("threads".to_owned(), count(*cores)),
            ("connections".to_owned(), count(*cores)),
        ]
        .into();
        record.runs.push(Run {
            took: 1.0,
            ..Run::new(
                Case {
                    probe: "point_select".into(),
                    version: 1,
                    params,
                    place: Placement { cpus, ..Placement::default() },
                    estimate: 1.0,
                },
                Outcome::Measured(vec![
                    new("throughput", Unit::PerSecond, *rate),
                    new("latency", Unit::Seconds, 1e-6).at(param::QUANTILE, 0.5),
                    new("latency", Unit::Seconds, 9e-6).at(param::QUANTILE, 0.99),
                    new("cpus_used", Unit::Count, *used),
                    new("cycles", Unit::Cycles, *cycles),
                    new("cpu_time", Unit::Seconds, cycles / 3e9),
                ]),
            )
        });
    }
    record
}

fn found(record: &Record) -> Database {
    let mut all = Databases::compute(&Report::new(record)).0;
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn tell(record: &mut Record, run: usize, name: &str, value: f64) {
    let reading = Reading { name: name.into(), unit: Unit::Ratio, value, coverage: 1.0 };
    record.runs[run].readings.push(reading);
}

#[test]
fn what_scales_is_full_and_costs_the_same() {
    let all = found(&record(&[
        (1, 1e6, 1.0, 3000.0),
        (2, 2e6, 2.0, 3000.0),
        (4, 3.9e6, 4.0, 3050.0),
        (8, 7.8e6, 8.0, 3100.0),
    ]));
    assert!(
        all.points.iter().all(|p| p.verdict == Verdict::Scales && p.counts()),
        "{:?}",
        all.points
    );
    assert!((all.points[3].efficiency.unwrap() - 0.975).abs() < 1e-3);
    assert_eq!(all.points[0].latency.len(), 2);
    assert!(all.law.is_ok_and(|law| law.sigma < 0.02));
}

#[test]
fn full_cpus_that_cost_more_share_memory_and_idle_ones_wait_for_locks() {
    let all =
        found(&record(&[(1, 1e6, 1.0, 3000.0), (4, 2e6, 4.0, 6000.0), (8, 2e6, 3.0, 3100.0)]));
    assert!(matches!(all.points[1].verdict, Verdict::Memory(times) if (times - 2.0).abs() < 0.01));
    assert!(matches!(all.points[2].verdict, Verdict::Locks(full) if (full - 0.375).abs() < 0.01));
    let said = all.says().join(" ");
    assert!(said.contains("spinning") && said.contains("locks"), "{said}");
    assert!(all.law.is_err(), "three counts are too few");
}

#[test]
fn a_gate_that_fails_takes_the_point_out_and_says_why() {
    let shape = [(1, 1e6, 1.0, 3000.0), (2, 2e6, 2.0, 3000.0)];
    for (name, value, gate) in [
        ("point_select.foreign", 0.06, "foreign"),
        ("point_select.steal", 0.06, "steal"),
        ("point_select.throttled", 1.0, "heat"),
        ("point_select.client_busiest", 0.95, "clients"),
        ("point_select.given_up", 3.0, "errors"),
        ("point_select.engine.disk_reads", 5e4, "disk"),
        ("point_select.client_idle", 0.05, "clients"),
    ] {
        let mut record = record(&shape);
        tell(&mut record, 1, name, value);
        let all = found(&record);
        assert!(all.points[0].counts());
        assert_eq!(all.points[1].gates.iter().map(|g| g.name).collect::<Vec<_>>(), [gate]);
        assert!(all.says().iter().any(|s| s.contains("is excluded")), "{gate}");
    }
    let mut within = record(&shape);
    tell(&mut within, 1, "point_select.foreign", 0.049);
    tell(&mut within, 1, "point_select.steal", 0.049);
    tell(&mut within, 1, "point_select.throttled", 0.0);
    tell(&mut within, 1, "point_select.client_busiest", 0.89);
    tell(&mut within, 1, "point_select.client_idle", 0.2);
    // Of twenty million queries.
    tell(&mut within, 1, "point_select.engine.disk_reads", 12.0);
    assert!(found(&within).points[1].counts());
    // An embedded engine whose CPUs are not full waits for what it reads, and not for locks.
    let mut cold = record(&[(1, 1e6, 1.0, 3000.0), (2, 1e6, 1.0, 3000.0)]);
    assert!(matches!(found(&cold).points[1].verdict, Verdict::Locks(_)));
    tell(&mut cold, 1, "point_select.engine.disk_reads", 5e4);
    assert_eq!(found(&cold).points[1].verdict, Verdict::Disk);
    let mut wild = record(&shape);
    let Outcome::Measured(all) = &mut wild.runs[1].outcome else { panic!("it was measured") };
    all[0].samples = (0..10).map(|i| 2e6 * (1.0 + 0.05 * f64::from(i))).collect();
    assert!(found(&wild).points[1].gates.iter().any(|g| g.name == "spread"));
}

/// Two repeats whose throughput and frequency vary by half of this to both sides, on a host whose reference samples move by
/// `host`, with this share of its time taken.
fn noisy(point: f64, host: f64, taken: f64) -> Point {
    let mut record = record(&[(1, 1e6, 1.0, 3000.0), (1, 1e6, 1.0, 3000.0)]);
    let vary = |range: f64, i: usize| 1.0 + range * (i as f64 / 9.0 - 0.5);
    for run in &mut record.runs {
        let Outcome::Measured(all) = &mut run.outcome else { panic!("it was measured") };
        for series in
            all.iter_mut().filter(|s| s.metric == Metric::Throughput || s.metric == Metric::CpuTime)
        {
            series.samples.iter_mut().enumerate().for_each(|(i, x)| *x *= vary(point, i));
        }
    }
    tell(&mut record, 0, "point_select.foreign", taken);
    record.reference_samples = (0..10)
        .map(|i| record::ReferenceSample {
            frequency: vec![3e9 * vary(host, i)],
            chase: vec![4e-9 / vary(host, i)],
            ..Default::default()
        })
        .collect();
    found(&record).points.remove(0)
}

#[test]
fn a_point_is_excluded_for_what_it_has_and_the_host_has_not() {
    let gates = |point: &Point| point.gates.iter().map(|g| g.name).collect::<Vec<_>>();
    let half = |point: &Point| point.interval.unwrap().half_width() / point.median.unwrap();
    let (quiet, alone) = (noisy(0.01, 0.0, 0.0), noisy(0.12, 0.0, 0.0));
    assert!(quiet.counts());
    assert_eq!(gates(&alone), ["frequency", "spread"]);
    let as_host = noisy(0.12, 0.14, 0.0);
    assert!(as_host.counts(), "{:?}", as_host.gates);
    assert!(half(&as_host) > 2.0 * half(&alone), "{} {}", half(&as_host), half(&alone));
    let beyond = noisy(0.3, 0.14, 0.0);
    assert_eq!(gates(&beyond), ["frequency", "spread"]);
    let said: Vec<&str> = beyond.gates.iter().map(|g| g.found.as_str()).collect();
    assert!(said.iter().all(|s| s.ends_with("may be, as the reference samples moved")), "{said:?}");
    assert!(said[0].contains("13 % may be"), "the host's range from its 5th percentile: {said:?}");
    // Time that others took explains variation as well.
    let taken = noisy(0.12, 0.13, 0.04);
    assert!(taken.counts() && half(&taken) > 1.2 * half(&noisy(0.12, 0.13, 0.0)));
    // A steady point does not rest on what moved.
    assert!(half(&noisy(0.01, 0.5, 0.0)) < 0.02, "{}", half(&noisy(0.01, 0.5, 0.0)));
}

#[test]
fn cpus_are_full_of_the_time_that_others_left() {
    let mut record = record(&[(1, 1e6, 0.94, 3000.0), (2, 2e6, 1.88, 3000.0)]);
    assert!(matches!(found(&record).points[1].verdict, Verdict::Locks(_)));
    tell(&mut record, 1, "point_select.foreign", 0.03);
    tell(&mut record, 1, "point_select.steal", 0.02);
    assert_eq!(found(&record).points[1].verdict, Verdict::Scales);
}

#[test]
fn clients_without_cpus_of_their_own_are_said() {
    let mut record = record(&[(1, 1e6, 1.0, 3000.0), (2, 2e6, 2.0, 3000.0)]);
    record.runs[1].case.params.insert("clients".into(), "0-1".into());
    let all = found(&record);
    assert!(all.points[1].shared && !all.points[1].counts());
    assert_eq!(all.points[1].verdict, Verdict::Clients);
}

/// A server on one core and on eight, with so many connections a CPU, whose CPUs are not full there.
fn server(connections: u64, params: &[(&str, &str)]) -> Record {
    let mut record = record(&[(1, 1e6, 1.0, 3000.0), (8, 2e6, 3.0, 3100.0)]);
    for (run, cpus) in record.runs.iter_mut().zip([1, 8]) {
        let params = params.iter().chain(&[("engine", "mariadb"), ("clients", "8-15")]);
        run.case.params.extend(params.map(|(k, v)| ((*k).to_owned(), Value::from(*v))));
        run.case.params.insert("connections".into(), Value::Integer(connections * cpus));
    }
    record
}

#[test]
fn a_server_waits_for_locks_only_where_nothing_else_can_be_it() {
    let verdict = |record: &Record| found(record).points[1].verdict.clone();
    assert!(matches!(verdict(&server(4, &[])), Verdict::Locks(_)));
    assert!(matches!(verdict(&server(1, &[])), Verdict::Unknown(why) if why.remedy.is_some()));
    let mut locked = server(1, &[]);
    tell(&mut locked, 1, "point_select.engine.row_lock_seconds", 20.0);
    assert!(matches!(verdict(&locked), Verdict::Locks(_)), "a quarter of ten seconds of eight");
    // Who never sleeps says by what it found whether it could ask more.
    let mut spins = server(4, &[("wait", "spin")]);
    assert!(matches!(verdict(&spins), Verdict::Unknown(_)));
    tell(&mut spins, 1, "point_select.client_idle", 0.5);
    assert!(matches!(verdict(&spins), Verdict::Locks(_)));
    let mut full = server(4, &[("wait", "spin")]);
    tell(&mut full, 1, "point_select.client_idle", 0.01);
    assert_eq!(verdict(&full), Verdict::Clients);
    assert!(matches!(verdict(&server(4, &[("pin", "none")])), Verdict::Unknown(_)));
    let mut durable = server(4, &[]);
    for run in &mut durable.runs {
        run.case.params.insert("durable".into(), Value::Bool(true));
    }
    assert!(matches!(verdict(&durable), Verdict::Locks(_)), "selects commit nothing");
    durable.runs.iter_mut().for_each(|run| run.case.probe = "tpcc".into());
    assert_eq!(verdict(&durable), Verdict::Disk);
    let mut elsewhere = server(4, &[]);
    for run in &mut elsewhere.runs {
        let Outcome::Measured(all) = &mut run.outcome else { panic!("it was measured") };
        all.retain(|s| s.metric != Metric::CpusUsed);
    }
    assert!(matches!(verdict(&elsewhere), Verdict::Unknown(why) if why.why.contains("seen")));
}

#[test]
fn a_point_is_compared_with_a_core_of_as_many_connections() {
    let mut record = record(&[
        (1, 1e6, 1.0, 3000.0),
        (1, 2e6, 1.0, 3000.0),
        (2, 2e6, 2.0, 3000.0),
        (2, 4e6, 2.0, 3000.0),
    ]);
    for (run, connections) in record.runs.iter_mut().zip([1, 4, 2, 8]) {
        run.case.params.insert("connections".into(), Value::Integer(connections));
    }
    let all = found(&record);
    let rounded = |p: &Point| (p.efficiency.unwrap() * 1e3).round() / 1e3;
    let efficiencies: Vec<f64> = all.points.iter().map(rounded).collect();
    assert_eq!(efficiencies, [1.0, 2.0, 1.0, 1.0]);
    let against = |p: &Point| p.against.as_ref().map_or(0, |base| base.connections);
    assert_eq!(all.points.iter().map(against).collect::<Vec<_>>(), [1, 1, 1, 4]);
    let said = all.brief().join(" ");
    assert!(
        said.contains("1 core (1 connection) does 1.00 M/s queries, 2 cores (8 connections) 4.00 M/s queries, an efficiency of 100 % against 1 core with 4 connections."),
        "{said}"
    );
    // Fewer a CPU than on one core, as where warehouses have no more terminals.
    record.runs[3].case.params.insert("connections".into(), Value::Integer(5));
    let capped = &found(&record).points[3];
    assert!(capped.efficiency.is_none());
    assert!(matches!(&capped.verdict, Verdict::Unknown(why) if why.why.contains("as many")));
}

#[test]
fn clients_on_siblings_are_said_and_take_the_point_out() {
    let mut record = record(&[(1, 1e6, 1.0, 3000.0), (2, 2e6, 2.0, 3000.0)]);
    for id in 0..4u32 {
        record.machine.topology.cpus.push(record::Cpu {
            id,
            siblings: [id % 2, id % 2 + 2].into_iter().collect(),
            ..record::Cpu::default()
        });
    }
    for (run, clients) in record.runs.iter_mut().zip(["1,3", "2-3"]) {
        run.case.params.insert("clients".into(), clients.into());
    }
    let all = found(&record);
    assert!(all.points[0].counts());
    assert_eq!(all.points[1].gates.iter().map(|g| g.name).collect::<Vec<_>>(), ["siblings"]);
    assert!(
        matches!(&all.points[1].verdict, Verdict::Unknown(why) if why.why.contains("siblings"))
    );
}

#[test]
fn nobody_knows_where_a_server_is_that_runs_already() {
    let mut record = record(&[(2, 2e6, 1.0, 3000.0)]);
    let params = [("engine", "mysql"), ("pin", "none"), ("clients", "0-1")];
    let run = &mut record.runs[0];
    run.case.params.extend(params.map(|(k, v)| (k.to_owned(), Value::from(v))));
    let all = found(&record);
    assert!(!all.points[0].shared && all.points[0].counts());
    assert!(matches!(&all.points[0].verdict, Verdict::Unknown(why) if why.why.contains("pinned")));
    assert!(all.points[0].efficiency.is_none());
    let Outcome::Measured(series) = &mut record.runs[0].outcome else { panic!("it was measured") };
    let used = Series {
        samples: vec![1.95; 10],
        ..Series::new(Metric::ClientCpusUsed, Unit::Count, Better::Lower)
    };
    series.push(used);
    assert_eq!(found(&record).points[0].verdict, Verdict::Clients);
}

#[test]
fn a_step_that_failed_stays_with_its_reason() {
    let mut record = record(&[(1, 1e6, 1.0, 3000.0), (2, 2e6, 2.0, 3000.0)]);
    record.runs[1].outcome = Outcome::Failed(Reason::new("the server died"));
    let all = found(&record);
    assert_eq!(all.points[1].failed[0].why, "the server died");
    assert!(matches!(all.points[1].verdict, Verdict::Unknown(_)) && all.points[1].median.is_none());
}

#[test]
fn placements_of_a_step_are_one_table_and_told_apart_only_where_they_are() {
    let mut record = record(&[
        (1, 1e6, 1.0, 3000.0),
        (2, 1.5e6, 2.0, 4000.0),
        (2, 2e6, 2.0, 3000.0),
        (2, 1.5e6, 2.0, 4000.0),
    ]);
    let names = ["1 server", "1 server", "2 servers", "1 server, unpinned"];
    for (run, name) in record.runs.iter_mut().zip(names) {
        run.case.params.insert("placement".into(), name.into());
        run.case.params.insert("transport".into(), "socket".into());
    }
    record.runs[2].case.params.insert("instances".into(), Value::Integer(2));
    record.runs[3].case.params.insert("transport".into(), "tcp".into());
    let all = found(&record);
    assert_eq!(all.points.len(), 4);
    assert_eq!(all.load, "engine=sqlite");
    assert!((all.points[2].efficiency.unwrap() - 1.0).abs() < 1e-3, "against one core of one");
    let said = all.says().join(" ");
    assert!(said.contains("2 servers did 1.33 times what 1 server did"), "{said}");
    assert!(
        said.contains("1 server, unpinned and 1 server show no significant difference"),
        "{said}"
    );
    assert!(said.contains("2 cores (2 servers)"), "{said}");
}

#[test]
fn memory_on_other_nodes_takes_a_point_out() {
    let mut record = record(&[(1, 1e6, 1.0, 3000.0), (2, 2e6, 2.0, 3000.0)]);
    tell(&mut record, 0, "point_select.on_nodes", 0.97);
    tell(&mut record, 1, "point_select.on_nodes", 0.6);
    let all = found(&record);
    assert!(all.points[0].counts());
    assert_eq!(all.points[1].gates.iter().map(|g| g.name).collect::<Vec<_>>(), ["memory"]);
}
