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

/// UnixBench called itself 5.1.3 for fourteen years: more copies than that version ran are of a later one.
#[test]
fn unixbench_is_of_the_version_that_its_content_allows() {
    let told = |report: &str| {
        let record = alone("report", report.as_bytes()).1.unwrap();
        let source = record.provenance.sources[0].clone();
        let said = source.warnings.iter().any(|w| w.what.contains("it calls itself 5.1.3"));
        let tools: Vec<String> =
            record.runs.iter().map(|r| r.case.text("tool").unwrap().to_owned()).collect();
        (source.version, said, tools)
    };
    let sample = |name: &str| fs::read_to_string(folder().join(name)).unwrap();
    let genuine = sample("unixbench.upstream-5.1.3-index-c1.txt");
    let named = Some("5.1.3".to_owned());
    assert_eq!(told(&genuine), (named.clone(), true, vec!["UnixBench 5.1.3".to_owned()]));
    let many = genuine.replace("1 parallel copy", "17 parallel copies");
    assert_eq!(told(&many), (None, true, vec!["UnixBench".to_owned()]));
    // A part that ran none of them is what that version does.
    let empty = sample("unixbench.upstream-5.1.3-c17-empty-section.txt");
    assert_eq!(told(&empty), (named, false, vec![]));
    let (version, said, _) = told(&sample("unixbench.upstream-6.0.0-full-c1-c2.txt"));
    assert_eq!((version.as_deref(), said), (Some("6.0.0"), false));
}

#[test]
fn what_was_read_is_a_record_that_loads_again() {
    for (name, bytes) in samples() {
        let (_, Some(record)) = alone(&name, &bytes) else { continue };
        let written = record::to_vec(&record).unwrap();
        assert_eq!(record::from_slice(&written).expect(&name), record, "{name}");
    }
}

/// What cannot be divided into cells again is refused with its damage named; everything else is read.
#[test]
fn only_tables_without_borders_are_refused() {
    let refused: Vec<String> = samples()
        .into_iter()
        .filter_map(|(name, bytes)| {
            let problem = Gathered::default().add(&name, &bytes).err()?;
            assert!(
                problem.line.is_some()
                    && problem.why.contains("borders of this table's cells are lost"),
                "{problem}"
            );
            Some(name)
        })
        .collect();
    assert_eq!(
        refused,
        [
            "multi.sysbench-cpu-prime.table.txt",
            "multi.sysbench-point-select.table.txt",
            "multi.tpcc.table.txt"
        ]
    );
}

/// Every importer has a genuine sample here, but for those whose own tests say that theirs is made up.
#[test]
fn every_importer_reads_a_sample() {
    let mut seen: Vec<String> =
        ["mlc", "perfspect", "sbc_bench", "stress_ng", "tpcc"].map(String::from).into();
    for (name, bytes) in samples() {
        let (_, Some(record)) = alone(&name, &bytes) else { continue };
        seen.extend(record.provenance.sources.into_iter().map(|s| s.format));
    }
    for (id, _) in import::importers::ALL {
        assert!(seen.iter().any(|s| s == id), "{id} has no sample");
    }
}

fn together(names: &[&str]) -> Record {
    let mut gathered = Gathered::default();
    for name in names {
        gathered.add(name, &fs::read(folder().join(name)).unwrap()).unwrap();
    }
    gathered.record(Provenance::default())
}

fn told(record: &Record, words: &str) -> bool {
    record.provenance.sources.iter().flat_map(|s| &s.warnings).any(|w| w.what.contains(words))
}

/// Cycles over CPU time need 3.15 GHz, and lscpu states 2.5: only the two files together show it.
#[test]
fn a_clock_above_its_label_is_told() {
    let perf = "intel-8269cy-numa-off.perf-stat.bc.txt";
    let both = together(&["intel-8269cy-numa-off.lscpu.zh-mixed.txt", perf]);
    assert!(
        told(&both, "need a frequency of 3.16 GHz, and cpu.frequency.max states 2.50 GHz"),
        "{:?}",
        both.provenance.sources
    );
    assert!(!told(&together(&[perf]), "need a frequency"));
    // Counts of the whole machine say nothing of one CPU's frequency.
    let wide = together(&["hygon-5280.lscpu.txt", "hygon-5280.perf-stat.bc.txt"]);
    assert!(!told(&wide, "need a frequency"));
}

/// Old lscpu states one cache, new lscpu all of them together.
#[test]
fn sizes_of_caches_keep_their_scope() {
    let old = together(&["hygon-5280.lscpu.txt"]).machine;
    assert_eq!(
        (old.integer("cache.l3.each"), old.integer("cache.l3.total")),
        (Some(8 << 20), None)
    );
    let new = together(&["hygon-7280-8node.lscpu.zh.txt"]).machine;
    assert_eq!(
        (new.integer("cache.l3.each"), new.integer("cache.l3.total")),
        (None, Some(128 << 20))
    );
    let newest = together(&["guest.lscpu.txt"]).machine;
    assert!(
        newest.integer("cache.l1d.each").is_some()
            && newest.integer("cache.l1d.instances").is_some()
    );
}

/// Three sources of one machine: who is with whom comes from the list, the rest from lscpu and numactl.
#[test]
fn a_list_of_cpus_completes_lscpu() {
    let record = together(&[
        "hygon-5280.lscpu.txt",
        "hygon-5280.numactl-H.txt",
        "hygon-5280.cpu-layout-table.txt",
    ]);
    let t = &record.machine.topology;
    assert_eq!((t.cores(), t.sockets(), t.nodes.len()), (32, 2, 4));
    assert_eq!(t.cpu(40).unwrap().siblings, "8,40".parse().unwrap());
    assert!(t.missing.is_empty(), "{:?}", t.missing);
    assert_eq!((t.node_of(40), t.nodes[1].distances[2]), (Some(1), 22));
}
