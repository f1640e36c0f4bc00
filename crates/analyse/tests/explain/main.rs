//! Factor breakdowns of speeds: published figures whose causes are known, and made-up ones of which each has one.
#![allow(clippy::unwrap_used, reason = "a test")]
mod databases;
mod published;

use analyse::compare::{Comparison, Gathering, Incomparable};
use analyse::explain::{Explanation, Factor, How, Parts, Step};
use record::{
    Better, Buffer, Case, Cpu, Machine, Node, Origin, Outcome, Placement, ProbeId, Provenance,
    Reading, Record, Run, Series, Source, Unit, Value, param,
};

const PERF: &str = include_str!("../fixtures/perf_stat.csv");
const QUERIES: &str = include_str!("../fixtures/point_select.csv");

fn record(machine: Machine, runs: Vec<Run>) -> Record {
    let source = Source { tool: "test".into(), ..Source::default() };
    let provenance = Provenance { tool: "cpulens import".into(), ..Provenance::default() };
    Record::new(Provenance { sources: vec![source], ..provenance }, machine, runs)
}

fn run(probe: &str, params: &[(&str, Value)], series: Vec<Series>) -> Run {
    Run {
        origin: Some(Origin { source: 0, line: 1 }),
        ..Run::new(
            Case {
                probe: probe.into(),
                version: 0,
                params: params.iter().map(|(k, v)| ((*k).into(), v.clone())).collect(),
                place: Placement::default(),
                estimate: 0.0,
            },
            Outcome::Measured(series),
        )
    }
}

fn series(metric: &str, unit: Unit, value: f64) -> Series {
    let better = if unit == Unit::Seconds { Better::Lower } else { Better::Higher };
    Series { samples: vec![value], ..Series::new(metric, unit, better) }
}

fn compared(records: &[(&str, &Record)]) -> Comparison {
    let mut gathering = Gathering::explaining();
    records.iter().for_each(|(name, record)| gathering.add(name, record));
    gathering.finish(0)
}

fn only(a: (&str, &Record), b: (&str, &Record)) -> Explanation {
    let mut all = compared(&[a, b]).explained;
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn parts(of: &Explanation) -> &Parts {
    of.parts.as_ref().unwrap()
}

fn step(of: &Explanation, factor: Factor) -> &Step {
    parts(of).steps.iter().find(|s| s.factor == factor).unwrap()
}

fn times(of: &Explanation, factor: Factor) -> f64 {
    step(of, factor).times.as_ref().unwrap().value
}

/// The known factors and the rest, multiplied.
fn product(of: &Explanation) -> f64 {
    let known = parts(of).steps.iter().filter_map(|s| s.times.as_ref().ok());
    known.map(|t| t.value).product::<f64>() * parts(of).rest.times.value
}

/// A published run of `perf stat` of bc as its importer leaves it.
fn bc(name: &str, scope: &str) -> Record {
    let line = PERF.lines().find(|l| l.starts_with(name)).unwrap();
    let cells: Vec<&str> = line.split(',').collect();
    let number = |i: usize| cells[i].parse::<f64>().ok();
    let mut all = vec![series("elapsed", Unit::Seconds, number(2).unwrap())];
    if let Some(cpu) = number(3) {
        all.push(series("user", Unit::Seconds, cpu - 0.015197));
        all.push(series("system", Unit::Seconds, 0.015197));
    }
    let of = if scope == "process" { "of" } else { "during" };
    let what = "bash -c echo \"7^999999\" | bc > /dev/null";
    let params = [("tool", "perf stat".into()), ("scope", scope.into()), (of, what.into())];
    let mut run = run("perf_stat", &params, all);
    for (event, at) in [("cpu-cycles", 5), ("instructions", 7)] {
        let (value, coverage) = (number(at).unwrap(), number(at + 1).unwrap());
        run.readings.push(Reading { name: event.into(), unit: Unit::Count, value, coverage });
    }
    let mut machine = Machine::default();
    machine.set_in("cpu.frequency.max", number(4).unwrap(), Unit::Hertz, "lscpu");
    record(machine, vec![run])
}

/// The published runs of point select on a machine.
fn queries(name: &str) -> Record {
    let mut machine = Machine::default();
    let mut runs = vec![];
    for line in QUERIES.lines().filter(|l| l.split(',').next() == Some(name)) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |i: usize| cells[i].parse::<f64>().ok();
        machine.set_in("cpu.frequency.base", number(1).unwrap(), Unit::Hertz, "label");
        if let Some(most) = number(2) {
            machine.set_in("cpu.frequency.max", most, Unit::Hertz, "lscpu");
        }
        let params: Vec<(&str, Value)> = vec![
            ("cores", cells[3].parse::<u64>().unwrap().into()),
            ("placement", cells[4].into()),
            ("os", cells[5].into()),
            ("server", cells[6].into()),
        ];
        let mut all = vec![series("queries", Unit::PerSecond, number(7).unwrap())];
        all.extend(number(8).map(|ipc| series("ipc", Unit::PerCycle, ipc)));
        // As the catalogue has it: the ends of a range, here equal.
        all.extend(number(9).into_iter().flat_map(|used| {
            ["least", "most"].map(|end| {
                let mut one = series("cpus_used", Unit::Count, used);
                one.at.insert("end".into(), end.into());
                one
            })
        }));
        runs.push(run("sysbench", &params, all));
    }
    assert!(!runs.is_empty(), "{name}");
    record(machine, runs)
}

/// The explanation of one cell of the table.
fn select(a: &str, b: &str, cores: u64, placement: &str, server: &str) -> Explanation {
    let (x, y) = (queries(a), queries(b));
    let of = compared(&[(a, &x), (b, &y)]);
    let mut found: Vec<Explanation> = of
        .explained
        .into_iter()
        .filter(|e| e.at["cores"] == cores.into() && e.at["placement"] == placement.into())
        .collect();
    // The server is no part of what it is: the nearest one was chosen.
    found.retain(|e| {
        e.unlike.iter().all(|u| !matches!(u, Incomparable::Software(n, ..) if n == "server"))
            || server.is_empty()
    });
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn bc_on_intel_against_kunpeng_closes_within_a_percent() {
    let (intel, kunpeng) = (bc("intel-8269cy bc", "process"), bc("kunpeng-920 bc", "process"));
    let of = only(("kunpeng", &kunpeng), ("intel", &intel));
    assert!((of.ratio - 24.604603640 / 18.603323495).abs() < 1e-9);
    assert!(parts(&of).rest.holds.is_empty());
    assert!((parts(&of).rest.times.value - 1.0).abs() < 0.01, "{:?}", parts(&of).rest);
    assert!((product(&of) / of.ratio - 1.0).abs() < 1e-12);
    // 128.3 G instructions against 117.8 G, 3.16 GHz against 2.60, IPC 2.19 against 1.84.
    assert!((times(&of, Factor::Instructions) - 117.790453518 / 128.284870917).abs() < 1e-9);
    assert!((times(&of, Factor::Ipc) - 2.1882 / 1.8444).abs() < 1e-3);
    assert!((times(&of, Factor::Frequency) - 3.162 / 2.5957).abs() < 1e-3);
    assert!((times(&of, Factor::Cores) - 0.99665).abs() < 1e-4);
    let how = |f| step(&of, f).sides.clone().map(|s| s.unwrap().how);
    assert_eq!(how(Factor::Frequency), [How::Inferred, How::Measured]);
    assert_eq!(how(Factor::Ipc), [How::Measured, How::Measured]);
    let text = of.summary.join(" ");
    assert!(text.contains("intel is 1.32 times as fast as kunpeng"), "{text}");
    assert!(text.contains("intel executes more instructions than kunpeng"), "{text}");
    assert!(text.contains("the residual is <0.01 %"), "{text}");
}

#[test]
fn counts_of_a_whole_machine_explain_nothing() {
    let kunpeng = bc("kunpeng-920 bc", "process");
    for (line, scope) in
        [("hygon-5280 bc", "system"), ("ft2500 bc", "system"), ("ft2500 bc", "unknown")]
    {
        let other = bc(line, scope);
        for (a, b) in [(&kunpeng, &other), (&other, &kunpeng)] {
            let of = only(("a", a), ("b", b));
            let why = of.parts.as_ref().unwrap_err();
            assert!(why.why.contains("not its own") && why.remedy.is_some(), "{why}");
            assert!(of.summary[0].contains("The cause is unknown"), "{:?}", of.summary);
            assert!(of.main().is_none());
        }
    }
    // Called a program's, its cycles still do not fit into its time.
    let claimed = bc("hygon-5280 bc", "process");
    let why = only(("a", &kunpeng), ("b", &claimed)).parts.unwrap_err();
    assert!(why.why.contains("other programs were counted"), "{why}");
}

#[test]
fn hygon_against_8163_on_32_cores_is_ipc() {
    let of = select("intel-8163", "hygon-7280", 32, "physical cores", "MySQL");
    assert_eq!(of.main().unwrap().0, Factor::Ipc);
    assert!((times(&of, Factor::Ipc) - 0.37 / 0.67).abs() < 1e-9);
    assert!(
        of.summary[0]
            .contains("Most of it is IPC: 0.552 times (0.370 here, 0.670 in the baseline)"),
        "{:?}",
        of.summary
    );
    // Its operating system is another, and that is reported; the server is the same one of two.
    assert!(of.unlike.iter().any(|u| matches!(u, Incomparable::Software(n, a, b) if (n.as_str(), a.as_str(), b.as_str()) == ("os", "AliOS", "CentOS 7.9"))));
    assert!(of.unlike.iter().all(|u| !matches!(u, Incomparable::Software(n, ..) if n == "server")));
    assert!((product(&of) / of.ratio - 1.0).abs() < 1e-12);
}

/// The instruction set of a record's machine.
fn on(architecture: &str, mut of: Record) -> Record {
    of.machine.set("kernel.arch", architecture, "lscpu");
    of
}

#[test]
fn one_server_on_one_instruction_set_leaves_the_frequency() {
    let (intel, hygon) = (on("x86_64", queries("intel-8163")), on("x86_64", queries("hygon-7280")));
    let of = compared(&[("intel", &intel), ("hygon", &hygon)]);
    let at32 = of.explained.iter().find(|e| e.at["cores"] == 32u64.into()).unwrap();
    assert_eq!(parts(at32).inferred, Some(Factor::Frequency));
    assert_eq!(times(at32, Factor::Instructions), 1.0);
    let left = at32.ratio / (0.37 / 0.67);
    assert!((times(at32, Factor::Frequency) - left).abs() < 1e-9, "{left}");
    assert!((product(at32) / at32.ratio - 1.0).abs() < 1e-12);
    // One explanation for all points, in a few sentences, with what is left over.
    let family = &of.families[0];
    assert_eq!((of.families.len(), family.points), (1, of.explained.len()));
    assert!(family.points >= 2 && family.unchecked(), "{family:?}");
    let text = family.summary.join(" ");
    assert!(text.contains("Nobody measured the frequency") && family.summary.len() < 5, "{text}");
    // On another instruction set instructions are the unknown, and on one nobody states nothing is assumed.
    for other in [on("aarch64", queries("hygon-7280")), queries("hygon-7280")] {
        let of = compared(&[("intel", &intel), ("other", &other)]);
        assert!(of.explained.iter().all(|e| parts(e).inferred.is_none()));
        assert!(of.families[0].holds.contains(&Factor::Instructions));
    }
}

#[test]
fn what_no_stated_frequency_allows_is_the_residual() {
    let (mut a, mut b) = (on("x86_64", queries("intel-8163")), on("x86_64", queries("intel-8163")));
    for record in [&mut a, &mut b] {
        record.runs.retain(|r| r.case.get(param::SERVER) == Some("MySQL 5.7.34 community"));
        assert!(!record.runs.is_empty());
    }
    for run in &mut b.runs {
        let Outcome::Measured(all) = &mut run.outcome else { continue };
        all.iter_mut()
            .filter(|s| s.metric == record::Metric::Queries)
            .for_each(|s| s.samples[0] *= 2.0);
    }
    let of = compared(&[("a", &a), ("b", &b)]);
    // 2.5 to 3.1 GHz on both sides: 1.24 times at most.
    let family = &of.families[0];
    assert!(family.holds.is_empty() && !family.unchecked());
    assert!(family.rest.iter().all(|x| (x - 2.0 / 1.24).abs() < 1e-9), "{family:?}");
    assert!(family.summary.join(" ").contains("the residual is 1.61"), "{:?}", family.summary);
}

#[test]
fn counters_of_the_record_beat_a_label() {
    let mut counted = bc("intel-8269cy bc", "process");
    let prime = run(
        "sysbench",
        &[("test", "cpu".into()), ("thread_count", 1u64.into())],
        vec![series("elapsed", Unit::Seconds, 83.0)],
    );
    counted.runs.push(prime.clone());
    let plain = record(counted.machine.clone(), vec![prime]);
    let of = compared(&[("plain", &plain), ("counted", &counted)]);
    let sides = &step(&of.explained[0], Factor::Frequency).sides;
    let hertz = |i: usize| sides[i].as_ref().map(|a| (a.value / 1e7).round() / 100.0);
    assert_eq!((hertz(0), hertz(1)), (Some(2.5), Some(3.16)), "{sides:?}");
    assert_eq!(sides[1].as_ref().unwrap().how, How::Inferred);
}

#[test]
fn kunpeng_executes_more_instructions_for_a_query() {
    for cores in [1, 32] {
        let of = select("intel-8163", "kunpeng-920", cores, "physical cores", "MySQL");
        assert_eq!(parts(&of).rest.holds, [Factor::Instructions]);
        let text = of.summary.join(" ");
        assert!(
            text.contains(
                "kunpeng-920 executes more instructions than intel-8163 for the same work"
            ),
            "{text}"
        );
        assert!(of.unlike.is_empty(), "one system and server: {:?}", of.unlike);
    }
    // 131 thousand against 82 thousand at the labelled frequencies, 102 thousand if the 8163 ran at its maximum.
    let of = select("intel-8163", "kunpeng-920", 1, "physical cores", "MySQL");
    let rest = parts(&of).rest.times;
    assert!((1.0 / rest.value - 1.594).abs() < 0.005, "{rest:?}");
    assert!((1.0 / rest.high - 1.286).abs() < 0.005, "{rest:?}");
    assert!(rest.sure());
    assert_eq!(step(&of, Factor::Frequency).sides[0].as_ref().unwrap().how, How::Stated);
}

#[test]
fn the_ipc_of_an_smt_pair_is_as_printed() {
    let of = select("intel-8163", "hygon-7280", 1, "1 SMT pair", "MySQL");
    // 35894 over 25474 against 21747 over 13441: a part of the IPC of a thread, which is as printed.
    let smt = step(&of, Factor::Smt);
    let gain = (21747.0 / 13441.0) / (35894.0 / 25474.0);
    assert!((smt.sides_times().unwrap().value - gain).abs() < 1e-9 && smt.times.is_err());
    assert_eq!(times(&of, Factor::Cores), 1.0);
    let ipc = step(&of, Factor::Ipc).sides.clone().map(|side| side.unwrap().value);
    assert_eq!((ipc, times(&of, Factor::Ipc)), ([0.60, 0.38], 0.38 / 0.60));
}

#[test]
fn cores_that_were_not_busy_count_for_less() {
    let base = queries("hygon-7280");
    let mut xdb = queries("intel-8163");
    xdb.runs.retain(|r| r.case.get(param::SERVER) == Some("XDB 5.7"));
    let of = compared(&[("hygon", &base), ("xdb", &xdb)]);
    let at32: Vec<_> = of.explained.iter().filter(|e| e.at["cores"] == 32u64.into()).collect();
    assert!(!at32.is_empty());
    for of in at32 {
        assert_eq!(times(of, Factor::Cores), 24.0 / 32.0);
        let server = |u: &Incomparable| matches!(u, Incomparable::Software(n, ..) if n == "server");
        assert!(of.unlike.iter().any(server), "{:?}", of.unlike);
    }
}

/// A machine of so many nodes, each of four cores.
fn nodes(count: u32) -> Machine {
    let mut machine = Machine::default();
    machine.set_in("cpu.frequency.base", 2e9, Unit::Hertz, "test");
    for id in 0..4 * count {
        let siblings = [id].into_iter().collect();
        let (package, node) = (Some(id / 4), Some(id / 4));
        machine.topology.cpus.push(Cpu {
            id,
            online: true,
            siblings,
            package,
            node,
            ..Cpu::default()
        });
    }
    for id in 0..count {
        let cpus = (4 * id..4 * id + 4).collect();
        machine.topology.nodes.push(Node { id, cpus, ..Node::default() });
    }
    machine
}

/// Reading by one core and by four, with a share of the memory on the second node.
fn reads(one: f64, four: f64, remote: f64) -> Record {
    let mut all = vec![];
    for (threads, cpus, rate) in [("one", 1u32, one), ("all", 4, four)] {
        let mut s = series("bandwidth", Unit::BytesPerSecond, rate);
        let nodes =
            [(0, 1.0 - remote), (1, remote)].into_iter().filter(|(_, x)| *x > 0.0).collect();
        s.buffer = Some(Buffer { nodes, ..Buffer::default() });
        s.frequency = Some(2e9);
        let mut made =
            run("bandwidth", &[("kernel", "read".into()), ("threads", threads.into())], vec![s]);
        made.case.place.cpus = (0..cpus).collect();
        all.push(made);
    }
    let matrix = [(0u32, 0u32, 10e9), (0, 1, 5e9)].map(|(from, to, rate)| {
        series("bandwidth", Unit::BytesPerSecond, rate).at(param::FROM, from).at(param::TO, to)
    });
    all.push(run("numa_matrix", &[], matrix.into()));
    record(nodes(2), all)
}

fn all_cores(of: &Comparison) -> &Explanation {
    of.explained.iter().find(|e| e.at["threads"] == "all".into()).unwrap()
}

#[test]
fn bandwidth_that_four_cores_share_is_told_from_what_one_can() {
    let of = compared(&[("a", &reads(10e9, 40e9, 0.0)), ("b", &reads(10e9, 20e9, 0.0))]);
    let of = all_cores(&of);
    assert_eq!(times(of, Factor::Bandwidth), 0.5);
    assert_eq!((times(of, Factor::Cores), times(of, Factor::Locality)), (1.0, 1.0));
    assert_eq!(of.main().unwrap().0, Factor::Bandwidth);
    assert!((parts(of).rest.times.value - 1.0).abs() < 1e-12);
}

#[test]
fn memory_of_another_node_is_told_from_the_rest() {
    let of = compared(&[("a", &reads(10e9, 40e9, 0.0)), ("b", &reads(10e9, 40e9, 0.5))]);
    let of = all_cores(&of);
    // Half of it twice as slow: 1 / (0.5 + 0.5 x 2).
    assert!((times(of, Factor::Locality) - 1.0 / 1.5).abs() < 1e-12);
    assert_eq!(step(of, Factor::Locality).sides[1].as_ref().unwrap().how, How::Inferred);
}

#[test]
fn a_scaling_run_of_a_command_is_explained_step_by_step() {
    let scaled = |rate: f64, used: f64, ipc: f64, frequency: f64| {
        let runs = [("1 core", 1u64, 1u64), ("2 cores", 2, 2)].into_iter().flat_map(
            |(step, cores, threads)| {
                (1..=3u64).map(move |repeat| {
                    let s = Series {
                        frequency: Some(frequency),
                        ..series("throughput", Unit::PerSecond, rate * cores as f64)
                    };
                    let params: Vec<(&str, Value)> = vec![
                        ("workload", "command".into()),
                        ("command", Value::List(vec!["gzip".into()])),
                        ("step", step.into()),
                        ("cores", cores.into()),
                        ("threads", threads.into()),
                        ("copies", threads.into()),
                        ("repeat", repeat.into()),
                    ];
                    let beside = vec![
                        s,
                        series("cpus_used", Unit::Count, used * cores as f64),
                        series("ipc", Unit::PerCycle, ipc),
                    ];
                    let mut made = run("scaling_run", &params, beside);
                    made.origin = None;
                    made
                })
            },
        );
        record(nodes(1), runs.collect())
    };
    let of = compared(&[("a", &scaled(1.0, 1.0, 2.0, 2e9)), ("b", &scaled(1.2, 0.9, 2.0, 4e9))]);
    assert_eq!(of.explained.len(), 2, "one for each step, however often it was repeated");
    for of in &of.explained {
        assert!((times(of, Factor::Cores) - 0.9).abs() < 1e-12);
        assert_eq!((times(of, Factor::Frequency), times(of, Factor::Ipc)), (2.0, 1.0));
        assert!((parts(of).rest.times.value - 1.2 / 1.8).abs() < 1e-12);
        assert_eq!(step(of, Factor::Ipc).sides[0].as_ref().unwrap().how, How::Measured);
    }
}

#[test]
fn nothing_is_explained_where_it_was_not_asked_for_and_odd_numbers_do_no_harm() {
    let (a, mut b) = (queries("intel-8163"), queries("kunpeng-920"));
    let mut plain = Gathering::new();
    plain.add("a", &a);
    plain.add("b", &b);
    assert!(plain.finish(0).explained.is_empty());
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320, 1e308] {
        for run in &mut b.runs {
            let Outcome::Measured(all) = &mut run.outcome else { continue };
            all.iter_mut().for_each(|s| s.samples = vec![odd]);
        }
        for of in compared(&[("a", &a), ("b", &b)]).explained {
            assert!(of.ratio.is_finite() && of.ratio > 0.0, "{odd}");
        }
    }
}
