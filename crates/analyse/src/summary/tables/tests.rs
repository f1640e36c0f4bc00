//! The rows of a summary: selection, order and names.
use super::*;
use crate::example::{empty, measured};
use record::{Better, Metric, Origin, Record, Series};

#[test]
fn scores_come_first_and_constants_never() {
    let mut record = empty();
    let whetstone = "Double-Precision Whetstone";
    for (metric, test) in
        [("baseline", whetstone), ("rate", whetstone), ("ipc", whetstone), ("score", "all")]
    {
        let mut s = Series::new(metric, Unit::PerSecond, Better::Higher).at(param::TEST, test);
        s.samples = vec![2e9];
        measured(&mut record, "suite", &[], vec![s]);
        record.runs.last_mut().unwrap().origin = Some(Origin { source: 0, line: 1 });
    }
    let tables = crate::summary::summary(&crate::analyse(&record)).tables;
    let names = tables[0].rows.iter().map(|row| match &row.label {
        Label::Name(name) => name.as_str(),
        other => panic!("{other:?}"),
    });
    let names: Vec<&str> = names.collect();
    assert!(names[0].starts_with("suite score"), "{names:?}");
    assert!(names.len() == 3 && names.iter().all(|n| !n.contains("baseline")), "{names:?}");
    assert!(matches!(tables[0].rows[1].cells[0], Cell::Named(_, 1e6, "MWIPS")));
}

#[test]
fn results_of_others_are_named_in_words() {
    let mut s = Series::new("bandwidth", Unit::BytesPerSecond, Better::Higher);
    s.samples = vec![2e9];
    let mut record = empty();
    let at = [("from", 0u64), ("to", 1)].into_iter();
    let matrix = at.fold(s.clone(), |mut s, (name, value)| {
        s.at.insert(name.into(), value.into());
        s
    });
    measured(&mut record, "numa_matrix", &[("tool", "Intel MLC 3.9")], vec![matrix]);
    s.at.insert("kernel".into(), "copy".into());
    measured(&mut record, "stream", &[("elements", "80000000"), ("threads", "all")], vec![s]);
    for run in &mut record.runs {
        run.origin = Some(Origin { source: 0, line: 1 });
    }
    let tables = crate::summary::summary(&crate::analyse(&record)).tables;
    let labels: Vec<&Label> = tables[0].rows.iter().map(|row| &row.label).collect();
    let named = |name: &str| Label::Name(name.into());
    assert_eq!(*labels[0], named("NUMA matrix: from node 0 to node 1"));
    assert_eq!(*labels[1], named("STREAM: copy, 80 million elements, all threads"));
}

/// A matrix of two nodes is whole, however much else there is.
#[test]
fn a_small_matrix_has_all_its_pairs() {
    let mut record = empty();
    let series = |metric: &str, at: &[(&str, u64)]| {
        let s = Series::new(metric, Unit::Seconds, Better::Lower);
        let s = Series { samples: vec![1e-7], ..s };
        at.iter().fold(s, |mut s, (name, value)| {
            s.at.insert((*name).into(), (*value).into());
            s
        })
    };
    let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let matrix = pairs.map(|(from, to)| series("idle_latency", &[("from", from), ("to", to)]));
    measured(&mut record, "numa_matrix", &[], matrix.to_vec());
    for metric in ["loaded_latency", "latency", "elapsed", "rate"] {
        let all = (0..9).map(|delay| series(metric, &[("delay", delay)])).collect();
        measured(&mut record, "mlc_loaded", &[], all);
    }
    for run in &mut record.runs {
        run.origin = Some(Origin { source: 0, line: 1 });
    }
    let table = crate::summary::summary(&crate::analyse(&record)).tables.remove(0);
    let names = table.rows.iter().map(|row| format!("{:?}", row.label));
    assert_eq!(names.filter(|name| name.contains("from node")).count(), 4, "{table:?}");
    assert_eq!((table.rows.len(), table.more), (ROWS, 4 + 4 * 9 - ROWS));
}

/// Two versions of a tool, and settings that are one term.
#[test]
fn alike_results_are_told_apart_by_their_tool() {
    let score = |value: f64| {
        let s = Series::new("score", Unit::Count, Better::Higher);
        Series { samples: vec![value], ..s }
    };
    let mut record = empty();
    for tool in ["Geekbench 4", "Geekbench 5"] {
        let params = [("tool", tool), ("bound", "no"), ("mode", "kernel")];
        measured(&mut record, "geekbench", &params, vec![score(1000.0)]);
    }
    for run in &mut record.runs {
        run.origin = Some(Origin { source: 0, line: 1 });
    }
    let table = crate::summary::summary(&crate::analyse(&record)).tables.remove(0);
    let labels: Vec<&Label> = table.rows.iter().map(|row| &row.label).collect();
    let named = |n| Label::Name(format!("Geekbench {n} score").into());
    assert_eq!(labels, [&named(4), &named(5)]);
    assert_eq!(table.common, "unpinned, kernel mode");
}

/// Of a curve that another tool printed the rows reach its largest size: memory, and not the first cache alone.
#[test]
fn a_printed_curve_reaches_memory() {
    let mut record = empty();
    let sizes: Vec<u64> = (0..40).map(|i| 512 << (i / 2)).collect();
    let series = |size: &u64| {
        let mut s = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower);
        s.samples = vec![1e-9];
        s.at(param::WORKING_SET, *size)
    };
    measured(&mut record, "lat_mem_rd", &[("stride", "128")], sizes.iter().map(series).collect());
    record.runs[0].origin = Some(Origin { source: 0, line: 1 });
    let table = crate::summary::summary(&crate::analyse(&record)).tables.remove(0);
    assert_eq!((table.rows.len(), table.more), (ROWS, sizes.len() - ROWS));
    let name = |row: &Row| format!("{:?}", row.label);
    assert!(name(&table.rows[0]).contains("512 B"), "{:?}", table.rows[0]);
    assert!(name(&table.rows[ROWS - 1]).contains("256 MiB"), "{:?}", table.rows[ROWS - 1]);
}

/// A probe without a figure has rows, of many cases for the largest size of each; one with a figure has none.
#[test]
fn what_has_no_figure_is_listed() {
    let series = |metric, unit, size: u64| {
        let mut s = Series::new(metric, unit, Better::Higher);
        s.samples = vec![size as f64; 8];
        s.at(param::BLOCK, size)
    };
    let speed = |size| series(Metric::Throughput, Unit::BytesPerSecond, size);
    let mut record = empty();
    for copies in 1..=8u64 {
        let all = vec![speed(16), speed(1024)];
        measured(&mut record, "openssl", &[("copies", &copies.to_string())], all);
    }
    measured(&mut record, "preflight", &[], vec![series(Metric::Busy, Unit::Ratio, 1)]);
    let of = |record: &Record| crate::summary::summary(&crate::analyse(record)).tables;
    let [table] = &of(&record)[..] else { panic!("one table") };
    assert_eq!(table.id, TableId::Measured(ProbeId::Openssl));
    let rows = table.rows.iter().map(|row| match (&row.label, &row.cells[0]) {
        (Label::Name(name), Cell::Number(quantity)) => (name.as_str(), quantity.value),
        other => panic!("{other:?}"),
    });
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows[0], ("openssl: 1 copy, 1 KiB blocks", 1024.0));
    assert_eq!((rows.len(), table.more), (8, 8));
    let first = Record { runs: record.runs[..1].to_vec(), ..record.clone() };
    let [of_one] = &of(&first)[..] else { panic!("one table") };
    assert_eq!((of_one.rows.len(), of_one.more), (2, 0), "16 and 1,024 bytes");
    let mut hertz = Series::new(Metric::Frequency, Unit::Hertz, Better::Higher);
    hertz.samples = vec![3e9; 8];
    measured(&mut record, "core_frequency", &[], vec![hertz.at(param::CHAIN, "add")]);
    assert_eq!(of(&record), []);
}
