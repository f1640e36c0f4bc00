//! Every committed record and every recorded machine through every command that reads one.
use crate::sandbox::{Ran, Sandbox, fixtures, measured};
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Write, fs, path::Path, sync::LazyLock};

const FORMATS: [&str; 5] = ["csv", "html", "json", "markdown", "text"];

/// Each record as the program shows it as JSON.
static JSON: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let sandbox = Sandbox::new();
    let shown = |file: &Path| {
        sandbox.cpulens(&["show", &file.display().to_string(), "--format", "json"]).done().out
    };
    fixtures().into_iter().map(|(name, file)| (name, shown(&file))).collect()
});

/// The structure of a report without its numbers, which may move when statistics improve.
fn outline(sandbox: &Sandbox, file: &str, json: &str) -> String {
    let text = sandbox.cpulens(&["show", file, "--full"]);
    let mut outline = format!("exit {}\n", text.code);
    for heading in text.out.lines().filter(|l| l.starts_with("── ")) {
        writeln!(outline, "{}", heading.trim_matches(['─', ' '])).unwrap();
    }
    let json: Value = serde_json::from_str(json).unwrap();
    for (name, value) in json.as_object().unwrap() {
        let kind = match value {
            Value::Array(list) if list.is_empty() => "an empty list".into(),
            Value::Array(_) => "a list".into(),
            Value::Object(map) => map.keys().cloned().collect::<Vec<_>>().join(", "),
            Value::Null => "none".into(),
            _ => "a value".into(),
        };
        writeln!(outline, "json {name}: {kind}").unwrap();
    }
    writeln!(outline, "environment {}", json["judgement"]["environment"]).unwrap();
    outline
}

#[test]
fn a_terminal_or_locale_without_other_characters_gets_ascii() {
    let sandbox = Sandbox::new();
    for (name, file) in fixtures() {
        for (variable, value) in [("LC_ALL", "C"), ("TERM", "dumb")] {
            let mut command = sandbox.command(env!("CARGO_BIN_EXE_cpulens"));
            command.args(["show", "--full"]).arg(&file).env(variable, value);
            let odd = Ran::of(&mut command).done().out.chars().find(|c| !c.is_ascii());
            assert_eq!(odd, None, "{name} with {variable}={value}");
            let mut command = sandbox.command(env!("CARGO_BIN_EXE_cpulens"));
            command.arg("history").arg(&file).env(variable, value);
            let odd = Ran::of(&mut command).done().out.chars().find(|c| !c.is_ascii());
            assert_eq!(odd, None, "history of {name} with {variable}={value}");
        }
    }
}

#[test]
fn every_record_in_every_format() {
    let sandbox = Sandbox::new();
    for (name, file) in fixtures() {
        let file = file.display().to_string();
        for format in FORMATS {
            let ran = sandbox.cpulens(&["show", &file, "--format", format]).done();
            assert!(ran.err.is_empty() && ran.out.len() > 100, "{name} {format}: {}", ran.err);
            let again = match format {
                "json" => JSON[&name].clone(),
                _ => sandbox.cpulens(&["show", &file, "--format", format]).done().out,
            };
            assert!(ran.out == again, "{name} {format} twice");
        }
        let json = &JSON[&name];
        insta::assert_snapshot!(format!("outline_{name}"), outline(&sandbox, &file, json));
    }
    assert!(sandbox.everything().is_empty(), "reading writes nothing");
}

#[test]
fn a_record_reads_the_same_after_it_was_saved_again() {
    let sandbox = Sandbox::new();
    for (name, file) in fixtures() {
        let bytes = fs::read(&file).unwrap();
        let saved = record::to_vec(&record::from_slice(&bytes).unwrap()).unwrap();
        let copy = sandbox.file("copy.json", &saved);
        let again = sandbox.cpulens(&["show", &copy, "--format", "json"]).out;
        assert_eq!(JSON[&name], again, "{name}");
    }
}

/// Thousands of samples, of which a careless parser changes some by a unit in the last place.
#[test]
fn what_was_measured_survives_loading_and_saving_to_the_last_bit() {
    let again = record::to_vec(&record::from_slice(measured().as_bytes()).unwrap()).unwrap();
    let again = String::from_utf8(again).unwrap();
    let changed = measured().lines().zip(again.lines()).filter(|(was, is)| was != is).count();
    assert_eq!((changed, again.len()), (0, measured().len()));
}

/// jsonschema turns the exact parser on in every test build, so that only the manifest can show that the released
/// program has it as well.
#[test]
fn the_released_program_has_the_exact_parser_too() {
    let manifest = include_str!("../../../Cargo.toml");
    let line = manifest.lines().find(|l| l.starts_with("serde_json")).unwrap();
    assert!(line.contains("float_roundtrip"), "{line}");
}

#[test]
fn every_recorded_machine_is_described_and_planned_for() {
    let sandbox = Sandbox::new();
    let machines = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines");
    let mut trees = 0;
    for entry in fs::read_dir(&machines).unwrap() {
        let tree = entry.unwrap().path().join("tree");
        if !tree.is_dir() {
            continue;
        }
        trees += 1;
        let root = tree.display().to_string();
        for format in FORMATS {
            let ran = sandbox.cpulens(&["info", "--root", &root, "--format", format]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{root} {format}");
            assert!(ran.out.len() > 100, "{root} {format}");
        }
        let plan = sandbox.cpulens(&["run", "--dry-run", "--root", &root]);
        assert!(plan.code == 0 && plan.out.contains("load_latency"), "{root}: {}", plan.err);
    }
    assert!(trees > 0, "{} holds captured trees", machines.display());
    assert!(sandbox.everything().is_empty());
}
