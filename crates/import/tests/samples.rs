//! Every genuine output in `samples/`: which importer recognises it, how much is read, and the warnings. Each sample has
//! a snapshot of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests end at the first surprise")]
use import::Gathered;
use record::{Provenance, Record, param};
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

fn summary(name: &str, bytes: &[u8]) -> (String, Option<Record>) {
    let mut gathered = Gathered::default();
    let read = match gathered.add(name, bytes) {
        Err(problem) => return (format!("{name}\n  NOT READ: {problem}\n"), None),
        Ok(read) => read,
    };
    let record = gathered.record(Provenance::default());
    let mut text = format!(
        "{name}\n  {}: {} facts, {} parts, {} series\n",
        read.formats.join(" + "),
        read.facts,
        read.parts,
        read.series
    );
    for problem in &read.problems {
        text += &format!("  PROBLEM: {problem}\n");
    }
    for source in &record.provenance.sources {
        for warning in &source.warnings {
            let line = warning.line.map_or(String::new(), |l| format!("line {l}: "));
            text += &format!("  - {line}{}\n", warning.what);
        }
    }
    (text, Some(record))
}

#[test]
fn every_sample_gives_the_same_parts_and_warnings() {
    for (name, bytes) in samples() {
        insta::assert_snapshot!(name.as_str(), summary(&name, &bytes).0);
    }
}

/// UnixBench called itself 5.1.3 for fourteen years: more copies than that version ran are of a later one.
#[test]
fn the_version_of_unixbench_follows_from_its_content() {
    let version_of = |report: &str| {
        let record = summary("report", report.as_bytes()).1.unwrap();
        let source = record.provenance.sources[0].clone();
        let warned = source.warnings.iter().any(|w| w.what.contains("it calls itself 5.1.3"));
        let tools: Vec<String> =
            record.runs.iter().map(|r| r.case.get(param::TOOL).unwrap().to_owned()).collect();
        (source.version, warned, tools)
    };
    let sample = |name: &str| fs::read_to_string(folder().join(name)).unwrap();
    let genuine = sample("unixbench.upstream-5.1.3-index-c1.txt");
    let named = Some("5.1.3".to_owned());
    assert_eq!(version_of(&genuine), (named.clone(), true, vec!["UnixBench 5.1.3".to_owned()]));
    let many = genuine.replace("1 parallel copy", "17 parallel copies");
    assert_eq!(version_of(&many), (None, true, vec!["UnixBench".to_owned()]));
    // A part that ran none of them is what that version does.
    let empty = sample("unixbench.upstream-5.1.3-c17-empty-section.txt");
    assert_eq!(version_of(&empty), (named, false, vec![]));
    let (version, warned, _) = version_of(&sample("unixbench.upstream-6.0.0-full-c1-c2.txt"));
    assert_eq!((version.as_deref(), warned), (Some("6.0.0"), false));
}

#[test]
fn every_imported_record_loads_again() {
    for (name, bytes) in samples() {
        let (_, Some(record)) = summary(&name, &bytes) else { continue };
        let written = record::to_vec(&record).unwrap();
        assert_eq!(record::from_slice(&written).expect(&name), record, "{name}");
    }
}

/// A table without borders is refused, and the error names its damage. Every other sample is read.
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

/// Every importer has a genuine sample here, except those whose own tests use invented ones.
#[test]
fn every_importer_reads_a_sample() {
    let mut seen: Vec<String> =
        ["babelstream", "mlc", "perfspect", "sbc_bench", "stress_ng", "tpcc"]
            .map(String::from)
            .into();
    for (name, bytes) in samples() {
        let (_, Some(record)) = summary(&name, &bytes) else { continue };
        seen.extend(record.provenance.sources.into_iter().map(|s| s.format));
    }
    for (id, _) in import::importers::ALL {
        assert!(seen.iter().any(|s| s == id), "{id} has no sample");
    }
}

/// Records of other programs as JSON, one a line, hold commas as a table does.
#[test]
fn lines_of_json_are_no_table() {
    let lines = b"{\"n_prompt\": 512, \"avg_ts\": 94.5}\n{\"n_prompt\": 0, \"avg_ts\": 12.5}\n";
    let problem = Gathered::default().add("bench.jsonl", lines).unwrap_err();
    assert!(problem.why.contains("no known output"), "{problem}");
}

fn merged(names: &[&str]) -> Record {
    let mut gathered = Gathered::default();
    for name in names {
        gathered.add(name, &fs::read(folder().join(name)).unwrap()).unwrap();
    }
    gathered.record(Provenance::default())
}

fn warns(record: &Record, words: &str) -> bool {
    record.provenance.sources.iter().flat_map(|s| &s.warnings).any(|w| w.what.contains(words))
}

/// Cycles over CPU time need 3.15 GHz, and lscpu states 2.5: only the two files together show it.
#[test]
fn a_frequency_above_its_label_gives_a_warning() {
    let perf = "intel-8269cy-numa-off.perf-stat.bc.txt";
    let both = merged(&["intel-8269cy-numa-off.lscpu.zh-mixed.txt", perf]);
    assert!(
        warns(&both, "need a frequency of 3.16 GHz, and cpu.frequency.max states 2.50 GHz"),
        "{:?}",
        both.provenance.sources
    );
    assert!(!warns(&merged(&[perf]), "need a frequency"));
    // Counts of the whole machine say nothing of one CPU's frequency.
    let wide = merged(&["hygon-5280.lscpu.txt", "hygon-5280.perf-stat.bc.txt"]);
    assert!(!warns(&wide, "need a frequency"));
}

/// Old lscpu states one cache, new lscpu all of them together.
#[test]
fn sizes_of_caches_keep_their_scope() {
    let old = merged(&["hygon-5280.lscpu.txt"]).machine;
    assert_eq!(
        (old.integer("cache.l3.each"), old.integer("cache.l3.total")),
        (Some(8 << 20), None)
    );
    let new = merged(&["hygon-7280-8node.lscpu.zh.txt"]).machine;
    assert_eq!(
        (new.integer("cache.l3.each"), new.integer("cache.l3.total")),
        (None, Some(128 << 20))
    );
    let newest = merged(&["guest.lscpu.txt"]).machine;
    assert!(
        newest.integer("cache.l1d.each").is_some()
            && newest.integer("cache.l1d.instances").is_some()
    );
}

/// Three sources of one machine: siblings come from the list, the rest from lscpu and numactl.
#[test]
fn a_list_of_cpus_completes_lscpu() {
    let record = merged(&[
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

/// Scores and rates of other tools, in base units and where they are looked for.
#[test]
fn figures_are_in_base_units() {
    for (file, metric, at, value) in [
        ("likwid-perfctr.skylake-sp-region.txt", "bandwidth", "Memory bandwidth", 495_812_900.0),
        ("likwid-perfctr.zen2-groups.txt", "ipc", "", 1.0 / 0.3562),
        ("lmbench.summary-riscv64.txt", "time_per_request", "page fault", 1.2443e-6),
        ("lmbench.summary-riscv64.txt", "load_to_use", "memory at random", 188.1e-9),
        ("lmbench.summary-riscv64.txt", "time_per_op", "int64 mul", 2.03e-9),
        ("lmbench.summary-aarch64.txt", "bandwidth", "write", 23.5e9),
        ("lmbench.results-x86_64.txt", "time_per_request", "fork", 178.2188e-6),
        ("passmark.results-all.yml", "load_to_use", "Memory Latency", 53.982851104670992e-9),
        ("passmark.screen.txt", "score", "CPU Mark", 5355.0),
        ("geekbench.6.3-screen.txt", "score", "all workloads", 1728.0),
        ("geekbench.6.3-screen.txt", "rate", "Clang", 8310.0),
        ("geekbench.5.1-program.json", "score", "all workloads", 465.0),
        ("geekbench.6.3-page.json", "score", "Navigation", 1573.0),
        ("phoronix.stream.xml", "bandwidth", "triad", 84_075.2e6),
        ("spec-cpu2017.intrate.csv", "score", "SPECrate2017_int_base", 770.361774),
        ("spec-cpu2017.intrate.csv", "elapsed", "557.xz_r", 568.444351),
        ("guest.openssl-mr.txt", "sign", "rsa 4096 bits", 320.0),
        ("guest.openssl-mr.txt", "op", "253 bits ecdh (curve 22)", 41_040.0),
        ("guest.tinymembench.txt", "bandwidth", "standard memcpy", 3247.7e6),
        ("yabs.2022.json", "score", "all workloads", 5443.0),
        ("yabs.2020.txt", "score", "all workloads", 6035.0),
        ("spare-cores.membench.csv", "load_to_use", "268435456", 106.04e-9),
        ("spare-cores.bw_mem.txt", "bandwidth", "partial write", 324_461.92e6),
        ("spare-cores.openssl.json", "throughput", "sha256", 556_549_264.0),
        ("spare-cores.stress-ng.json", "bogo_ops", "cpu", 1705.57),
    ] {
        let record = merged(&[file]);
        let found = record.runs.iter().flat_map(|r| r.series()).find(|s| {
            s.metric.as_str() == metric
                && (at.is_empty() || s.at.values().any(|v| v.to_string() == at))
        });
        let first = found.unwrap_or_else(|| panic!("{file}: no {metric} at {at}")).samples[0];
        assert!((first / value - 1.0).abs() < 1e-9, "{file}: {metric} at {at} is {first}");
    }
}
