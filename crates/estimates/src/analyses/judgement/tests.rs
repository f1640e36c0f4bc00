//! Each objection with the machine that raises it, and one that does not.
use super::*;
use crate::example::{empty, measured};
use record::{Better, Cpu, Reading, Record, ReferenceSample, Series, Unit};

fn judged(record: &Record) -> Judgement {
    Judgement::compute(&Report::new(record))
}

fn series(metric: &str, unit: Unit, samples: &[f64]) -> Series {
    let mut s = Series::new(metric, unit, Better::Neither);
    s.samples = samples.to_vec();
    s
}

fn preflight(metric: &str, value: f64) -> Record {
    let mut record = empty();
    let observed = ["busy", "steal", "runnable", "swap"]
        .map(|name| series(name, Unit::Ratio, &[if name == metric { value } else { 0.0 }]));
    measured(&mut record, "preflight", &[], observed.into());
    record
}

fn weight_of(record: &Record, word: &str) -> (Environment, bool) {
    let judgement = judged(record);
    let said = judgement.reasons.iter().any(|r| r.why.contains(word));
    (judgement.environment, said)
}

#[test]
fn nothing_known_is_said_and_only_unseen_load_casts_doubt() {
    let judgement = judged(&empty());
    assert_eq!(judgement.environment, Environment::Warn);
    assert!(judgement.reasons.len() >= 4);
    assert!(judgement.reasons.iter().all(|r| r.why.starts_with("It is unknown")));
    assert!(judgement.reasons[0].why.contains("other programs"), "{:?}", judgement.reasons[0]);
    let judgement = judged(&preflight("busy", 0.0));
    assert_eq!(judgement.environment, Environment::Pass);
    assert!(!judgement.reasons.is_empty());
}

#[test]
fn load_weighs_by_how_much() {
    use Environment::*;
    for (metric, word, cases) in [
        ("busy", "Other programs", [(0.04, Pass), (0.06, Warn), (0.3, Fail)]),
        ("steal", "Steal time was", [(0.005, Pass), (0.02, Warn), (0.11, Fail)]),
        ("swap", "swapped", [(5.0, Pass), (50.0, Warn), (5000.0, Fail)]),
    ] {
        for (value, expected) in cases {
            let said = expected != Pass;
            assert_eq!(
                weight_of(&preflight(metric, value), word),
                (expected, said),
                "{metric} {value}"
            );
        }
    }
    let runnable = |n| weight_of(&preflight("runnable", n), "wanted a CPU");
    assert_eq!(runnable(0.0), (Pass, false));
    assert_eq!(runnable(2.0), (Warn, true));
}

#[test]
fn what_happens_during_the_cases_counts_too() {
    let mut record = preflight("busy", 0.0);
    record.runs[0].took = 1.0;
    record.runs[0].readings.push(Reading {
        name: "contention.busy".into(),
        unit: Unit::Ratio,
        value: 0.5,
        coverage: 1.0,
    });
    assert_eq!(weight_of(&record, "while the cases ran"), (Environment::Fail, true));
}

/// Steal in every case is no pass, however quiet it was before; a program on a CPU that no case used takes nothing.
#[test]
fn what_was_taken_of_the_cases_decides() {
    let during = |name: &str, before: f64, value: f64| {
        let metric = name.trim_start_matches("contention.");
        let mut record = preflight(metric, before);
        record.runs[0].took = 1.0;
        record.runs[0].readings.push(Reading::new(name, Unit::Ratio, value));
        weight_of(&record, "while the cases ran")
    };
    assert_eq!(during("contention.steal", 0.0, 0.15), (Environment::Fail, true));
    assert_eq!(during("contention.busy", 0.5, 0.0), (Environment::Pass, false));
}

#[test]
fn a_quota_doubts_only_what_exceeds_it() {
    let mut record = preflight("busy", 0.0);
    measured(&mut record, "core_frequency", &[], vec![series("frequency", Unit::Hertz, &[4e9])]);
    record.machine.set("limits.cpu_quota", 1.5, "test");
    assert_eq!(weight_of(&record, "quota"), (Environment::Pass, false));
    record.runs[1].case.place.cpus.insert(1);
    assert_eq!(weight_of(&record, "quota"), (Environment::Warn, true));
    record.machine.set("limits.cpu_quota", "unlimited", "test");
    assert_eq!(weight_of(&record, "quota"), (Environment::Pass, false));
}

#[test]
fn a_narrow_cpuset_is_named() {
    let mut record = empty();
    for id in 0..4 {
        let allowed = id == 0;
        record.machine.topology.cpus.push(Cpu { id, online: true, allowed, ..Cpu::default() });
    }
    assert_eq!(weight_of(&record, "Only 1 of 4"), (Environment::Warn, true));
}

#[test]
fn a_governor_matters_only_to_a_slow_clock() {
    let mut record = preflight("busy", 0.0);
    measured(&mut record, "core_frequency", &[], vec![series("frequency", Unit::Hertz, &[3.5e9])]);
    record.machine.set("cpu.governor", "powersave", "test");
    record.machine.set("cpu.frequency.max", 3.6e9, "test");
    assert_eq!(weight_of(&record, "powersave"), (Environment::Pass, false));
    record.machine.set("cpu.frequency.max", 4.0e9, "test");
    assert_eq!(
        weight_of(&record, "maximum frequency of 4 GHz; the frequency governor is 'powersave'"),
        (Environment::Warn, true)
    );
    record.machine.set("cpu.frequency.base", 3.8e9, "test");
    assert_eq!(weight_of(&record, "base frequency of 3.80 GHz"), (Environment::Warn, true));
}

#[test]
fn a_frequency_that_varies_is_doubtful_and_interrupted_windows_are_not() {
    let weight = |window: &dyn Fn(u32) -> f64| {
        let mut record = preflight("busy", 0.0);
        let windows: Vec<f64> = (0..200).map(window).collect();
        let frequency = series("frequency", Unit::Hertz, &windows);
        measured(&mut record, "core_frequency", &[], vec![frequency]);
        weight_of(&record, "not steady")
    };
    assert_eq!(weight(&|i| 4e9 + f64::from(i) * 1e6), (Environment::Warn, true));
    assert_eq!(weight(&|i| if i < 20 { 3.8e9 } else { 4e9 }), (Environment::Warn, true));
    assert_eq!(weight(&|_| 4e9), (Environment::Pass, false));
    assert_eq!(weight(&|i| if i % 5 == 0 { 3e9 } else { 4e9 }), (Environment::Pass, false));
}

#[test]
fn a_machine_that_moved_is_doubtful() {
    let sample = |frequency| ReferenceSample {
        at: 0.0,
        cpu: 0,
        frequency: vec![frequency],
        chase: vec![1e-9],
        ..Default::default()
    };
    let mut record = empty();
    record.reference_samples = vec![sample(4e9), sample(3e9)];
    assert_eq!(weight_of(&record, "drifted"), (Environment::Warn, true));
    // What moved furthest comes before windows of the frequency that vary.
    let windows: Vec<f64> = (0..200).map(|i| 4e9 + f64::from(i) * 1e6).collect();
    let frequency = series("frequency", Unit::Hertz, &windows);
    measured(&mut record, "core_frequency", &[], vec![frequency]);
    let causes: Vec<Cause> = warnings(&Report::new(&record)).into_iter().map(|w| w.cause).collect();
    let at = |wanted: fn(&Cause) -> bool| causes.iter().position(wanted).unwrap();
    let unsteady = at(|cause| matches!(cause, Cause::FrequencyUnsteady { .. }));
    assert!(at(|cause| matches!(cause, Cause::Drift { .. })) < unsteady, "{causes:?}");

    let mut record = preflight("busy", 0.0);
    for (name, value) in
        [("placement_check.before.cas", 25e-9), ("placement_check.after.cas", 122e-9)]
    {
        record.runs[0].readings.push(Reading {
            name: name.into(),
            unit: Unit::Seconds,
            value,
            coverage: 1.0,
        });
    }
    assert_eq!(weight_of(&record, "In 1 of 1 cases"), (Environment::Warn, true));
    record.runs[0].readings[1].value = 30e-9;
    assert_eq!(weight_of(&record, "In 1 of 1 cases"), (Environment::Pass, false));
    // Each attempt was steady, and elsewhere than the other.
    for (name, value) in
        [("placement_check.before.cas.2", 122e-9), ("placement_check.after.cas.2", 122e-9)]
    {
        let reading = Reading { name: name.into(), value, ..record.runs[0].readings[0].clone() };
        record.runs[0].readings.push(reading);
    }
    assert_eq!(weight_of(&record, "In 1 of 1 cases"), (Environment::Warn, true));
}
