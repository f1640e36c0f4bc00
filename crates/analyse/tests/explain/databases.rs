//! Servers and engines beside each other, published and measured.
use super::*;

/// A record of ours with one database, on a machine of two cores of two threads each.
fn served(engine: &str, probe: &str, cpus: &str, cores: u64, rate: f64) -> Record {
    let cpu = |id: u32, siblings: &str| Cpu {
        id,
        online: true,
        allowed: true,
        siblings: siblings.parse().unwrap(),
        ..Cpu::default()
    };
    let mut machine = Machine::default();
    machine.topology.cpus = vec![cpu(0, "0,2"), cpu(1, "1,3"), cpu(2, "0,2"), cpu(3, "1,3")];
    let threads = cpus.split(',').count() as u64;
    let params: &[(&str, Value)] = &[
        ("engine", engine.into()),
        ("mode", "shared".into()),
        ("step", "a step".into()),
        ("cores", cores.into()),
        ("threads", threads.into()),
        ("connections", (2 * threads).into()),
    ];
    let mut one = run(probe, params, vec![series("throughput", Unit::PerSecond, rate)]);
    (one.case.place.cpus, one.case.version, one.origin) = (cpus.parse().unwrap(), 3, None);
    let mut record = record(machine, vec![one]);
    record.provenance = Provenance { tool: "cpulens".into(), ..Provenance::default() };
    record
}

/// Published: a server on so many cores.
fn published(probe: &str, metric: &str, params: &[(&str, Value)]) -> Record {
    let all = [params, &[("server", "MySQL 5.7.34".into()), ("statistic", "mean".into())]].concat();
    record(Machine::default(), vec![run(probe, &all, vec![series(metric, Unit::PerSecond, 100.0)])])
}

#[test]
fn a_server_stands_beside_one_on_as_many_cores_and_nothing_is_claimed() {
    let select = |cores: u64, placement: &str| {
        let params =
            [("test", "oltp".into()), ("cores", cores.into()), ("placement", placement.into())];
        published("sysbench", "queries", &params)
    };
    let tpcc = |cores: u64| {
        let params = [
            ("warehouses", 1000u64.into()),
            ("cores", cores.into()),
            ("placement", "physical cores".into()),
        ];
        published("tpcc", "new_orders", &params)
    };
    let said = |theirs: &Record, ours: &Record| {
        let of = compared(&[("theirs", theirs), ("ours", ours)]);
        let ratio = of.rows.first().and_then(|row| row.against(1)).map(|a| (a.ratio, a.verdict));
        let unmatched = of.unmatched.iter().map(|u| u.figures).sum::<usize>();
        (of.rows.len(), ratio, unmatched, of.explained)
    };
    use analyse::compare::Verdict::Unclaimed;
    for (theirs, ours, matched) in [
        (select(1, "physical cores"), served("mariadb", "point_select", "0", 1, 250.0), true),
        (select(2, "physical cores"), served("mysql", "point_select", "0,1", 2, 250.0), true),
        (select(1, "1 SMT pair"), served("mariadb", "point_select", "0,2", 1, 250.0), true),
        (select(1, "physical cores"), served("mariadb", "point_select", "0,2", 1, 250.0), false),
        (select(1, "1 SMT pair"), served("mariadb", "point_select", "0", 1, 250.0), false),
        (select(2, "physical cores"), served("mariadb", "point_select", "0", 1, 250.0), false),
        (tpcc(2), served("mariadb", "tpcc", "0,1", 2, 250.0), true),
        (tpcc(1), served("mariadb", "point_select", "0", 1, 250.0), false),
    ] {
        let (rows, ratio, unmatched, explained) = said(&theirs, &ours);
        if matched {
            assert_eq!((rows, ratio, unmatched), (1, Some((2.5, Unclaimed)), 0));
            // The same pair gets a factor breakdown, in their terms.
            assert_eq!(explained.len(), 1);
            assert!((explained[0].ratio - 2.5).abs() < 1e-12 && explained[0].parts.is_ok());
            let text = explained[0].summary.join(" ");
            assert!(text.contains("never set beside the original"), "{text}");
        } else {
            assert_eq!((rows, ratio, unmatched, explained.len()), (0, None, 1, 0));
        }
    }
}

#[test]
fn an_embedded_engine_is_no_server_and_the_reason_says_what_would_be_one() {
    let params =
        [("test", "oltp".into()), ("cores", 1u64.into()), ("placement", "physical cores".into())];
    let theirs = published("sysbench", "queries", &params);
    let ours = served("sqlite", "point_select", "0", 1, 250.0);
    let of = compared(&[("theirs", &theirs), ("ours", &ours)]);
    assert!(of.rows.len() == 1 && of.rows[0].against(1).is_none());
    let why = of.explained[0].parts.as_ref().unwrap_err();
    assert!(
        why.why.contains("SQLite") && why.remedy.as_ref().unwrap().contains("--engine mariadb")
    );
}

#[test]
fn a_database_without_a_number_of_cores_stands_beside_nothing() {
    let theirs = published("tpcc", "new_orders", &[("connections", 8u64.into())]);
    let of = compared(&[("theirs", &theirs), ("ours", &served("mariadb", "tpcc", "0", 1, 250.0))]);
    assert!(of.rows.is_empty() && of.explained.is_empty());
    assert!(of.unmatched[0].why.why.contains("how many the server had"), "{:?}", of.unmatched);
}

/// Ours of sysbench's definition gets a factor breakdown against theirs, and the flag is reported.
#[test]
fn a_speed_is_explained_by_its_equivalent() {
    let theirs = record(
        Machine::default(),
        vec![run(
            "sysbench",
            &[
                ("tool", "sysbench 0.4".into()),
                ("test", "cpu".into()),
                ("primes", 50_000u64.into()),
                ("thread_count", 1u64.into()),
            ],
            vec![series("elapsed", Unit::Seconds, 200.0)],
        )],
    );
    let mut ours = served("", "prime", "0", 1, 0.0);
    ours.runs[0].case.params = [
        ("sysbench".to_owned(), Value::from("0.4")),
        ("max_prime".to_owned(), 50_000u64.into()),
        ("threads".to_owned(), "one".into()),
    ]
    .into();
    ours.runs[0].outcome =
        Outcome::Measured(vec![series("time_of_10000_events", Unit::Seconds, 100.0)]);
    for (a, b, ratio) in [(&theirs, &ours, 2.0), (&ours, &theirs, 0.5)] {
        let of = only(("a", a), ("b", b));
        assert!((of.ratio - ratio).abs() < 1e-12 && of.probe == ProbeId::Sysbench, "{of:?}");
        assert!(
            of.summary.iter().any(|s| s.contains("agreeing with the original")),
            "{:?}",
            of.summary
        );
    }
}
