//! Runs of whole programs beside each other: rounds of a test, scaling runs, watts and price.
use super::*;

/// A test of UnixBench in three turns of three passes each, with more parameters.
fn turned(probe: &str, seed: f64, factor: f64, more: &[(&str, &str)]) -> Record {
    let mut record = again(3);
    let template = record.runs[0].clone();
    record.runs.clear();
    for turn in 0..3 {
        let mut run = template.clone();
        run.case.probe = probe.into();
        run.case.params = [("turn".to_owned(), format!("{}/3", turn + 1).as_str().into())].into();
        for (name, value) in more {
            run.case.params.insert((*name).into(), (*value).into());
        }
        let mut s = Series::new(Metric::Rate, record::Unit::PerSecond, Better::Higher)
            .at(param::TEST, record::unixbench::of_probe(run.case.probe).unwrap().name);
        let pass = |pass: u32| {
            let noise = (f64::from(turn * 3 + pass) * 2.4 + seed).sin() * 0.005;
            1e6 * factor * (1.0 + noise)
        };
        s.samples = (0..3).map(pass).collect();
        run.outcome = Outcome::Measured(vec![s]);
        record.runs.push(run);
    }
    record
}

/// Three medians never differ significantly; nine passes can.
#[test]
fn the_turns_of_a_test_are_one_sample() {
    let base = turned("syscall", 0.0, 1.0, &[]);
    for (factor, verdict) in [(0.8, Verdict::Worse), (1.0, Verdict::Unclear)] {
        let of = compared(&[&base, &turned("syscall", 1.0, factor, &[])]);
        assert_eq!(of.rows.len(), 1);
        assert_eq!(of.rows[0].cells[0].as_ref().unwrap().count, 9);
        assert_eq!(of.rows[0].against(1).unwrap().verdict, verdict);
    }
    // Another folder on the same filesystem, and the CPUs of two processes, are no other quantity.
    let elsewhere = [("scratch", "/mnt/b"), ("repeat", "1"), ("parent", "4"), ("child", "5")];
    let of = compared(&[&base, &turned("syscall", 1.0, 1.0, &elsewhere)]);
    assert_eq!((of.rows.len(), &of.alone[..]), (1, &[0, 0][..]));
}

#[test]
fn the_turns_of_a_test_tell_two_systems_apart() {
    let under = |system: &str, seed: f64, factor: f64| {
        let mut record = turned("dhry2reg", seed, factor, &[]);
        record.machine.set("os.name", system, "a test");
        record
    };
    let (old, same, slow) =
        (under("old", 0.0, 1.0), under("new", 1.0, 1.0), under("new", 1.0, 0.8));
    let says = |record: &Record| {
        let (a, b) = (analyse::analyse(&old), analyse::analyse(record));
        let found = analyse::diagnosis::diagnosis(&a, None).against(&a, &b);
        found.against.unwrap().sentences.join("\n")
    };
    assert!(says(&slow).contains("dhry2reg is 1.2"), "{}", says(&slow));
    assert!(says(&slow).contains("look at the frequency before a setting"), "{}", says(&slow));
    assert!(!says(&slow).contains("turn=") && !says(&same).contains("dhry2reg is"));
}

/// One system with a setting toggled: the test that asks the kernel moves, and the one that does not is the control.
#[test]
fn a_toggled_setting_is_named_beside_the_control() {
    let with = |kpti: bool, seed: f64, calls: f64| {
        let mut record = turned("syscall", seed, calls, &[]);
        record.runs.extend(turned("dhry2reg", seed, 1.0, &[]).runs);
        for (name, value) in [("os.name", "Debian"), ("kernel.release", "6.1.0")] {
            record.machine.set(name, value, "a test");
        }
        record.machine.set("kernel.kpti", kpti, "a test");
        record
    };
    let (off, on) = (with(false, 0.0, 1.0), with(true, 1.0, 0.7));
    let says = |other: &Record| {
        let (a, b) = (analyse::analyse(&off), analyse::analyse(other));
        let found = analyse::diagnosis::diagnosis(&a, None).against(&a, &b);
        found.against.unwrap().sentences.join("\n")
    };
    let said = says(&on);
    assert!(said.contains("the system are the same") && said.contains("kernel.kpti"), "{said}");
    assert!(said.contains("syscall is 1.4") && said.contains("is the same on both"), "{said}");
    // Nothing is unlike: nothing to blame.
    assert!(!says(&with(false, 1.0, 0.7)).contains("syscall is"));
}

/// However a run of ours was repeated, and wherever its files were, it stands beside UnixBench's own report.
#[test]
fn a_test_in_a_folder_of_its_own_stands_beside_the_originals() {
    let expected = [("variant", "upstream-6"), ("placement", "none"), ("start", "serial")];
    let elsewhere = [("scratch", "/mnt/b"), ("repeat", "1")];
    for more in [&expected[..], &[&expected[..], &elsewhere].concat()] {
        let mut ours = turned("syscall", 0.0, 1.0, more);
        ours.runs.iter_mut().for_each(|r| {
            r.case.params.insert("copies".into(), 1u64.into());
        });
        let mut theirs = turned("syscall", 0.0, 1.0, &[]);
        theirs.runs.truncate(1);
        let run = &mut theirs.runs[0];
        (run.case.probe, run.case.version) = ("unixbench".into(), 0);
        run.case.params =
            [("copies".to_owned(), 1u64.into()), ("tool".to_owned(), "UnixBench 6.0.0".into())]
                .into();
        run.origin = Some(record::Origin { source: 0, line: 1 });
        let of = compared(&[&theirs, &ours]);
        assert_eq!((of.rows.len(), of.alone[1]), (1, 0), "{more:?}");
    }
}

#[test]
fn repeats_of_a_scaling_run_are_one_row_and_its_steps_a_curve() {
    let (old, new) = (load("scaling_run"), load("scaling_run"));
    let of = compared(&[&old, &new]);
    let rows: Vec<_> = of.rows.iter().filter(|r| r.quantity.metric == Metric::Throughput).collect();
    assert!(rows.len() >= 4, "{}", rows.len());
    for row in &rows {
        assert!(!param::REPEAT.is_in(&row.quantity.at) && param::STEP.is_in(&row.quantity.at));
        let cell = row.cells[0].as_ref().unwrap();
        assert!(cell.count >= 3, "its samples are the repeats: {}", cell.count);
        assert!(cell.conditions.cpus >= cell.conditions.cores && cell.conditions.cores > 0);
    }
    let curve = of.curves.iter().find(|c| c.probe == ProbeId::ScalingRun).unwrap();
    let steps: Vec<f64> = curve.lines[0].iter().map(|p| p.x).collect();
    assert!(steps.len() >= 3 && steps.windows(2).all(|w| w[0] < w[1]), "{steps:?}");
    assert_eq!(curve.axis, "threads");
}

#[test]
fn watts_and_price_divide_what_a_machine_does_and_not_a_load() {
    let mut gathering = Gathering::new();
    gathering.add("a.json", &again(1));
    gathering.add("b.json", &again(2));
    let spent = |price, watts| Spent { price, watts };
    assert!(gathering.spends("a.json", spent(Some(100.0), Some(50.0))));
    assert!(gathering.spends("b.json", spent(Some(300.0), None)));
    assert!(gathering.spends("b.json", spent(None, Some(100.0))));
    assert!(!gathering.spends("c.json", Spent::default()));
    let of = gathering.finish(0);
    let (mut divided, mut not) = (0, 0);
    for against in of
        .rows
        .iter()
        .filter(|r| r.quantity.probe == ProbeId::Bandwidth)
        .filter_map(|r| r.against(1))
    {
        let spent = against.normalized.as_ref().unwrap();
        assert!((spent.per_price.unwrap() * 3.0 / against.ratio - 1.0).abs() < 1e-12);
        assert!((spent.per_watt.unwrap() * 2.0 / against.ratio - 1.0).abs() < 1e-12);
        divided += 1;
    }
    for against in ratios(&of, "load_latency") {
        assert!(against.normalized.is_none());
        not += 1;
    }
    assert!(divided > 0 && not > 0);
}
