//! Entry points of the fuzz target and of `crates/import/tests/fuzz.rs`: any bytes go through every importer, and the
//! result must satisfy the invariants of a record.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fuzz target ends at the first surprise"
)]
use import::{Found, Gathered, Text, importers};
use record::{Outcome, Provenance, Record, Source};
use std::path::Path;

/// A target: its name, what it runs, and what a fuzzer begins with.
pub(crate) type Target = (&'static str, fn(&[u8]), fn() -> Vec<Vec<u8>>);

/// Every target of this file.
pub(crate) const TARGETS: &[Target] = &[("import", import, seeds)];

/// Any bytes: as the command reads them, and by every importer whether it recognises them or not.
pub(crate) fn import(bytes: &[u8]) {
    let mut gathered = Gathered::default();
    match gathered.add("x/\u{1b}[2Jseed\n.txt", bytes) {
        Ok(read) => {
            assert!(!read.formats.is_empty());
            harmless(&read.file);
        }
        Err(problem) => {
            let text = problem.to_string();
            harmless(&text);
            assert!(text.len() < 4000, "{text}");
        }
    }
    holds(gathered);
    let Ok(text) = Text::decode("seed", bytes) else { return };
    for (id, importer) in importers::ALL {
        (importer.recognises)(&text);
        let source = Source {
            file: "seed".into(),
            format: (*id).into(),
            tool: importer.title.into(),
            ..Source::default()
        };
        let mut found = Found::new(source);
        if let Err(problem) = (importer.read)(&text, &mut found) {
            harmless(&problem.to_string());
            assert!(problem.line.is_none_or(|l| l as usize <= bytes.len() + 1), "{id}: {problem}");
        }
        found.source.warnings.iter().for_each(|w| harmless(&w.what));
    }
}

/// The record is one that loads again, is bounded, and drives no terminal.
fn holds(gathered: Gathered) {
    let record = gathered.record(Provenance::default());
    let bytes = record::to_vec(&record).expect("finite numbers only");
    let again = record::from_slice(&bytes).expect("a record");
    assert_eq!(again, record);
    texts(&record);
    for run in &record.runs {
        assert_eq!(run.case.version, 0, "no definition of cpulens");
        assert!(run.case.params.contains_key("tool") && run.origin.is_some());
        let Outcome::Measured(all) = &run.outcome else { panic!("{:?}", run.outcome) };
        assert!(!all.is_empty() || !run.readings.is_empty());
        assert!(all.iter().flat_map(|s| &s.samples).all(|x| x.is_finite()));
        assert!(run.readings.iter().all(|r| (0.0..=1.0).contains(&r.coverage)));
    }
}

fn texts(record: &Record) {
    for (name, fact) in &record.machine.facts {
        harmless(name);
        harmless(&fact.source);
        if let record::FactValue::Value(value) = &fact.known {
            harmless(&value.to_string());
        }
    }
    for s in &record.provenance.sources {
        [&s.file, &s.tool, &s.format]
            .into_iter()
            .chain(&s.version)
            .chain(&s.command)
            .for_each(|t| harmless(t));
        s.warnings.iter().for_each(|w| harmless(&w.what));
        assert!(s.warnings.len() < 60);
    }
    for run in &record.runs {
        harmless(&run.case.label());
        let Outcome::Measured(all) = &run.outcome else { continue };
        all.iter().for_each(|s| harmless(&format!("{} {:?}", s.metric, s.at.keys())));
        all.iter().flat_map(|s| s.at.values()).for_each(|v| harmless(&v.to_string()));
        run.readings.iter().for_each(|r| harmless(&r.name));
    }
    for d in &record.machine.topology.dimms {
        let words = [&d.bank, &d.kind, &d.manufacturer, &d.part, &d.technology];
        words.into_iter().flatten().chain([&d.slot]).for_each(|t| harmless(t));
    }
}

/// One line that moves no cursor and shows as what it is.
fn harmless(text: &str) {
    let hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    assert!(!text.chars().any(|c| c.is_control() || hidden(c)), "{text:?}");
    assert!(text.len() < 20_000, "{} bytes", text.len());
}

/// The genuine outputs.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Called from `fuzz` and from `crates/import`.
    let folder = [folder.join("tests/samples"), folder.join("../crates/import/tests/samples")];
    let folder = folder.iter().find(|f| f.is_dir()).expect("the samples");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|f| std::fs::read(f).unwrap()).collect()
}
