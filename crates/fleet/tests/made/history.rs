//! Runs on one machine over time: where figures change, and what changed with them.
use super::{FIGURES, digest, worsen};
use fleet::Headline;
use fleet::digest::Digest;
use fleet::history::{History, history};
use record::{Better, Unit};
use stats::rng::Rng;

fn of(runs: &[Digest]) -> History {
    history(
        runs.iter().enumerate().map(|(i, run)| (format!("{i}.json"), Ok(run.clone()))).collect(),
    )
}

/// Runs of 30 days, from one of which on memory latency is worse by a share.
fn shifted(from: usize, share: f64) -> Vec<Digest> {
    let mut rng = Rng::new(6);
    let mut runs: Vec<Digest> = (0..30).map(|day| digest(5, 24 * day, &mut rng)).collect();
    runs[from..].iter_mut().for_each(|run| worsen(run, &["memory_latency"], share));
    runs
}

#[test]
fn what_cannot_have_changed_is_said() {
    let mut rng = Rng::new(6);
    let mut runs: Vec<Digest> = (0..9).map(|day| digest(5, 24 * day, &mut rng)).collect();
    for run in &mut runs[5..] {
        worsen(run, &["read_bandwidth"], 0.5);
        run.facts.insert("kernel.release".into(), "6.19".into());
    }
    let found = of(&runs);
    assert_eq!((found.few, found.settings.len()), ((1, 9), 1));
    for (run, started) in runs.iter_mut().zip([None, Some("rubbish"), Some("9999999-01-01")]) {
        run.started = started.map(str::to_owned);
    }
    runs[3].unfit = Some("others were busy".into());
    let mut inputs: Vec<_> =
        runs.into_iter().enumerate().map(|(i, run)| (format!("{i}.json"), Ok(run))).collect();
    inputs.push(("half.json".into(), Err("is cut short".into())));
    let found = history(inputs);
    let why: Vec<&str> = found.left_out.iter().map(|l| l.why.as_str()).collect();
    assert_eq!(
        why,
        [
            "is cut short",
            "it has no start time",
            "not fit to be measured: others were busy",
            "its time cannot be read: 9999999-01-01",
            "its time cannot be read: rubbish",
        ]
    );
    assert_eq!(found.left_out[2].name, "host0005 2026-11-04T00:00:00Z");
    assert_eq!((found.hosts, found.runs), (1, 5));
    assert!(found.series.iter().all(|s| s.points.last().unwrap().0.starts_with("2026-11-09")));
}

#[test]
fn a_shift_is_found_with_the_fact_that_changed() {
    let mut rng = Rng::new(6);
    let mut runs: Vec<Digest> = (0..30).map(|day| digest(5, 24 * day, &mut rng)).collect();
    for run in &mut runs[18..] {
        worsen(run, &["memory_latency"], 0.12);
        run.facts.insert("bios.version".into(), "2.3".into());
    }
    // A disturbed run just before it moves the place of the change, which is that of the setting all the same.
    worsen(&mut runs[17], &["memory_latency"], 0.12);
    runs[3].unfit = Some("others were busy".into());
    runs.reverse();
    let found = of(&runs);
    assert_eq!((found.hosts, found.runs, found.series.len()), (1, 29, FIGURES.len()));
    let changes: Vec<_> = found
        .series
        .iter()
        .flat_map(|s| s.changes.iter().map(|c| (s.metric.as_str(), c)))
        .collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    let (metric, change) = changes[0];
    assert_eq!((metric, change.since.as_str()), ("memory_latency", "2026-11-19T00:00:00Z"));
    assert!((change.after / change.before - 1.12).abs() < 0.01);
    assert_eq!(change.facts, [("bios.version".into(), "1.9".into(), "2.3".into())]);
}

#[test]
fn a_setting_that_changed_two_runs_later_is_not_blamed() {
    let mut runs = shifted(16, 0.12);
    runs[18..]
        .iter_mut()
        .for_each(|run| drop(run.facts.insert("bios.version".into(), "2.3".into())));
    let found = of(&runs);
    let changes: Vec<_> = found.series.iter().flat_map(|s| &s.changes).collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0].since, "2026-11-17T00:00:00Z");
    assert!(changes[0].facts.is_empty() && found.settings.len() == 1, "{changes:?}");
}

/// Hardware that changed once is that of one machine, and a fact; hardware that alternates is that of two machines.
#[test]
fn changed_hardware_is_one_history_and_alternating_hardware_two() {
    let mut runs = shifted(16, 0.12);
    runs[16..].iter_mut().for_each(|run| run.key.hypervisor = "VMware".into());
    let found = of(&runs);
    assert_eq!(found.hosts, 1);
    let changes: Vec<_> = found.series.iter().flat_map(|s| &s.changes).collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(
        (&*changes[0].facts[0].0, &*changes[0].facts[0].2),
        ("virtual.hypervisor", "VMware")
    );
    runs[20].key.hypervisor = runs[0].key.hypervisor.clone();
    assert_eq!(of(&runs).hosts, 2);
}

#[test]
fn runs_that_come_twice_and_values_nobody_measured_have_a_line() {
    let mut runs = shifted(29, 0.0);
    runs.push(runs[4].clone());
    runs[7].figures[0].value = 1e300;
    runs[8].started = Some("2001-11-09T00:00:00Z".into());
    let found = of(&runs);
    let all: Vec<&str> = found
        .left_out
        .iter()
        .map(|l| l.why.as_str())
        .chain(found.notes.iter().map(AsRef::as_ref))
        .collect();
    for words in
        ["the same run as", "no measurements: core_frequency", "over a year from the others"]
    {
        assert!(all.iter().any(|line| line.contains(words)), "{words}: {all:?}");
    }
}

#[test]
fn the_clocks_of_many_years_are_right() {
    let mut rng = Rng::new(6);
    let mut runs: Vec<Digest> = (0..48).map(|_| digest(5, 0, &mut rng)).collect();
    for (month, run) in runs.iter_mut().enumerate() {
        run.started = Some(format!("{}-{:02}-01T00:00:00Z", 2022 + month / 12, 1 + month % 12));
    }
    runs[20].started = Some("1970-01-01T00:00:00Z".into());
    let found = of(&runs);
    assert_eq!(found.notes.iter().filter(|n| n.contains("its clock says")).count(), 1);
    assert!(found.notes[0].starts_with("20.json: its clock says 1970"), "{:?}", found.notes);
}

/// Mitigations cost system calls; runs have them, and checks between runs do not.
#[test]
fn a_kernel_that_makes_system_calls_slower_is_named() {
    let mut rng = Rng::new(6);
    let mut runs: Vec<Digest> = (0..40).map(|half| digest(5, 12 * half, &mut rng)).collect();
    for (day, run) in runs.iter_mut().enumerate() {
        if day >= 20 {
            run.facts.insert("kernel.release".into(), "6.18.44".into());
        }
        if day % 2 == 0 {
            let value = 7e-8 * if day >= 20 { 1.12 } else { 1.0 } * (1.0 + 0.005 * rng.normal());
            run.figures.push(Headline {
                name: "system_call".into(),
                unit: Unit::Seconds,
                better: Better::Lower,
                value,
                interval: None,
            });
        }
    }
    let found = of(&runs);
    let changed: Vec<_> = found.series.iter().filter(|s| !s.changes.is_empty()).collect();
    let [calls] = changed[..] else { panic!("{changed:?}") };
    assert_eq!((calls.metric.as_str(), calls.points.len()), ("system_call", 20));
    assert_eq!(calls.changes[0].facts[0].2, "6.18.44");
}
