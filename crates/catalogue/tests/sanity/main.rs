//! Sanity checks of the reference results: contradictions are computed from the data, are in the records as warnings, and
//! flag cells of the tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot read the data has failed")]
mod checks;
mod claims;
mod counters;
mod machines;
mod printed;
mod readings;

use catalogue::{SanityWarning, Table};
use std::collections::BTreeSet;

fn warnings(machine: &str) -> Vec<String> {
    let record = catalogue::record(machine).unwrap().unwrap();
    record.provenance.sources.into_iter().flat_map(|s| s.warnings).map(|w| w.what).collect()
}

/// The 24 that a reader of the sources found, by machine and by words of the warning that tells it.
const FOUND: &[(&str, &str, &str)] = &[
    ("1", "hygon-5280", "'MySQLeed' is no flag"),
    (
        "2",
        "intel-i7-6500u-vm",
        "12.4454% is printed for user mode, IRQ Enable CPU 3; 1500371071 ticks over 1345530254 give 11.5078 %",
    ),
    ("3", "hygon-5280", "counted on all CPUs (system wide)"),
    ("3", "phytium-ft2500", "c-cpu_bound counted 43.1 times the cycles"),
    ("4", "intel-8269cy-numa-off", "ran at 3.15 GHz by its own counters"),
    ("5", "phytium-ft2500", "30% is stated; 10.839 s over 31.173 s give 34.8 %"),
    (
        "6",
        "hygon-5280",
        "20% more for each doubling is stated; openssl from 32 to 64 threads gives 11 to 13 %",
    ),
    ("7", "intel-8269cy-numa-off", "2680422.40 lacks the k"),
    ("7", "intel-8269cy-numa-off", "89101.65k is 9.4 % less"),
    ("8", "intel-8269cy-2node", "1.47 on intel-e5-2682v4"),
    ("9", "hygon-5280", "worth 0.2 of a core; a pair gives +62 %"),
    ("10", "intel-8269cy-2node", "'19969l' is printed and is no number; 199691 was probably meant"),
    (
        "11",
        "kunpeng-920-4826-1node-lscpu",
        "NUMA nodes 1 here and 4 there, bytes of L3 50331648 here and 25165824 there",
    ),
    ("12", "phytium-ft2500", "114020 to 99496 queries a second is one of 12.7 %"),
    (
        "13",
        "kunpeng-920-4826",
        "3.87 ns is printed as the most of all runs, and the run printed in line 823 has 4.10",
    ),
    ("13", "intel-e5-2682v4", "1.58 ns and 10092.31 MB/s do not belong together"),
    (
        "14",
        "phytium-ft2500",
        "stated as 100, so 1500 ns if latency follows it as the text says; 490.402 ns",
    ),
    ("15", "phytium-ft2500", "the means of lat_mem_rd give 3.9 times"),
    ("16", "load-generator-196core", "so weighted give 40.6 %, and 54 % is all accesses remote"),
    ("17", "load-generator-196core", "196 cores on 4 sockets are 49 each"),
    ("18", "dimm-home-machine", "2100 MT/s is no step of DDR4"),
    ("19", "kunpeng-l3cut-1die-40c", "the score is 11.9 % higher with 21 ways than with 28"),
    ("20", "unspecified-tlbi-host", "Dhrystone 0.87"),
    ("21", "kunpeng-v200-48c96t", "31% is printed as a gain, and the repeats overlap"),
    ("22", "kunpeng-920-4826", "35 to 40 % of intel-8163 and 68 to 77 % of hygon-7280-8node"),
    ("23", "phytium-ft2500", "31.65 times that of one, 99 % of linear"),
    ("24", "hygon-7280-8node", "the frequency was 2194.586 MHz when lscpu looked"),
];

/// `warnings.json` is what the checks find. `INSTA_UPDATE=always` rewrites it.
#[test]
fn the_programs_warnings_are_current() {
    let found = checks::all(catalogue::reference().unwrap());
    if std::env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/warnings.json");
        std::fs::write(file, serde_json::to_string_pretty(&found).unwrap() + "\n").unwrap();
    }
    assert_eq!(catalogue::reference().unwrap().warnings, found);
}

fn found_by(check: fn(&catalogue::Reference, &mut Vec<SanityWarning>)) -> Vec<SanityWarning> {
    let mut found = vec![];
    check(catalogue::reference().unwrap(), &mut found);
    found
}

#[test]
fn every_known_contradiction_has_a_warning() {
    for (number, machine, words) in FOUND {
        let all = warnings(machine);
        assert!(
            all.iter().any(|w| w.contains(words)),
            "{number}: no warning of {machine} contains '{words}': {all:#?}"
        );
    }
    let numbers: BTreeSet<&str> = FOUND.iter().map(|f| f.0).collect();
    assert_eq!(numbers.len(), 24);
}

/// The host's percentages follow from its ticks, so nothing is said of them; nor of summaries that hold.
#[test]
fn results_that_agree_have_no_warning() {
    assert!(!warnings("intel-i7-6500u").iter().any(|w| w.contains("is printed for")));
    for clear in ["shenwei-3231", "hygon-5280", "intel-8269cy-2node"] {
        assert!(!warnings(clear).iter().any(|w| w.contains("of all runs")), "{clear}");
    }
    assert!(!warnings("hygon-5280").iter().any(|w| w.contains("if latency follows it")));
}

/// A machine whose results agree with its neighbours' has no warning.
#[test]
fn each_check_of_readings_concerns_one_machine() {
    let machines =
        |check| -> Vec<String> { found_by(check).into_iter().map(|w| w.machine).collect() };
    assert_eq!(machines(readings::ceilings), ["phytium-ft2500"]);
    assert_eq!(machines(readings::two_changes), ["intel-i7-6500u", "intel-i7-6500u-vm"]);
    assert_eq!(machines(readings::dense), ["intel-8269cy-numa-off"]);
    assert_eq!(machines(readings::order_by_system), ["hygon-7280-8node"]);
    assert_eq!(machines(readings::not_in_proportion), ["unspecified-highfreq-vm"]);
    let steps = found_by(readings::not_in_proportion);
    assert!(steps[0].what.starts_with("the step to 5000 units takes 5.2 times"), "{steps:?}");
}

fn table(name: &str) -> Table {
    catalogue::table(name).unwrap().unwrap()
}

/// Rows, columns and flagged cells of a table.
fn shape(name: &str) -> (usize, usize, Vec<String>) {
    let table = table(name);
    let mut flagged = vec![];
    for row in &table.rows {
        assert_eq!(row.cells.len() + 1, table.columns.len(), "{name}: {}", row.label);
        for (cell, column) in row.cells.iter().zip(&table.columns[1..]) {
            assert!(
                !cell.of.is_empty() || cell.warnings.is_empty(),
                "only printed cells are flagged"
            );
            if !cell.warnings.is_empty() {
                flagged.push(format!("{}, {column}: {}", row.label, cell.text));
            }
        }
    }
    (table.rows.len(), table.columns.len(), flagged)
}

#[test]
fn every_table_is_whole() {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (name, rows, columns, figures) in [
        ("openssl", 9, 6, 45),
        ("bc", 4, 3, 8),
        ("prime", 6, 4, 12),
        ("point-select", 10, 7, 47),
        ("tpcc", 6, 9, 48),
        ("stream", 7, 5, 28),
        ("lat-mem-rd", 40, 3, 40),
        ("irq", 12, 4, 24),
        ("unixbench", 13, 7, 74),
        ("unixbench-l3", 13, 4, 39),
        ("unixbench-tlbi", 13, 4, 37),
        ("pinning", 12, 8, 84),
    ] {
        let (r, c, _) = shape(name);
        let held: Vec<String> =
            table(name).rows.into_iter().flat_map(|r| r.cells).flat_map(|c| c.of).collect();
        assert_eq!((r, c, held.len()), (rows, columns, figures), "{name}");
        for id in held {
            assert!(seen.insert(id.clone()), "{name}: {id} stands in two cells");
        }
    }
    assert_eq!(catalogue::table_names().count(), 12);
    assert!(catalogue::table("no-such").unwrap().is_none());
}

/// Each cell holds what was printed.
#[test]
fn cells_hold_what_is_printed() {
    let reference = catalogue::reference().unwrap();
    for (name, _) in catalogue::table_names() {
        for cell in table(name).rows.into_iter().flat_map(|r| r.cells) {
            for id in &cell.of {
                let m = reference.measurements.iter().find(|m| m.id == *id).unwrap();
                let printed = match m.value {
                    _ if m.printed.is_ascii() => m.printed.clone(),
                    Some(value) => value.to_string(),
                    None => "n/a".into(),
                };
                assert!(cell.text.contains(&printed), "{name}: {id}: '{}'", cell.text);
            }
        }
    }
}

#[test]
fn only_cells_that_contradict_their_raw_data_are_flagged() {
    assert_eq!(
        shape("stream").2,
        [
            "phytium-ft2500 (16 nodes), most ns: 10.34",
            "phytium-ft2500 (16 nodes), least MB/s: 1546.68",
            "kunpeng-920-4826 (4 nodes), most ns: 3.87",
            "kunpeng-920-4826 (4 nodes), least MB/s: 4131.81",
            "hygon-7280-8node (8 nodes), most ns: 2.58",
            "hygon-7280-8node (8 nodes), most MB/s: 11591.48",
            "hygon-7280-8node (8 nodes), least MB/s: 6206.99",
            "intel-e5-2682v4 (2 nodes), least ns: 1.58",
            "intel-e5-2682v4 (2 nodes), most MB/s: 10092.31",
        ]
    );
    assert_eq!(
        shape("openssl").2,
        [
            "intel-8269cy-numa-off, 1, 8192 bytes: 89101.65k",
            "intel-8269cy-numa-off, 32, 8192 bytes: 2680422.40",
        ]
    );
    assert_eq!(
        shape("bc").2,
        [
            "hygon-5280, seconds and IPC: 26.729972414 IPC 0.92",
            "phytium-ft2500, seconds and IPC: 39.654819568 IPC 0.43",
            "intel-8269cy-numa-off, frequency on the label: 2.5G",
        ]
    );
    assert_eq!(shape("prime").2, ["intel-e5-2682v4, SMT pair: 74 IPC 0.29"]);
    assert_eq!(
        shape("tpcc").2,
        ["intel-8269cy-2node, AliOS, MySQL 5.7.34 community, 48 cores: 19969l"]
    );
    assert_eq!(shape("point-select").2.len(), 2);
    let irq = shape("irq").2;
    assert!(irq.len() == 6 && irq.iter().all(|c| c.starts_with("intel-i7-6500u-vm")), "{irq:?}");
    assert_eq!(shape("pinning").2, ["file1024, gain: 31%"]);
    assert_eq!((shape("unixbench-l3").2.len(), shape("unixbench-tlbi").2.len()), (6, 3));
    assert_eq!((shape("unixbench").2.len(), shape("lat-mem-rd").2.len()), (0, 17));
}

/// The page that lists the tables says of each what is in it.
#[test]
fn the_page_of_sources_is_current() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sources.md");
    let page = std::fs::read_to_string(file).unwrap();
    for (name, _) in catalogue::table_names() {
        let figures: usize =
            table(name).rows.iter().flat_map(|r| &r.cells).map(|c| c.of.len()).sum();
        let row =
            format!("`cpulens catalogue table {name}` | {figures} | {} |", shape(name).2.len());
        assert!(page.contains(&row), "docs/sources.md has no '{row}'");
    }
    let reference = catalogue::reference().unwrap();
    for published in reference.publications() {
        assert!(page.contains(&format!("| `{}` |", published.id)), "{}", published.id);
        assert!(page.contains(&published.publication.title), "{}", published.id);
    }
}
