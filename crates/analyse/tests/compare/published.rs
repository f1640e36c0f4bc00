//! Figures of other tools: versions, kinds of core, directions, and means beside what they are of.
use super::*;

#[test]
fn versions_that_time_the_same_are_compared() {
    let unlike = |a: &str, b: &str| {
        let (base, other) = (published(&[("tool", a)], 100.0), published(&[("tool", b)], 50.0));
        match &compared(&[&base, &other]).rows[0].cells[1].as_ref().unwrap().standing {
            Standing::Refused(unlike) => unlike.key(),
            Standing::Compared(against) => against.unlike[0].key(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(unlike("sysbench 1.0.20", "sysbench 1.0.17"), "version");
    assert_eq!(unlike("sbc-bench 0.4", "sbc-bench 0.9.68"), "version");
    assert_eq!(unlike("Intel MLC v3.9", "Intel MLC v3.11b"), "tool_version");
    assert_eq!(unlike("sysbench 0.5", "sysbench 1.0.17"), "tool_version");
    assert_eq!(unlike("sysbench 1.0.17", "fio 1.0.17"), "tool");
}

/// Kinds of core are the machine's: the fastest of one stands beside the fastest of the other, and like beside like.
#[test]
fn the_fastest_cores_are_set_beside_each_other() {
    let cores = |all: &[(&str, f64)]| {
        let each = all.iter().map(|(core, x)| published(&[("core", *core), ("tool", "t")], *x));
        each.reduce(|mut record, more| {
            record.runs.extend(more.runs);
            record
        })
        .unwrap()
    };
    let pairs = |a: &[(&str, f64)], b: &[(&str, f64)]| {
        let of = compared(&[&cores(a), &cores(b)]);
        let value =
            |row: &analyse::compare::Row, side: usize| row.cells[side].as_ref().unwrap().median;
        let mut pairs: Vec<_> = of.rows.iter().map(|row| (value(row, 0), value(row, 1))).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        pairs
    };
    let big = [("A53", 10.0), ("A72", 30.0)];
    assert_eq!(pairs(&big, &[("N1", 60.0)]), [(30.0, 60.0)]);
    assert_eq!(pairs(&[("N1", 60.0)], &big), [(60.0, 30.0)]);
    assert_eq!(pairs(&big, &[("A55", 15.0), ("A76", 50.0)]), [(10.0, 15.0), (30.0, 50.0)]);
    assert_eq!(pairs(&big, &[("A53", 12.0), ("A76", 50.0)]), [(10.0, 12.0), (30.0, 50.0)]);
}

/// A figure that keeps the words of its text is compared where they state a direction.
#[test]
fn published_times_have_a_headline() {
    let ticks = |better: Better, value: f64| {
        let mut record = published(&[("workload", "sieve"), ("in", "tsc_ticks")], value);
        record.runs[0].case.probe = ProbeId::ReferenceResult;
        let Outcome::Measured(all) = &mut record.runs[0].outcome else { unreachable!() };
        (all[0].better, all[0].unit) = (better, record::Unit::Count);
        record
    };
    let headlines = |better| compared(&[&ticks(better, 10.0), &ticks(better, 20.0)]).headlines;
    assert!(headlines(Better::Neither).is_empty());
    let lower = headlines(Better::Lower);
    assert_eq!(lower[0].subject.of.as_deref(), Some("sieve, tsc ticks"));
    assert_eq!(lower[0].sides[1].as_ref().unwrap().times, 0.5);
}

#[test]
fn a_mean_of_ratings_is_no_row_beside_them() {
    let ratings = |all: &[&str]| {
        let mut record = published(&[("tool", "7-Zip 26.02")], 1.0);
        record.runs[0].case.probe = ProbeId::Sevenzip;
        let Outcome::Measured(series) = &mut record.runs[0].outcome else { unreachable!() };
        let of = |name: &&str| {
            let mut series = series[0].clone();
            series.at.insert("of".into(), (*name).into());
            series
        };
        let all = all.iter().map(of).collect();
        *series = all;
        record
    };
    let halves = ["both", "compressing", "decompressing"];
    let rows = |a: &[&str], b: &[&str]| compared(&[&ratings(a), &ratings(b)]).rows.len();
    assert_eq!((rows(&halves, &halves), rows(&halves, &["both"])), (2, 1));
}
