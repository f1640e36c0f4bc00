//! Every record, of any origin, follows the published schema.
use crate::sandbox::{Sandbox, fixtures, load, measured, reached};
use record::{Outcome, ProbeId};
use serde_json::{Value, json};
use std::{fs, path::Path};

fn schema() -> jsonschema::Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/record.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[track_caller]
fn valid(name: &str, text: &str) {
    let document: Value = serde_json::from_str(text).unwrap();
    let errors: Vec<String> =
        schema().iter_errors(&document).map(|e| format!("{e} at {}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}

#[test]
fn committed_and_fresh_records_are_valid() {
    for (name, file) in fixtures() {
        valid(&name, &fs::read_to_string(file).unwrap());
    }
    valid("fresh", measured());
}

#[test]
fn a_record_that_ran_out_of_time_is_valid() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("r.json");
    // Only what fits into a second: the rest is left to --resume.
    let args = [
        "run",
        "--only",
        "core_frequency,load_latency",
        "--time-budget",
        "1",
        "--record",
        file.to_str().unwrap(),
    ];
    // On a busy machine not even the first case has its result.
    assert!([0, 2].contains(&sandbox.cpulens(&args).code));
    let record = load(&file);
    assert!(reached(&record).0 > 0 && reached(&record).1 > 0);
    let left =
        record.runs.iter().filter(|r| r.case.probe == ProbeId::LoadLatency).map(|r| &r.outcome);
    for outcome in left {
        let Outcome::NotReached(why) = outcome else { panic!("{outcome:?}") };
        assert!(why.why.contains("time budget") && why.remedy.is_some(), "{why}");
    }
    valid("budget", &fs::read_to_string(file).unwrap());
}

/// Negative controls: the schema refuses what is not a record.
#[test]
fn spoilt_records_are_not_valid() {
    let whole: Value = serde_json::from_str(measured()).unwrap();
    let schema = schema();
    assert!(schema.is_valid(&whole));
    let spoilt: &[(&str, Value)] = &[
        ("/schema", json!("1")),
        ("/runs", json!({})),
        ("/runs/0/case/version", json!(-1)),
        ("/runs/0/outcome", json!({ "abandoned": {} })),
        ("/provenance/seed", json!(1.5)),
        ("/machine/facts", json!([])),
    ];
    for (place, with) in spoilt {
        let mut document = whole.clone();
        *document.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = with.clone();
        assert!(!schema.is_valid(&document), "{place} = {with} was accepted");
    }
    for name in ["schema", "provenance", "machine", "runs"] {
        let mut document = whole.clone();
        document.as_object_mut().unwrap().remove(name);
        assert!(!schema.is_valid(&document), "without {name}");
    }
}
