//! What published texts claim, asked of the engine with the published figures: what holds is said with its figures, what does not
//! is contradicted, what two causes could be is declined, and of what nobody measured nothing is said. `claims.json` has the
//! claims in our words; each test names its machine of the catalogue, the figures, how they become a record, and the rule.
#![allow(clippy::unwrap_used, reason = "a test that cannot read the data has failed")]
use analyse::compare::Gathering;
use analyse::diagnosis::diagnosis;
use analyse::{Conclusions, Report, ScalingRuns, Verdict, Verdicts, analyse};
use record::{Metric, Record, Text};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;

const CLAIMS: &str = include_str!("claims.json");

pub(crate) fn text<'a>(of: &'a Json, name: &str) -> &'a str {
    of[name].as_str().unwrap_or_else(|| panic!("{name} in {of}"))
}

pub(crate) fn texts<'a>(of: &'a Json, name: &str) -> Vec<&'a str> {
    of[name].as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect()
}

fn published(name: &str) -> Record {
    match name.strip_prefix("fixture:") {
        Some(name) => fixture(name),
        None => catalogue::record(name).unwrap().unwrap(),
    }
}

fn fixture(name: &str) -> Record {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1");
    record::from_slice(&fs::read(format!("{folder}/{name}.json")).unwrap()).unwrap()
}

/// The answer of a rule, and the text of the report.
fn asked(record: &Record, rule: &str) -> (String, String) {
    let report = analyse(record);
    let (_, verdict) = report.get::<Verdicts>().iter().find(|(id, _)| *id == rule).unwrap();
    let scaling_runs: Vec<Text> =
        report.get::<ScalingRuns>().0.iter().flat_map(|l| l.says()).collect();
    let nodes = report.get::<Conclusions>().0.iter().find(|c| c.starts_with("The farthest memory"));
    let rest = [scaling_runs.join("\n"), nodes.map(|said| said.to_string()).unwrap_or_default()];
    let rest = rest.join("\n");
    match verdict {
        Verdict::Fires { finding, read, .. } => {
            ("fires".into(), format!("{}\n{}\n{rest}", finding.claim, read.join("; ")))
        }
        Verdict::Clear { read, .. } => ("clear".into(), format!("{}\n{rest}", read.join("; "))),
        Verdict::CannotTell { missing } => ("cannot tell".into(), missing.to_string()),
    }
}

/// All that is said of a record beside another; what is never divided counts as declined.
fn beside(a: &Record, b: &Record) -> (String, String) {
    let (own, other): (Report<'_>, Report<'_>) = (analyse(a), analyse(b));
    let says = diagnosis(&own, None).against(&own, &other).against.unwrap().sentences.join("\n");
    let declined = [
        "cannot be divided",
        "cannot be separated",
        "does not explain",
        "nothing is attributed",
        "is no significant difference",
    ];
    let word = if declined.iter().any(|d| says.contains(d)) { "declined" } else { "attributed" };
    (word.into(), says)
}

fn answer(test: &Json) -> (String, String) {
    let (machine, says) = (text(test, "machine"), texts(test, "says"));
    match text(test, "case") {
        // Below the findings.
        "diagnosed" => {
            let said = diagnosis(&analyse(&published(machine)), None).of_published.join("\n");
            let declined = said.contains("cannot be separated");
            (if declined { "declined" } else { "attributed" }.into(), said)
        }
        "doubt" | "doubted" => {
            let reference = catalogue::reference().unwrap();
            let all = reference.warnings.iter().filter(|d| d.machine == machine);
            let found = all.map(|d| d.what.clone()).find(|w| says.iter().all(|s| w.contains(s)));
            // A text that doubts a figure itself is right where we doubt it, too.
            let answer = if text(test, "case") == "doubt" { "contradicted" } else { "doubted" };
            let word = if found.is_some() { answer } else { "not doubted" };
            (word.into(), found.unwrap_or_default())
        }
        "published" => asked(&published(machine), text(test, "rule")),
        "fixture" => asked(&fixture(machine), text(test, "rule")),
        "against" => beside(&published(machine), &published(text(test, "other"))),
        "explain" => {
            let (a, b) = (published(machine), published(text(test, "other")));
            let mut gathering = Gathering::explaining();
            gathering.add("a", &a);
            gathering.add("b", &b);
            let of = gathering.finish(0);
            let points = of.explained.into_iter().flat_map(|e| e.summary);
            let families = of.families.into_iter().flat_map(|f| f.summary);
            let answer: Vec<String> = of
                .summary
                .into_iter()
                .chain(families)
                .chain(points)
                .map(|said| said.to_string())
                .collect();
            ("explained".into(), answer.join("\n"))
        }
        "stated" => {
            // Somebody says so, and nobody printed what was measured.
            let reference = catalogue::reference().unwrap();
            let figures = texts(test, "figures");
            let mut all = reference.of(machine).filter(|m| figures.contains(&m.id.as_str()));
            let word = if all.all(|m| !m.seen()) { "no data" } else { "data" };
            (word.into(), String::new())
        }
        "no latency" => {
            // The figure is there, and no series of the record takes it for a latency.
            let record = published(machine);
            let series = record.runs.iter().flat_map(|r| match &r.outcome {
                record::Outcome::Measured(all) => all.clone(),
                _ => vec![],
            });
            let taken = series
                .into_iter()
                .any(|s| s.metric.as_str().contains("latency") || s.metric == Metric::LoadToUse);
            (if taken { "believed" } else { "contradicted" }.into(), String::new())
        }
        other => panic!("{other}"),
    }
}

#[test]
fn every_claim_gets_the_answer_that_its_figures_allow() {
    let claims: Vec<Json> = serde_json::from_str(CLAIMS).unwrap();
    let mut wrong = vec![];
    for claim in &claims {
        for test in claim["tests"].as_array().unwrap() {
            let (found, said) = answer(test);
            let id = text(claim, "id");
            if found != text(test, "answer") {
                wrong.push(format!("{id}: {found} instead of {}: {said}", text(test, "answer")));
                continue;
            }
            for words in texts(test, "says") {
                if !said.contains(words) {
                    wrong.push(format!("{id}: '{words}' is not in: {said}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of the answers are others:\n{}", wrong.len(), wrong.join("\n"));
}

/// A published machine is not at hand: nobody can mount its files. What its text or another rule knows is not called unknown.
#[test]
fn what_is_lacking_of_a_published_machine_is_true_and_can_be_had() {
    let lacking = |name: &str| {
        let record = published(name);
        let all = diagnosis(&analyse(&record), None).unlocks;
        all.into_iter()
            .flat_map(|u| u.rules.into_iter().map(move |(rule, why)| (rule, why, u.remedy.clone())))
    };
    for machine in catalogue::names() {
        for (rule, why, remedy) in lacking(machine) {
            let remedy = remedy.unwrap_or_default();
            let at_hand = ["mount ", "run as root", "allow more", "measure more"];
            assert!(!at_hand.iter().any(|r| remedy.starts_with(r)), "{machine} {rule}: {remedy}");
            assert!(!why.contains("there is one core"), "{machine} {rule}: {why}");
        }
    }
    let unknown =
        |name: &str| lacking(name).any(|(_, why, _)| why == "the NUMA nodes are not known");
    assert!(!unknown("load-generator-196core"));
    for name in ["hygon-7280-8node", "kunpeng-920-4826", "phytium-ft2500"] {
        assert_eq!(asked(&published(name), "die_interleaving").0, "clear", "{name}");
    }
    // One thread a core, as lscpu says.
    assert_eq!(asked(&published("kunpeng-920-4826"), "smt_useless").0, "clear");
}

/// Who is contradicted, declined or without data is never called right, and every verdict has its kind of answer.
#[test]
fn verdicts_and_answers_go_together() {
    let claims: Vec<Json> = serde_json::from_str(CLAIMS).unwrap();
    let mut seen = BTreeSet::new();
    for claim in &claims {
        let answers: Vec<&str> =
            claim["tests"].as_array().unwrap().iter().map(|t| text(t, "answer")).collect();
        let id = text(claim, "id");
        assert!(seen.insert(id), "{id} is there twice");
        assert!(!text(claim, "about").is_empty(), "{id}");
        // What no command answers has a written reason instead.
        if answers.is_empty() {
            assert!(text(claim, "reason").len() > 20, "{id}");
            continue;
        }
        let any = |of: &[&str]| answers.iter().any(|a| of.contains(a));
        match text(claim, "verdict") {
            "supported" => {
                assert!(any(&["fires", "clear", "explained", "doubted"]), "{id}");
            }
            "partly" => assert!(any(&["fires", "clear", "contradicted"]), "{id}"),
            "contradicted" => assert!(any(&["contradicted"]), "{id}"),
            "confounded" => {
                assert!(any(&["declined", "contradicted", "fires", "cannot tell"]), "{id}");
            }
            "no data" => assert!(any(&["no data", "cannot tell", "fires"]), "{id}"),
            other => panic!("{id}: {other}"),
        }
    }
    assert_eq!(claims.len(), 77);
}
