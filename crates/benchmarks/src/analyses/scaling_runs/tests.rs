//! Scaling runs of workloads whose shape is known.
use super::*;
use crate::example::{self, Step as Shape, add_scaling_run};
use record::{Better, Metric, Outcome, Reading, Unit, Value, param};

/// Sets a metric of the step to one value in all repeats.
fn with(record: &mut Record, step: &str, metric: Metric, value: f64) {
    for run in record.runs.iter_mut().filter(|r| r.case.get(param::STEP) == Some(step)) {
        let Outcome::Measured(all) = &mut run.outcome else { continue };
        if metric == Metric::Frequency {
            all[0].frequency = Some(value);
            continue;
        }
        let mut s = Series::new(metric, Unit::PerCycle, Better::Higher);
        s.samples = vec![value];
        all.push(s);
    }
}

fn found(record: &Record) -> ScalingRun {
    let mut all = ScalingRuns::compute(&Report::new(record)).0;
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn of(steps: &[Shape<'static>]) -> ScalingRun {
    let mut record = example::empty();
    add_scaling_run(&mut record, "one-to-one", steps);
    found(&record)
}

const FLAT: [Shape<'static>; 4] = [
    ("1 core", 1, 1, 100.0, 1.0),
    ("2 cores", 2, 2, 150.0, 2.0),
    ("4 cores", 4, 4, 160.0, 4.0),
    ("all cores", 8, 8, 161.0, 8.0),
];

#[test]
fn a_workload_that_scales_is_not_limited_and_its_siblings_are_worth_what_they_add() {
    let scaling_run = of(&[
        ("1 core", 1, 1, 100.0, 1.0),
        ("SMT pair", 1, 2, 130.0, 2.0),
        ("2 cores", 2, 2, 200.0, 2.0),
        ("4 cores", 4, 4, 399.0, 4.0),
        ("all cores", 8, 8, 795.0, 8.0),
        ("all threads", 8, 16, 1030.0, 16.0),
    ]);
    assert_eq!(scaling_run.workload, "core_rate op=add");
    assert!(
        matches!(scaling_run.limit, Ok(Limit::None(e)) if (e - 0.99).abs() < 0.01),
        "{:?}",
        scaling_run.limit
    );
    let pairs: Vec<(&str, &str)> =
        scaling_run.siblings.iter().map(|g| (g.step.as_str(), g.with.as_str())).collect();
    assert_eq!(pairs, [("SMT pair", "1 core"), ("all threads", "all cores")]);
    let pair = scaling_run.siblings[0].found.as_ref().unwrap();
    assert!((pair.estimate - 1.3).abs() < 0.01 && pair.distinguishable);
    let law = scaling_run.law.unwrap();
    assert!(law.sigma < 0.01 && law.misfit < 0.01, "{law:?}");
    let efficiency: Vec<f64> =
        scaling_run.scaling_points.iter().filter_map(|r| r.efficiency).collect();
    assert!((efficiency[1] - 1.3).abs() < 0.01 && (efficiency[5] - 1.2875).abs() < 0.01);
    // The next run's median may lie beyond all repeats of this one.
    let holds = |r: &ScalingPoint| {
        let interval = r.interval.unwrap();
        r.rates.len() == 7 && r.rates.iter().all(|x| interval.low < *x && *x < interval.high)
    };
    assert!(scaling_run.scaling_points.iter().all(holds));
}

#[test]
fn idle_cpus_mean_waiting_and_full_ones_something_shared() {
    let mut steps = FLAT;
    assert!(matches!(of(&steps).limit, Ok(Limit::Shared { flat: true, .. })));
    steps[3].4 = 3.0;
    let limit = of(&steps).limit.unwrap();
    assert!(
        matches!(limit, Limit::Waiting { flat: true, full, .. } if (full - 0.375).abs() < 1e-9)
    );
    assert!(
        limit.words(8).contains("locks") && limit.words(8).contains("38 %"),
        "{}",
        limit.words(8)
    );
    // Still rising: not flat, but waiting all the same.
    steps[3].3 = 300.0;
    assert!(matches!(of(&steps).limit, Ok(Limit::Waiting { flat: false, .. })));
}

#[test]
fn instructions_and_clock_tell_memory_from_power() {
    let mut record = example::empty();
    add_scaling_run(&mut record, "one-to-one", &FLAT);
    with(&mut record, "1 core", Metric::Ipc, 2.0);
    with(&mut record, "all cores", Metric::Ipc, 0.4);
    assert!(
        matches!(found(&record).limit, Ok(Limit::Stalled { ratio, .. }) if (ratio - 0.2).abs() < 1e-9)
    );
    // The frequency falls a little, and does not explain a fifth of the throughput.
    with(&mut record, "1 core", Metric::Frequency, 3e9);
    with(&mut record, "all cores", Metric::Frequency, 2.7e9);
    assert!(matches!(found(&record).limit, Ok(Limit::Stalled { .. })));

    let mut record = example::empty();
    let steps = [
        ("1 core", 1, 1, 100.0, 1.0),
        ("2 cores", 2, 2, 190.0, 2.0),
        ("all cores", 4, 4, 320.0, 4.0),
    ];
    add_scaling_run(&mut record, "one-to-one", &steps);
    with(&mut record, "1 core", Metric::Frequency, 3e9);
    with(&mut record, "all cores", Metric::Frequency, 2.4e9);
    assert!(
        matches!(found(&record).limit, Ok(Limit::Frequency { ratio, .. }) if (ratio - 0.8).abs() < 1e-9)
    );
}

/// Idle CPUs say nothing where others had them, or a quota took them away.
#[test]
fn what_others_take_is_not_the_workloads_fault() {
    let mut steps = FLAT;
    steps[3].4 = 3.0;
    let mut record = example::empty();
    add_scaling_run(&mut record, "one-to-one", &steps);
    record.machine.set(facts::CPU_QUOTA, 3.0, "example");
    let why = found(&record).limit.unwrap_err();
    assert!(why.why.contains("quota allows 3.00 CPUs"), "{why}");
    for run in &mut record.runs {
        run.readings[0].value = 0.2;
    }
    let why = found(&record).limit.unwrap_err();
    assert!(why.why.contains("took 20 %"), "{why}");
}

#[test]
fn one_step_few_repeats_and_failures_are_told() {
    let scaling_run = of(&FLAT[..1]);
    assert!(scaling_run.limit.unwrap_err().why.contains("one step"));
    assert!(scaling_run.law.unwrap_err().why.contains("there is 1"));
    let many = of(&FLAT[FLAT.len() - 1..]).limit.unwrap_err();
    let cores = FLAT[FLAT.len() - 1].1;
    assert!(
        many.why.starts_with(&format!("only one point was measured ({cores} cores)")),
        "{many}"
    );
    assert!(many.remedy.is_some_and(|remedy| remedy.contains("begins with one core")));

    let mut record = example::empty();
    add_scaling_run(&mut record, "one-to-one", &[FLAT[0], ("SMT pair", 1, 2, 120.0, 2.0)]);
    record.runs.truncate(6);
    let why = found(&record).siblings[0].found.clone().unwrap_err();
    assert!(why.why.starts_with("3 repeats"), "{why}");

    let mut record = example::empty();
    add_scaling_run(&mut record, "one-to-one", &FLAT);
    for run in record.runs.iter_mut().filter(|r| r.case.get(param::STEP) == Some("all cores")) {
        run.outcome = Outcome::Failed(Reason::new("8 of 8 copies failed: exit code 1 (8)"));
    }
    let scaling_run = found(&record);
    let last = scaling_run.scaling_points.last().unwrap();
    assert!(last.median.is_none() && last.failed.len() == 1 && last.efficiency.is_none());
    assert!(scaling_run.law.is_err());
}

#[test]
fn pinning_is_compared_step_by_step_with_its_sign() {
    let mut record = example::empty();
    add_scaling_run(&mut record, "one-to-one", &FLAT);
    let free =
        FLAT.map(|(s, c, t, rate, used)| (s, c, t, if c == 8 { rate * 1.05 } else { rate }, used));
    add_scaling_run(&mut record, "unpinned", &free);
    let scaling_run = found(&record);
    assert_eq!((scaling_run.scaling_points.len(), scaling_run.main().count()), (8, 4));
    let significant: Vec<bool> =
        scaling_run.unpinned.iter().map(|g| g.found.as_ref().unwrap().distinguishable).collect();
    assert_eq!(significant, [false, false, false, true]);
    assert!((scaling_run.unpinned[3].found.as_ref().unwrap().estimate - 1.05).abs() < 0.01);
}

/// The sampler counts what a command starts; of a probe it would count the filling of memory as well.
#[test]
fn a_commands_instructions_are_those_of_the_sampler_or_have_a_reason() {
    let mut record = example::empty();
    add_scaling_run(&mut record, "one-to-one", &FLAT);
    for run in &mut record.runs {
        run.readings.push(Reading::new("counters.ipc", Unit::PerCycle, 1.5));
        run.unread.insert("counters".into(), Reason::new("there is no PMU"));
    }
    let scaling_point = found(&record).scaling_points.remove(0);
    assert_eq!(
        (scaling_point.ipc, scaling_point.uncounted.unwrap().why.as_str()),
        (None, "there is no PMU")
    );
    let command = Value::List(vec!["gzip".into(), "-k".into()]);
    for run in &mut record.runs {
        run.case.params.insert("command".into(), command.clone());
    }
    let scaling_run = found(&record);
    assert_eq!(
        (scaling_run.workload.as_str(), scaling_run.scaling_points[0].ipc),
        ("gzip -k", Some(1.5))
    );
}

/// Runs of a command: by step, the seconds of each copy, which are all CPU time.
fn runs(steps: &[(&str, u64, &[f64])], rated: bool) -> ScalingRun {
    let all: Vec<CopiesOfStep<'_>> = steps
        .iter()
        .map(|(step, cores, times)| (*step, *cores, times.iter().map(|s| (*s, *s)).collect()))
        .collect();
    commands("openssl speed", &all, rated)
}

/// A step, its cores, and the seconds and CPU seconds of each copy.
type CopiesOfStep<'a> = (&'a str, u64, Vec<(f64, f64)>);

/// Runs of a command: by step, the seconds and CPU seconds of each copy.
fn commands(line: &str, steps: &[CopiesOfStep<'_>], rated: bool) -> ScalingRun {
    let mut record = example::empty();
    for repeat in [1.0, 1.001, 0.999] {
        for (step, cores, copies) in steps {
            let of = |metric: &str, unit, samples| Series {
                samples,
                ..Series::new(metric, unit, Better::Lower)
            };
            let times: Vec<f64> = copies.iter().map(|(seconds, _)| seconds * repeat).collect();
            let cpu = copies.iter().map(|(_, cpu)| cpu * repeat).collect();
            let rate = times.len() as f64 / times.iter().copied().fold(0.0, f64::max);
            let series = vec![
                of("throughput", Unit::PerSecond, vec![rate]),
                of("copy_time", Unit::Seconds, times),
                of("cpu_time", Unit::Seconds, cpu),
                of("cpus_used", Unit::Count, vec![*cores as f64]),
            ];
            let params = [("step", *step), ("policy", "one-to-one"), ("memory", "local")];
            example::measured(&mut record, "scaling_run", &params, series);
            let params = &mut record.runs.last_mut().unwrap().case.params;
            for name in ["cores", "threads", "copies"] {
                params.insert(name.into(), Value::Integer(*cores));
            }
            let words = line.split(' ').map(Value::from).collect();
            params.insert("command".into(), Value::List(words));
            if rated {
                params.insert("rate".into(), "([0-9]+)k".into());
            }
        }
    }
    found(&record)
}

#[test]
fn a_command_that_sets_its_own_duration_is_refused_a_verdict() {
    // As `openssl speed -seconds 1` on two CPUs.
    let steps: [(&str, u64, &[f64]); 2] =
        [("1 core", 1, &[6.01]), ("all cores", 2, &[6.012, 6.015])];
    let refused = runs(&steps, false);
    let why = refused.limit.unwrap_err();
    assert!(why.why.contains("a run takes 6.01 s"), "{why}");
    assert!(why.remedy.unwrap().contains("--rate-regex"));
    assert!(refused.scaling_points.iter().all(|p| p.efficiency.is_none() && p.median.is_some()));
    assert!(refused.law.is_err() && refused.siblings.is_empty() && refused.unpinned.is_empty());
    assert!(refused.fixed_duration.is_some());
    // With a rate of its own it is not asked how long it ran.
    let rated = runs(&steps, true);
    assert!(rated.fixed_duration.is_none() && matches!(rated.limit, Ok(Limit::None(_))));
    // What computes takes longer beside copies of itself, if by little.
    let computes = runs(&[("1 core", 1, &[6.0]), ("all cores", 2, &[6.05, 6.06])], false);
    assert!(computes.fixed_duration.is_none() && matches!(computes.limit, Ok(Limit::None(_))));
    // A delayed run, as on a busy machine, changes nothing.
    let delayed = [
        ("1 core", 1, &[1.0][..]),
        ("all cores", 2, &[1.002, 1.003]),
        ("all threads", 4, &[1.0, 1.001, 1.002, 1.06]),
    ];
    assert!(runs(&delayed, false).fixed_duration.is_some());
    let scattered = runs(&[("1 core", 1, &[6.0]), ("all cores", 2, &[5.8, 6.2])], false);
    assert!(scattered.fixed_duration.is_none());
    // One step shows nothing.
    assert!(runs(&steps[..1], false).fixed_duration.is_none());
}

/// Times of `sysbench cpu --time=3 run` and of a busy loop on two CPUs that others used most of the time.
#[test]
fn a_duration_that_holds_while_the_cpu_is_refused_is_the_commands_own() {
    let of = |line: &str, one: [(f64, f64); 3], all: [(f64, f64); 2]| {
        let steps = [("1 core", 1, one.to_vec()), ("all cores", 2, all.to_vec())];
        commands(line, &steps, false).fixed_duration.is_some()
    };
    let sysbench =
        ([(3.101, 0.85), (3.033, 0.508), (3.049, 0.667)], [(3.138, 0.47), (3.092, 0.53)]);
    let busy = ([(2.581, 0.576), (3.628, 0.581), (3.691, 0.582)], [(3.702, 0.582), (4.732, 0.584)]);
    assert!(of("x", sysbench.0, sysbench.1));
    assert!(!of("x", busy.0, busy.1));
    // An option says so, unless the CPU time is what the runs have in common.
    let shared = ([(3.1, 1.5), (3.02, 1.5), (3.05, 1.51)], [(3.12, 1.5), (3.04, 1.5)]);
    for line in [
        "x --time=3",
        "x --duration 3s",
        "x -d3s",
        "timeout 3 x",
        "x -seconds 3",
        "sh -c x -t 3000ms",
    ] {
        assert!(of(line, shared.0, shared.1.map(|(time, _)| (time, time / 2.0))), "{line}");
        assert!(!of(line, busy.0, busy.1), "{line}");
    }
    for line in ["x", "x 3", "x -j 3", "x --threads=3", "timeout 4 x", "timeout 1 x"] {
        assert!(!of(line, shared.0, shared.1.map(|(time, _)| (time, time / 2.0))), "{line}");
    }
    let fixed_work = [(3.0, 1.5), (3.3, 1.5), (3.1, 1.51)];
    assert!(!of("x -t 3", fixed_work, [(3.02, 1.5), (3.2, 1.5)]));
    // Threads that wait busily use CPU time in proportion.
    assert!(!of("x", [(1.0, 8.0), (1.02, 8.16), (1.04, 8.32)], [(1.01, 8.08), (1.03, 8.24)]));
    // One time that is no time that people set is a coincidence of fixed work.
    assert!(!of("x", [(3.27, 3.27), (3.271, 3.27), (3.269, 3.27)], [(3.27, 3.27), (3.272, 3.27)]));
}

#[test]
fn a_command_that_is_over_too_soon_waits_for_nothing() {
    let of = |one: f64, all: f64| {
        runs(&[("1 core", 1, &[one]), ("all cores", 2, &[all, all])], false).limit
    };
    let why = of(0.08, 0.15).unwrap_err();
    assert!(why.why.contains("a run takes 80 ms") && why.remedy.is_some(), "{why}");
    assert!(matches!(of(0.8, 1.5), Ok(Limit::Shared { .. })));
    assert!(matches!(of(0.08, 0.081), Ok(Limit::None(_))));
}

/// A server's points: the client's rate, the server's CPU use, the client's use of its two CPUs.
fn served(steps: &[Shape<'static>], client: f64) -> ScalingRun {
    let mut record = example::empty();
    add_scaling_run(&mut record, "range", steps);
    for run in &mut record.runs {
        let words = |text: &str| vec![Value::from(text.to_owned())];
        let params = [
            param::COMMAND_WORDS.set(words("load")),
            param::SERVER_WORDS.set(words("serve")),
            param::CLIENT_CPUS.set("8,9"),
        ];
        run.case.params.extend(params.map(|(name, value)| (name.to_owned(), value)));
        run.readings.push(Reading::new("command.client_cpus_used", Unit::Count, 2.0 * client));
    }
    found(&record)
}

#[test]
fn a_full_client_beside_an_idle_server_limits_and_one_core_tells_no_scaling() {
    let idle: Vec<Shape<'static>> = FLAT
        .iter()
        .map(|s| (s.0, s.1, s.2, s.3, if s.2 == 1 { 1.0 } else { 0.5 * s.2 as f64 }))
        .collect();
    let limit = served(&idle, 0.97).limit.unwrap();
    assert!(
        matches!(limit, Limit::Client { full, client } if (full, client) == (0.5, 0.97)),
        "{limit:?}"
    );
    // A client that is idle itself does not limit.
    assert!(matches!(served(&idle, 0.4).limit.unwrap(), Limit::Waiting { .. }));
    assert!(matches!(served(&FLAT, 0.97).limit.unwrap(), Limit::Shared { .. }));
    let one = served(&FLAT[..1], 0.4);
    assert_eq!(one.workload, "load (server: serve)");
    assert!(one.limit.as_ref().unwrap_err().why.contains("how it scales is unknown"));
    let said = one.says().join(" ");
    assert!(said.contains("used 100 % of its CPUs and the client 40 %"), "{said}");
    assert!(said.contains("the server's CPUs limit"), "{said}");
}
