//! Entries of the fuzz targets and `render/tests/fuzz.rs`: bytes into a record, its report in every format, and
//! what must hold of it for any record.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fuzz target ends at the first surprise"
)]
use arbitrary::Unstructured;
use fleet::digest::Digest;
use record::{CpuSet, Record};
use render::Settings;
use serde_json::Value;
use std::sync::OnceLock;

/// A target: its name, what it runs, and what a fuzzer begins with.
pub(crate) type Target = (&'static str, fn(&[u8]), fn() -> Vec<Vec<u8>>);

/// Every target of this file.
pub(crate) const TARGETS: &[Target] = &[
    ("record", record, record_seeds),
    ("report", report, report_seeds),
    ("cpuset", cpuset, cpuset_seeds),
    ("parquet", parquet, parquet_seeds),
];

/// Any bytes as a table of digests: it has a digest for each row or says why not, and no text from it drives a terminal.
pub(crate) fn parquet(bytes: &[u8]) {
    let (mut rows, mut length) = (0, 0);
    let mut each = |row: Option<&str>| {
        rows += 1;
        length += row.map_or(0, str::len);
    };
    if let Err(why) = fleet::rows::of_parquet(bytes, &mut each) {
        assert!(why.len() < 200 && !why.chars().any(char::is_control), "{why:?}");
    }
    assert!(rows <= 1 << 20 && length <= 1 << 30, "{rows} rows of {length} bytes");
}

/// A table of this program, and those of DuckDB, pyarrow and Spark.
fn parquet_seeds() -> Vec<Vec<u8>> {
    let record = record::from_slice(small()[0].to_string().as_bytes()).expect("a record");
    let digest = Digest::of(&analyse::Report::new(&record), "busy-vm");
    let mut months = fleet::rows::Months::default();
    (0..9).for_each(|_| months.add(&digest, true, &[]));
    let mut seeds: Vec<Vec<u8>> = months.files().map(|(.., bytes)| bytes).collect();
    let others = [
        &include_bytes!("../../crates/fleet/tests/parquet/duckdb.parquet")[..],
        include_bytes!("../../crates/fleet/tests/parquet/duckdb-gzip.parquet"),
        include_bytes!("../../crates/fleet/tests/parquet/duckdb-v2.parquet"),
        include_bytes!("../../crates/fleet/tests/parquet/pyarrow-delta.parquet"),
        include_bytes!("../../crates/fleet/tests/parquet/pyarrow-delta-length.parquet"),
        include_bytes!("../../crates/fleet/tests/parquet/spark.parquet"),
        include_bytes!("../../crates/fleet/tests/parquet/spark-v2.parquet"),
        include_bytes!("../../crates/fleet/tests/parquet/pyarrow.parquet"),
        include_bytes!("../../crates/fleet/tests/parquet/pyarrow-v2.parquet"),
    ];
    seeds.extend(others.map(<[u8]>::to_vec));
    seeds
}

/// A list of CPUs against the plainest reading of its syntax.
pub(crate) fn cpuset(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let parsed = text.parse::<CpuSet>().ok();
    assert_eq!(parsed.as_ref().map(|set| set.iter().collect()), plainly(text), "{text:?}");
    let Some(set) = parsed else { return };
    let shown = set.to_string();
    assert_eq!(shown.parse::<CpuSet>().as_ref(), Ok(&set), "{shown}");
    assert!(set.iter().is_sorted_by(|a, b| a < b) && set.iter().count() == set.len());
    assert_eq!(set.first(), set.iter().next());
    let even: CpuSet = set.iter().filter(|id| id % 2 == 0).collect();
    assert!(even.is_subset(&set) && set.intersection(&even) == even);
    assert!(set.iter().all(|id| set.contains(id)) && !set.contains(CpuSet::MAX + 1));
}

fn plainly(text: &str) -> Option<Vec<u32>> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|n| *n <= CpuSet::MAX);
    let mut has = vec![false; CpuSet::MAX as usize + 1];
    for part in text.trim().split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (range, step) = match part.split_once(':') {
            Some((range, step)) => (range, step.parse::<u32>().ok().filter(|step| *step > 0)?),
            None => (part, 1),
        };
        let (from, to) = match range.split_once('-') {
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(range)?, number(range)?),
        };
        if from > to {
            return None;
        }
        (from..=to).filter(|id| (id - from) % step == 0).for_each(|id| has[id as usize] = true);
    }
    Some((0..=CpuSet::MAX).filter(|id| has[*id as usize]).collect())
}

fn cpuset_seeds() -> Vec<Vec<u8>> {
    ["0-7,64-71", "0-255:2\n", "", "65535", "3-1", "0,,1", " 4 , 5-6 "].map(|t| t.into()).to_vec()
}

/// The committed records, cut to what shows every part of them.
fn small() -> &'static [Value] {
    static SMALL: OnceLock<Vec<Value>> = OnceLock::new();
    SMALL.get_or_init(|| {
        let all = [
            &include_bytes!("../../fixtures/records/v1/busy-vm.json")[..],
            include_bytes!("../../fixtures/records/v1/cut-short.json"),
            include_bytes!("../../fixtures/records/v1/two-node-server.json"),
        ];
        all.iter()
            .map(|bytes| {
                let mut value = serde_json::from_slice(bytes).unwrap();
                cut(&mut value, "");
                record::from_slice(value.to_string().as_bytes()).expect("still a record");
                value
            })
            .collect()
    })
}

/// Keeps the first few of many alike.
fn cut(value: &mut Value, key: &str) {
    match value {
        Value::Array(list) => {
            // Disturbances point at samples that may have gone.
            list.truncate(match key {
                "disturbed" => 0,
                "runs" | "threads" | "distances" => usize::MAX,
                "measured" => 3,
                _ => 4,
            });
            list.iter_mut().for_each(|v| cut(v, key));
        }
        Value::Object(map) => map.iter_mut().for_each(|(k, v)| cut(v, k)),
        _ => {}
    }
}

/// Any bytes as a record.
pub(crate) fn record(bytes: &[u8]) {
    match record::from_slice(bytes) {
        Ok(record) => shown(&record),
        Err(error) => {
            let text = error.to_string();
            assert!(text.len() < 1500 && !text.chars().any(char::is_control), "{text:?}");
        }
    }
}

fn record_seeds() -> Vec<Vec<u8>> {
    let tiny = serde_json::json!({
        "schema": 1, "provenance": {"tool": "cpulens", "version": "0.1.0"},
        "machine": {"facts": {"cpu.model": {"value": "x", "source": "/proc/cpuinfo"}},
            "topology": {"cpus": [{"id": 0, "online": true, "allowed": true, "package": 0, "die": null, "cluster": null, "core": 0, "siblings": "0", "node": 0}],
                "caches": [], "nodes": [], "dimms": []}},
        "runs": [{"case": {"probe": "load_latency", "version": 1, "params": {}, "place": {"cpus": "0"}, "estimate": 1.0},
            "outcome": {"measured": [{"metric": "load_to_use", "at": {"working_set": 4096}, "unit": "s", "better": "lower", "samples": [1e-9, 2e-9, 1e-9]}]}}],
    });
    let mut seeds: Vec<Vec<u8>> = small().iter().map(|v| v.to_string().into_bytes()).collect();
    seeds.push(tiny.to_string().into_bytes());
    seeds
}

/// A genuine record with some of its values replaced, repeated or removed.
pub(crate) fn report(bytes: &[u8]) {
    let mut input = Unstructured::new(bytes);
    let all = small();
    let mut value = all[usize::from(input.arbitrary::<u8>().unwrap_or(0)) % all.len()].clone();
    for edit in input.arbitrary_iter::<(u16, u8, i64, String)>().into_iter().flatten().take(48) {
        let Ok((at, how, number, text)) = edit else { break };
        let count = leaves(&mut value, &mut None, &|_| {});
        let edit = |leaf: &mut Value| {
            *leaf = match how % 12 {
                0 => number.into(),
                1 => (number as f64).into(),
                2 => Value::from(f64::from_bits(number as u64)),
                3 => [0.0, -1.0, 1e308, 5e-324, 1e-9, f64::EPSILON]
                    [number.unsigned_abs() as usize % 6]
                    .into(),
                4 => Value::Null,
                5 => Value::Bool(number % 2 == 0),
                6 => format!("{text}{POISON}").into(),
                7 => Value::Array(vec![]),
                8 => u32::MAX.into(),
                _ => text.as_str().into(),
            }
        };
        leaves(&mut value, &mut Some(usize::from(at) % count.max(1)), &edit);
        if how % 12 == 11 {
            repeat(&mut value, usize::from(at), number.unsigned_abs() as usize % 3);
        }
    }
    if let Ok(record) = record::from_slice(value.to_string().as_bytes()) {
        shown(&record);
    }
}

fn report_seeds() -> Vec<Vec<u8>> {
    (0..small().len() as u8).map(|base| [&[base, 7, 0, 6][..], &[1; 40]].concat()).collect()
}

const POISON: &str = "\u{1b}[2J\u{7}\u{9b}31m\u{202e}</title><script>alert(1)</script>\"><img src=x onerror=y>|`*_[x](javascript:1)";

/// Visits every value that holds no other; edits the `n`th; gives how many there are.
fn leaves(value: &mut Value, n: &mut Option<usize>, edit: &dyn Fn(&mut Value)) -> usize {
    match value {
        Value::Array(list) if !list.is_empty() => list.iter_mut().map(|v| leaves(v, n, edit)).sum(),
        Value::Object(map) => map.values_mut().map(|v| leaves(v, n, edit)).sum(),
        leaf => {
            match n {
                Some(0) => {
                    edit(leaf);
                    *n = None;
                }
                Some(left) => *left -= 1,
                None => {}
            }
            1
        }
    }
}

/// Removes, repeats or reverses one of the record's lists of parts.
fn repeat(value: &mut Value, at: usize, how: usize) {
    const LISTS: [&str; 7] = [
        "/runs",
        "/reference_samples",
        "/machine/topology/cpus",
        "/machine/topology/caches",
        "/machine/topology/nodes",
        "/machine/topology/dimms",
        "/runs/0/outcome/measured",
    ];
    let Some(Value::Array(list)) = value.pointer_mut(LISTS[at % LISTS.len()]) else { return };
    match how {
        0 => drop(list.pop()),
        1 => list.extend(list.clone().into_iter().take(8)),
        _ => list.reverse(),
    }
}

/// The record in every format, as a report and as a machine.
fn shown(record: &Record) {
    let again = record::from_slice(&record::to_vec(record).unwrap())
        .expect("a record that was read is a record");
    assert_eq!(&again, record);
    let report = analyse::analyse(record);
    let settings = Settings { details: true, ..Settings::default() };
    for id in render::formats() {
        let mut out = vec![];
        render::render(id, &report, &settings, &mut out).unwrap();
        clean(id, &out);
        let mut out = vec![];
        render::render(id, render::Subject::Machine(&record.machine), &settings, &mut out).unwrap();
        clean(id, &out);
    }
}

/// Nothing that drives a terminal or a browser, and what programs read can be read.
fn clean(id: &str, out: &[u8]) {
    let text = std::str::from_utf8(out).expect("text");
    let control = |c: char| c.is_control() && c != '\n' && !(id == "csv" && c == '\r');
    if let Some(line) = text.lines().find(|line| line.chars().any(control)) {
        panic!("{id}: {line:?}");
    }
    let lower = text.to_ascii_lowercase();
    match id {
        "html" | "markdown" => {
            let line = lower.lines().find(|line| line.contains("<script") || line.contains("<img"));
            assert!(line.is_none(), "{id}: {line:?}");
            // In HTML this is text like any other; so it is in Markdown within <pre> or behind a backslash.
            let link = |text: &str| text.replace("\\]", "").contains("](javascript:");
            let outside = lower.split("<pre>").filter_map(|part| part.split("</pre>").last());
            let line = outside.flat_map(str::lines).find(|line| link(line));
            assert!(id == "html" || line.is_none(), "{id}: {line:?}");
        }
        "json" => drop(serde_json::from_str::<Value>(text).expect("JSON")),
        "csv" => assert!(csv::Reader::from_reader(out).records().all(|row| row.is_ok())),
        _ => {
            let turned = text.lines().find(|line| line.contains('\u{202e}'));
            assert!(turned.is_none(), "{id}: {turned:?}");
        }
    }
}
