//! Tests every rule on the records of its fixture.
#![allow(clippy::unwrap_used, reason = "a test")]
mod baseline;
mod chinese;
#[path = "../../../render/tests/english.rs"]
mod english;
#[path = "../../../estimates/tests/example/mod.rs"]
#[allow(dead_code, reason = "unit tests of the crate use the rest")]
mod example;
mod false_alarms;
mod fixture;
mod fixtures;
mod records;

use diagnose::diagnosis::diagnosis;
use diagnose::{Verdict, Verdicts, rules};
use estimates::report::Report;
use fixture::Answer;
use record::Record;
use std::collections::BTreeSet;
use std::fs;

const KEPT: [&str; 8] = [
    "quiet-vm",
    "busy-vm",
    "two-node-server",
    "cut-short",
    "scaling_run",
    "load-generator-72",
    "load-generator-196",
    "load-generator-196-mended",
];

/// A record of `fixtures/records/v1`.
fn kept_record(name: &str) -> Record {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1");
    record::from_slice(&fs::read(format!("{folder}/{name}.json")).unwrap()).unwrap()
}

fn verdict(id: &str, record: &Record) -> Verdict {
    let report = Report::new(record);
    let found = report.get::<Verdicts>().iter().find(|(known, _)| *known == id);
    found.map(|(_, verdict)| verdict.clone()).unwrap()
}

fn answer(verdict: &Verdict) -> Answer {
    match verdict {
        Verdict::Fires { .. } => Answer::Fires,
        Verdict::Clear { .. } => Answer::Clear,
        Verdict::CannotTell { .. } => Answer::CannotTell,
    }
}

fn outline(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Fires { finding, read, .. } => format!(
            "fires: {}\nadvice: {}\nverify: {}\nread: {}\n",
            finding.claim,
            finding.advice,
            finding.confirm_with,
            read.join("; ")
        ),
        Verdict::Clear { read, .. } => format!("clear: {}\n", read.join("; ")),
        Verdict::CannotTell { missing } => format!("cannot tell: {missing}\n"),
    }
}

#[test]
fn every_rule_has_a_fixture() {
    let rules: Vec<&str> = rules::ALL.iter().map(|(id, _)| *id).collect();
    let fixtures: Vec<&str> = fixtures::ALL.iter().map(|(id, _)| *id).collect();
    assert_eq!(rules, fixtures);
}

#[test]
fn rules_give_the_expected_answers() {
    for (id, fixture) in fixtures::ALL {
        let mut covered = BTreeSet::new();
        for example in fixture.examples {
            let verdict = verdict(id, &example.record());
            assert_eq!(answer(&verdict), example.expected, "{id}: {}: {verdict:?}", example.about);
            covered.insert(example.expected);
        }
        assert_eq!(covered.len(), 3, "{id} lacks an example: has {covered:?}");
    }
}

/// One snapshot for each rule: what it says of its examples and of the kept records.
#[test]
fn verdicts_in_words() {
    let kept = KEPT.map(|name| (name, Report::new(&kept_record(name)).get::<Verdicts>().clone()));
    for (rule, (id, fixture)) in fixtures::ALL.iter().enumerate() {
        let mut text = String::new();
        for example in fixture.examples {
            let verdict = verdict(id, &example.record());
            text += &format!("# {}\n{}\n", example.about, outline(&verdict));
        }
        for (name, verdicts) in &kept {
            text += &format!("# Record {name}\n{}\n", outline(&verdicts.0[rule].verdict));
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(*id, text);
        });
    }
}

#[test]
fn verdicts_show_what_they_read_and_findings_are_whole_sentences() {
    for (id, fixture) in fixtures::ALL {
        for example in fixture.examples {
            match verdict(id, &example.record()) {
                Verdict::Fires { finding, read, .. } => {
                    assert!(!read.is_empty(), "{id} fires without reading anything");
                    for text in [&finding.claim, &finding.advice] {
                        let first = text.chars().next().unwrap();
                        assert!(!first.is_lowercase() && text.ends_with('.'), "{id}: {text}");
                    }
                    assert!(!finding.confirm_with.is_empty(), "{id} cannot be verified");
                    if let Some(workload) = &finding.workload {
                        assert!(finding.claim.contains(workload), "{id}: {}", finding.claim);
                    }
                    let (_, rule) = rules::ALL.iter().find(|(known, _)| known == id).unwrap();
                    let of_one = rule.title.english().to_lowercase().contains("a workload");
                    assert!(!of_one || finding.workload.is_some(), "{id} names no workload");
                    if let Some((_, outcome)) = finding.confirm_with.rsplit_once(": ") {
                        assert!(outcome.starts_with("not confirmed if "), "{id}: {outcome}");
                    }
                }
                Verdict::Clear { read, .. } => {
                    assert!(!read.is_empty(), "{id} is clear without reading anything");
                }
                Verdict::CannotTell { missing } => assert!(!missing.why.is_empty(), "{id}"),
            }
        }
    }
}

#[test]
fn costs_are_ranges_below_one() {
    for (id, fixture) in fixtures::ALL {
        for example in fixture.examples.iter().filter(|e| e.expected == Answer::Fires) {
            let record = example.record();
            let report = Report::new(&record);
            let found = diagnosis(&report, None);
            let mut all = found.findings.iter().chain(&found.notes);
            match &all.find(|f| f.id == *id).unwrap().cost {
                Ok(cost) => {
                    let range = 0.0 <= cost.low && cost.low <= cost.high && cost.high < 1.0;
                    assert!(range && cost.high > 0.0, "{id}: {cost:?}");
                    assert!(cost.basis.ends_with('.'), "{id}: {}", cost.basis);
                }
                Err(why) => assert!(!why.why.is_empty(), "{id} has no cost"),
            }
        }
    }
}

#[test]
fn an_empty_record_is_never_called_healthy() {
    for (id, verdict) in Report::new(&example::empty()).get::<Verdicts>().iter() {
        assert_eq!(answer(verdict), Answer::CannotTell, "{id}");
    }
}

#[test]
fn titles_are_short_and_unique() {
    let titles: BTreeSet<&str> = rules::ALL.iter().map(|(_, rule)| rule.title.english()).collect();
    assert_eq!(titles.len(), rules::ALL.len());
    assert!(titles.iter().all(|t| t.len() < 60 && !t.ends_with('.')));
}

#[test]
fn notes_affect_some_workloads_only() {
    for (id, rule) in rules::ALL {
        assert!(!rule.demands.is_empty(), "{id} affects nothing");
        assert!(rule.note.is_none_or(|why| why.english().ends_with('.')), "{id}: {:?}", rule.note);
        // What every workload depends on would never be a note for one.
        assert!(rule.note.is_none() || rule.demands != diagnose::cost::Demand::ALL, "{id}");
    }
}
