//! Simulates false alarms and misses. A record without faults is measured again and again with noise: a rule that fires then
//! is wrong. Faults are planted in it: the finding of the fault's rule must come first.
//! Figures of a larger run: docs/validation/diagnose.md.
use crate::baseline::baseline;
use crate::{fixtures, kept_record};
use diagnose::diagnosis::{Workload, diagnosis};
use diagnose::{Verdict, Verdicts};
use estimates::report::Report;
use record::{Outcome, Record};
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

fn firing_rules(record: &Record) -> BTreeSet<&'static str> {
    let fires = |(_, v): &(&str, &Verdict)| matches!(v, Verdict::Fires { .. });
    Report::new(record).get::<Verdicts>().iter().filter(fires).map(|(id, _)| id).collect()
}

/// The same record as if nothing had ever disturbed it: each sample is its series' median.
fn noiseless(record: &Record) -> Record {
    let mut truth = record.clone();
    for run in &mut truth.runs {
        let Outcome::Measured(all) = &mut run.outcome else { continue };
        for s in all.iter_mut() {
            s.disturbed.clear();
            let mut values = s.samples.clone();
            values.sort_by(f64::total_cmp);
            let middle = values.get(values.len() / 2).copied().unwrap_or(0.0);
            s.samples.iter_mut().for_each(|x| *x = middle);
        }
    }
    truth
}

/// The distribution of samples.
#[derive(Debug, Clone, Copy)]
enum Noise {
    /// Normal, of this coefficient of variation.
    Normal(f64),
    /// One in ten samples is up to a third slower, beside normal noise of 1 %.
    Spikes,
    /// Each run of the machine is a little faster or slower as a whole: 1 % between series, 1 % inside.
    Between,
}

fn with_noise(truth: &Record, noise: Noise, rng: &mut Rng) -> Record {
    let mut made = truth.clone();
    for run in &mut made.runs {
        // What was counted of a program is a count, and moves with nothing.
        let Outcome::Measured(all) = &mut run.outcome else { continue };
        for s in all.iter_mut() {
            let whole = match noise {
                Noise::Between => 1.0 + 0.01 * rng.normal(),
                _ => 1.0,
            };
            let slower = if s.better == record::Better::Higher { 0.75 } else { 1.33 };
            for x in &mut s.samples {
                *x *= match noise {
                    Noise::Normal(cv) => 1.0 + cv * rng.normal(),
                    Noise::Spikes if rng.uniform() < 0.1 => 1.0 + (slower - 1.0) * rng.uniform(),
                    Noise::Spikes | Noise::Between => whole * (1.0 + 0.01 * rng.normal()),
                };
            }
        }
    }
    made
}

/// Share of simulated records with any finding that is none of the noiseless one's, and which rules they are.
fn false_alarms(truth: &Record, noise: Noise, count: u64) -> (f64, BTreeMap<&'static str, u64>) {
    let mut facts = firing_rules(truth);
    // What harms a little does not add anything either: under noise only the second may be sure.
    if facts.contains("smt_harmful") {
        facts.insert("smt_useless");
    }
    let (mut any, mut which) = (0, BTreeMap::new());
    for seed in 0..count {
        let mut rng = Rng::new(seed);
        let more: Vec<&str> =
            firing_rules(&with_noise(truth, noise, &mut rng)).difference(&facts).copied().collect();
        any += u64::from(!more.is_empty());
        for id in more {
            *which.entry(id).or_default() += 1;
        }
    }
    (any as f64 / count as f64, which)
}

const KINDS: [Noise; 4] = [Noise::Normal(0.01), Noise::Normal(0.03), Noise::Spikes, Noise::Between];

/// At most one in twenty measurements of a machine on which nothing differs has any finding beyond what is so: over all rules,
/// for each kind of noise.
#[test]
fn the_baseline_machine_seldom_has_findings() {
    let truth = noiseless(&baseline());
    let judged = Report::new(&truth);
    let clear =
        judged.get::<Verdicts>().iter().filter(|(_, v)| matches!(v, Verdict::Clear { .. })).count();
    assert!(clear >= 15, "only {clear} rules have anything to look at");
    for noise in KINDS {
        let (share, which) = false_alarms(&truth, noise, 300);
        assert!(share <= 0.05, "{noise:?}: {share} have a finding: {which:?}");
    }
}

/// The same of the records that are kept, whose real differences are found before.
#[test]
fn kept_records_measured_again_seldom_have_more_findings() {
    for name in ["quiet-vm", "two-node-server", "scaling_run", "load-generator-72"] {
        let truth = noiseless(&kept_record(name));
        for noise in KINDS {
            let (share, which) = false_alarms(&truth, noise, 25);
            assert!(share <= 0.08, "{name}, {noise:?}: {share} have a finding more: {which:?}");
        }
    }
}

/// The larger run behind docs/validation/diagnose.md: `cargo test -p diagnose --test rules -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn false_alarms_in_a_larger_run() {
    let mut all: Vec<(String, Record)> = vec![("baseline".into(), noiseless(&baseline()))];
    for name in ["quiet-vm", "two-node-server", "scaling_run", "load-generator-72"] {
        all.push((name.into(), noiseless(&kept_record(name))));
    }
    for (name, truth) in &all {
        for noise in KINDS {
            let count = if name == "baseline" { 1000 } else { 250 };
            let (share, which) = false_alarms(truth, noise, count);
            println!("{name} | {noise:?} | {:.1} % | {which:?}", 100.0 * share);
            assert!(share <= 0.05, "{name} {noise:?}");
        }
    }
}

/// Each planted fault is named first, and is found under noise as well.
#[test]
fn planted_faults_are_named_first() {
    let sound = baseline();
    let before = firing_rules(&sound);
    let mut missed = vec![];
    let faults = fixtures::ALL.iter().flat_map(|(rule, f)| f.faults.iter().map(move |x| (rule, x)));
    for (rule, planted) in faults {
        let fault = planted.about;
        let mut record = sound.clone();
        (planted.plant)(&mut record);
        assert!(!before.contains(rule), "{fault}: {rule} fires without it");
        let report = Report::new(&record);
        let found = diagnosis(&report, None);
        // What is as built or by default is first for a workload that leans on it, and the first of the notes for others.
        let noted = found.notes.first().filter(|f| f.id == *rule);
        let found = match noted {
            Some(note) => {
                let minds = |w: &Workload| w.leans_on(note.demands);
                let asks = Workload::names().filter_map(Workload::named).find(minds);
                assert!(found.findings.is_empty() && asks.is_some(), "{fault}");
                diagnosis(&report, asks)
            }
            None => found,
        };
        let first = found.findings.first().map(|f| f.id);
        if first != Some(*rule) {
            let all: Vec<&str> = found.findings.iter().map(|f| f.id).collect();
            missed.push(format!("{fault}: {rule} is not first of {all:?}"));
        }
        for noise in [Noise::Normal(0.01), Noise::Between] {
            let found = (0..20).filter(|seed| {
                firing_rules(&with_noise(&record, noise, &mut Rng::new(*seed))).contains(rule)
            });
            let found = found.count();
            if found < 18 {
                missed.push(format!("{fault}, {noise:?}: found in {found} of 20"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
