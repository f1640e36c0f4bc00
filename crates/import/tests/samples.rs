//! Every genuine output in `samples/` and what became of it: recognised as what, how much was read, what was doubted.
//! The doubts are the point of the list, so it is a snapshot: read its diff.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests end at the first surprise")]
use import::Gathered;
use record::{Provenance, Record};
use std::{fs, path::PathBuf};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

fn samples() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .map(|f| (f.file_name().unwrap().to_string_lossy().into_owned(), fs::read(f).unwrap()))
        .collect()
}

fn alone(name: &str, bytes: &[u8]) -> (String, Option<Record>) {
    let mut gathered = Gathered::default();
    let read = match gathered.add(name, bytes) {
        Err(problem) => return (format!("{name}\n  NOT READ: {problem}\n"), None),
        Ok(read) => read,
    };
    let record = gathered.record(Provenance::default());
    let mut told = format!(
        "{name}\n  {}: {} facts, {} parts, {} series\n",
        read.formats.join(" + "),
        read.facts,
        read.parts,
        read.series
    );
    for problem in &read.problems {
        told += &format!("  PROBLEM: {problem}\n");
    }
    for source in &record.provenance.sources {
        for warning in &source.warnings {
            let line = warning.line.map_or(String::new(), |l| format!("line {l}: "));
            told += &format!("  - {line}{}\n", warning.what);
        }
    }
    (told, Some(record))
}

#[test]
fn every_sample_is_read_as_it_should_be() {
    let told: String = samples().iter().map(|(name, bytes)| alone(name, bytes).0).collect();
    insta::assert_snapshot!(told);
}

#[test]
fn what_was_read_is_a_record_that_loads_again() {
    for (name, bytes) in samples() {
        let (_, Some(record)) = alone(&name, &bytes) else { continue };
        let written = record::to_vec(&record).unwrap();
        assert_eq!(record::from_slice(&written).expect(&name), record, "{name}");
    }
}
