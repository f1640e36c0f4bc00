//! Records side by side: nothing is claimed of a machine against itself, what was planted is found, and what is unlike
//! is never taken for a difference.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#[path = "../generate/mod.rs"]
mod generate;
mod headlines;
mod published;
mod workloads;

use analyse::compare::{
    Against, Comparison, Extractor, Gathering, Grade, Group, Incomparable, Spent, Standing,
    SubjectKind, Verdict,
};
use generate::Model;
use proptest::prelude::*;
use record::{Better, Judgement, Metric, Outcome, Pages, ProbeId, Record, Series, param};
use std::num::NonZeroUsize;

fn load(name: &str) -> Record {
    generate::all().into_iter().find(|(n, _)| *n == name).unwrap().1
}

/// The quiet machine, measured once more.
fn again(seed: u64) -> Record {
    visited(Model::new(load("quiet-vm").machine, seed).record())
}

/// The same samples, measured in two visits.
fn visited(mut record: Record) -> Record {
    for run in &mut record.runs {
        run.visits = vec![Default::default(); 2];
        if let Outcome::Measured(series) = &mut run.outcome {
            for s in series.iter_mut().filter(|s| s.samples.len() > 5) {
                let first = s.samples.len() as u32 / 2;
                s.visits = vec![first, s.samples.len() as u32 - first];
            }
        }
    }
    record
}

fn compared(records: &[&Record]) -> Comparison {
    let mut gathering = Gathering::new();
    for (i, record) in records.iter().enumerate() {
        gathering.add(&format!("r{i}"), record);
    }
    gathering.finish(0)
}

/// Changes the series of a probe.
fn each(record: &mut Record, probe: &str, mut change: impl FnMut(&mut Series)) {
    for run in record.runs.iter_mut().filter(|r| r.case.probe == probe) {
        if let Outcome::Measured(series) = &mut run.outcome {
            series.iter_mut().for_each(&mut change);
        }
    }
}

fn ratios<'a>(of: &'a Comparison, probe: &'a str) -> impl Iterator<Item = &'a Against> {
    of.rows.iter().filter(move |r| r.quantity.probe == probe).filter_map(|r| r.against(1))
}

fn refused(of: &Comparison, probe: &str) -> Vec<Incomparable> {
    let rows = of.rows.iter().filter(|r| r.quantity.probe == probe);
    rows.filter_map(|r| match &r.cells[1].as_ref()?.standing {
        Standing::Refused(unlike) => Some((**unlike).clone()),
        _ => None,
    })
    .collect()
}

#[test]
fn a_machine_does_not_differ_from_itself() {
    let (mut rows, mut same, mut expected) = (0, 0, 0);
    for seed in 10..16 {
        let of = compared(&[&again(seed), &again(seed + 100)]);
        rows += of.rows.len();
        same += of.count(1, Verdict::Same);
        expected += of.count(1, Verdict::Better) + of.count(1, Verdict::Worse);
        for mean in &of.means[1] {
            assert!((mean.times - 1.0).abs() < 0.02, "{mean:?}");
        }
        assert!(!of.differs(1), "{:?}", of.headlines);
    }
    assert!(rows > 1000, "{rows}");
    assert_eq!(expected, 0, "of {rows} rows");
    assert!(same * 8 > rows, "{same} of {rows} are known to be the same");
    assert!(compared(&[&again(1), &again(2)]).summary[0].contains("not clearly faster or slower"));
}

/// Noise that moves medians beyond the band by chance: without the test, or without its adjustment, rows would be called.
#[test]
fn a_noisy_machine_does_not_differ_from_itself_either() {
    let noisy = |seed| {
        let mut model = Model::new(load("quiet-vm").machine, seed);
        model.noise = 0.03;
        let mut record = visited(model.record());
        record.reference_samples.clear();
        record
    };
    let (mut beyond, mut crying, mut claims) = (0, 0, 0);
    for seed in 30..38 {
        let of = compared(&[&noisy(seed), &noisy(seed + 100)]);
        assert!(of.unlike[1].iter().all(|u| u.grade() < Grade::Unclaimed), "{:?}", of.unlike);
        let off = |a: &Against| a.adjusted.is_some() && (a.ratio > 1.02 || a.ratio < 1.0 / 1.02);
        beyond += of.rows.iter().filter(|r| r.against(1).is_some_and(off)).count();
        crying += usize::from(of.count(1, Verdict::Better) + of.count(1, Verdict::Worse) > 0);
        claims += of.headlines.iter().filter(|h| h.sides[1].as_ref().unwrap().differs()).count();
    }
    assert!(beyond > 200, "{beyond} medians differ by chance");
    assert!(crying <= 1 && claims <= 1, "{crying} of 8 pairs, {claims} headlines");
}

#[test]
fn a_planted_slowdown_of_5_percent_is_found_with_its_sign_and_interval() {
    let (old, mut new) = (again(20), again(21));
    each(&mut new, "core_rate", |s| s.samples.iter_mut().for_each(|x| *x *= 1.05));
    each(&mut new, "bandwidth", |s| s.samples.iter_mut().for_each(|x| *x *= 1.05));
    let of = compared(&[&old, &new]);
    for (probe, verdict) in [("core_rate", Verdict::Worse), ("bandwidth", Verdict::Better)] {
        let found: Vec<&Against> = ratios(&of, probe).collect();
        assert!(found.len() >= 8, "{probe}");
        let right = found.iter().filter(|a| a.verdict == verdict).count();
        assert!(right * 10 >= found.len() * 9, "{probe}: {right} of {}", found.len());
        let covered =
            found.iter().filter(|a| a.interval.is_some_and(|i| i.low <= 1.05 && 1.05 <= i.high));
        assert!(covered.count() * 10 >= found.len() * 7, "{probe}");
    }
    let elsewhere =
        of.rows.iter().filter(|r| !["core_rate", "bandwidth"].contains(&r.quantity.probe.as_str()));
    let alarms = elsewhere.filter(|r| {
        r.against(1).is_some_and(|a| matches!(a.verdict, Verdict::Better | Verdict::Worse))
    });
    assert!(alarms.count() <= 2);
    assert!(
        of.summary[0].contains("slower than r0 at core")
            && of.summary[0].contains("leans to faster at memory bandwidth of one core"),
        "{}",
        of.summary[0]
    );
}

/// The load is a condition of the latency under it, not a speed.
#[test]
fn more_load_is_not_faster_under_load() {
    let (old, mut new) = (again(1), again(2));
    each(&mut new, "loaded_latency", |s| {
        let by = if s.metric == Metric::Injected { 5.0 } else { 1.0 };
        s.samples.iter_mut().for_each(|x| *x *= by);
    });
    let of = compared(&[&old, &new]);
    let loaded = of.headlines.iter().find(|h| h.subject.kind == SubjectKind::Loaded).unwrap();
    let ahead = loaded.sides[1].as_ref().unwrap();
    assert!((0.8..1.25).contains(&ahead.times), "{ahead:?}");
    let mean = of.means[1].iter().find(|mean| mean.group == Group::Loaded).unwrap();
    assert!((0.8..1.25).contains(&mean.times), "{mean:?}");
}

#[test]
fn another_definition_is_refused_and_never_a_ratio() {
    let (old, mut new) = (again(1), again(2));
    new.runs
        .iter_mut()
        .filter(|r| r.case.probe == ProbeId::CoreRate)
        .for_each(|r| r.case.version = 2);
    let of = compared(&[&old, &new]);
    assert_eq!(ratios(&of, "core_rate").count(), 0);
    let why = refused(&of, "core_rate");
    assert!(why.len() >= 8 && why.iter().all(|u| *u == Incomparable::Definition(1, 2)));
    let reason = why[0].reason("cpulens run --only core_rate");
    assert!(reason.remedy.unwrap().contains("cpulens run --only core_rate"));
    assert!(of.summary.iter().any(|s| s.contains("definition changed")), "{:?}", of.summary);
}

#[test]
fn unlike_pages_contents_places_and_sizes_are_marked() {
    let buffered = |change: fn(&mut record::Buffer)| {
        let mut new = again(2);
        each(&mut new, "load_latency", |s| s.buffer.iter_mut().for_each(change));
        compared(&[&again(1), &new])
    };
    let marked = |of: &Comparison, like: fn(&Incomparable) -> bool| {
        let all: Vec<&Against> = ratios(of, "load_latency").collect();
        assert!(!all.is_empty());
        all.iter().all(|a| a.verdict == Verdict::Unclaimed && a.unlike.iter().any(like))
    };
    let of = buffered(|b| b.pages = Pages::Hugetlb(2 << 20));
    assert!(marked(&of, |u| matches!(u, Incomparable::Pages(..))));
    let of = buffered(|b| b.huge_share = Some(0.5));
    assert!(marked(&of, |u| matches!(u, Incomparable::HugeShare(..))));
    let of = buffered(|b| b.nodes = [(9, 1.0)].into());
    assert!(marked(&of, |u| matches!(u, Incomparable::Placement(..))));
    let of = buffered(|b| b.content = "zero".into());
    assert_eq!(ratios(&of, "load_latency").count(), 0);
    assert!(refused(&of, "load_latency").iter().all(|u| matches!(u, Incomparable::Content(..))));
    // Of a curve the size is what is asked for: marked where one machine's cache has ended.
    let of = buffered(|b| b.llc_ratio = b.llc_ratio.map(|r| r / 4.0));
    let reach = |a: &&Against| a.unlike.iter().any(|u| matches!(u, Incomparable::Reach(..)));
    assert!(ratios(&of, "load_latency").any(|a| reach(&a)));
    assert!(ratios(&of, "load_latency").any(|a| !reach(&a)));
}

#[test]
fn a_buffer_inside_the_cache_on_one_side_is_refused() {
    let with = |ratio: f64| {
        let mut record = again(1);
        each(&mut record, "bandwidth", |s| {
            let llc_ratio = Some(ratio);
            s.buffer =
                Some(record::Buffer { llc_ratio, content: "random".into(), ..Default::default() });
        });
        record
    };
    assert!(refused(&compared(&[&with(12.0), &with(4.0)]), "bandwidth").is_empty());
    let why = refused(&compared(&[&with(12.0), &with(2.0)]), "bandwidth");
    assert!(why.len() >= 8 && why.iter().all(|u| *u == Incomparable::Footprint(12.0, 2.0)));
}

#[test]
fn an_unfit_machine_is_compared_with_doubt() {
    let (quiet, busy) = (load("quiet-vm"), load("busy-vm"));
    let of = compared(&[&quiet, &busy]);
    assert!(of.unlike[1].iter().any(|u| matches!(u, Incomparable::Unfit(..))));
    assert!(of.unlike[1].iter().all(|u| u.grade() < Grade::Unclaimed), "{:?}", of.unlike);
    assert!(of.count(1, Verdict::Unclaimed) * 10 < of.rows.len());
    assert!(of.means[1].iter().any(|m| m.confidence.is_some_and(|sure| sure >= 0.5)));
    assert!(!of.summary[0].starts_with("Nothing is claimed"), "{:?}", of.summary);
}

/// CPU time that others took of a case widens the intervals of what they share, and hardly those of a dependent chain; an
/// interval without an undisturbed sample is widened more.
#[test]
fn time_that_others_took_is_a_doubt_by_the_kind_of_figure() {
    let (base, mut other) = (again(1), again(2));
    let width = |record: &Record, probe: &str| {
        let of = compared(&[&base, record]);
        let rows: Vec<&Against> = ratios(&of, probe).collect();
        rows[0].interval.map(|width| (width.high / width.low).ln()).unwrap()
    };
    let widths = |record: &Record| ["bandwidth", "core_frequency"].map(|p| width(record, p));
    let quiet = widths(&other);
    for run in &mut other.runs {
        run.readings.retain(|r| r.name != "contention.steal");
        run.readings.push(record::Reading::new("contention.steal", record::Unit::Ratio, 0.6));
    }
    let stolen = widths(&other);
    let [bandwidth, core] = [0, 1].map(|at| stolen[at] - quiet[at]);
    assert!(bandwidth > 2.0 * quiet[0], "{quiet:?} {stolen:?}");
    assert!(core > 0.0 && 5.0 * core < bandwidth, "{quiet:?} {stolen:?}");
    each(&mut other, "bandwidth", |s| {
        let mark = |sample| record::Disturbed { sample, why: "context switch".into() };
        s.disturbed = (0..s.samples.len() as u32).map(mark).collect();
    });
    assert!(widths(&other)[0] > 1.2 * stolen[0], "{stolen:?}");
}

#[test]
fn unlike_machines_are_told_apart_by_what_they_state_and_how_many_took_part() {
    let of = compared(&[&load("quiet-vm"), &load("two-node-server")]);
    let names: Vec<&str> = of.facts.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names[..2], ["virtual.hypervisor", "cpu.model"]);
    for fact in
        ["cpu.sockets", "cpu.cores", "cache.data.l3", "memory.modules", "memory.thp.enabled"]
    {
        assert!(names.contains(&fact), "{fact} in {names:?}");
    }
    assert!(of.unlike[1].iter().any(|u| matches!(u, Incomparable::Host(..))));
    let all: Vec<&Against> = of
        .rows
        .iter()
        .filter(|r| r.quantity.probe == ProbeId::Bandwidth)
        .filter(|r| param::ONE_OR_ALL.of(&r.quantity.at) == Some("all"))
        .filter_map(|r| r.against(1))
        .collect();
    assert!(!all.is_empty());
    for against in all {
        assert!(against.unlike.iter().any(|u| matches!(u, Incomparable::Threads(2, _))));
        let cores = 8.0;
        assert!(
            (against.normalized.as_ref().unwrap().per_core.unwrap() * cores / 2.0 / against.ratio
                - 1.0)
                .abs()
                < 1e-12
        );
    }
    for against in ratios(&of, "core_rate") {
        assert!((against.per_cycle.unwrap() * 4.5 / 3.4 / against.ratio - 1.0).abs() < 1e-9);
    }
}

#[test]
fn one_row_none_and_one_record_are_said_in_words() {
    let mut only = again(1);
    only.runs.retain(|r| r.case.probe == ProbeId::CoreFrequency);
    let of = compared(&[&only, &again(2)]);
    assert!(of.rows.iter().all(|r| r.quantity.probe == ProbeId::CoreFrequency) && of.comparable());
    let mut none = again(1);
    none.runs.clear();
    let of = compared(&[&none, &again(2)]);
    assert!(of.rows.is_empty() && !of.comparable());
    assert!(of.summary[0].contains("nothing can be compared"), "{:?}", of.summary);
    assert!(compared(&[&none]).summary[0].contains("one record only"));
    assert!(!Gathering::new().finish(3).comparable());
}

#[test]
fn a_single_value_has_no_spread_and_is_not_judged() {
    let single = |factor: f64| {
        let mut record = again(3);
        each(&mut record, "core_rate", |s| s.samples = vec![s.samples[0] * factor]);
        compared(&[&again(3), &record])
    };
    for of in [single(1.0), single(3.0)] {
        assert!(ratios(&of, "core_rate").all(|a| a.verdict == Verdict::NoSpread));
        assert!(ratios(&of, "core_rate").count() > 0);
    }
}

#[test]
fn odd_numbers_make_no_ratio_and_no_panic() {
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320, 1e308] {
        let mut record = again(4);
        each(&mut record, "core_rate", |s| s.samples.iter_mut().for_each(|x| *x = odd));
        let of = compared(&[&again(5), &record]);
        for against in of.rows.iter().filter_map(|r| r.against(1)) {
            assert!(against.ratio.is_normal() && against.ratio > 0.0, "{odd}");
        }
    }
}

/// A record of one imported figure under this software.
fn published(software: &[(&str, &str)], value: f64) -> Record {
    let mut record = again(1);
    record.runs.truncate(1);
    let run = &mut record.runs[0];
    run.case.probe = "sysbench".into();
    run.case.params = [("cores".to_owned(), 4u64.into())].into();
    for (name, value) in software {
        run.case.params.insert((*name).into(), (*value).into());
    }
    let mut s = Series::new(Metric::Queries, record::Unit::PerSecond, Better::Higher);
    s.samples = vec![value];
    run.outcome = Outcome::Measured(vec![s]);
    record
}

#[test]
fn other_software_is_set_beside_and_marked() {
    let base = published(&[("os", "AliOS"), ("server", "MySQL 5.7")], 100.0);
    let marked = |software: &[(&str, &str)]| {
        let of = compared(&[&base, &published(software, 50.0)]);
        assert_eq!(of.rows.len(), 1, "{software:?}");
        match &of.rows[0].cells[1].as_ref().unwrap().standing {
            Standing::Refused(unlike) => (None, vec![(**unlike).clone()]),
            Standing::Compared(against) => (Some(against.verdict), against.unlike.to_vec()),
            other => panic!("{other:?}"),
        }
    };
    let (verdict, unlike) = marked(&[("os", "AliOS"), ("server", "MySQL 5.7")]);
    assert_eq!((verdict, unlike.len()), (Some(Verdict::NoSpread), 0));
    let (verdict, unlike) = marked(&[("os", "Kylin"), ("server", "MySQL 5.7")]);
    assert_eq!((verdict, unlike.len()), (Some(Verdict::NoSpread), 1));
    assert!(unlike[0].reason("").why.contains("AliOS in the baseline and Kylin here"));
    assert_eq!(unlike[0].reason("").remedy.unwrap(), "the same os on both");
    let (_, unlike) = marked(&[("server", "MySQL 5.7")]);
    assert!(unlike[0].reason("").why.contains("not stated here"), "{unlike:?}");
    // Another version of the tool, or another of its figures, is another benchmark.
    for (name, value) in [("tool", "sysbench 1.0"), ("statistic", "best")] {
        let (verdict, unlike) = marked(&[("os", "AliOS"), ("server", "MySQL 5.7"), (name, value)]);
        assert_eq!(verdict, None);
        assert!(
            matches!(unlike[0], Incomparable::Benchmark(..)) && unlike[0].grade() == Grade::Refused
        );
    }
}

/// A loop that copies and one that adds are two quantities: neither stands in for the other.
#[test]
fn what_a_loop_does_is_no_software() {
    let base = published(&[("kernel", "copy"), ("tool", "t")], 100.0);
    let of = compared(&[&base, &published(&[("kernel", "triad"), ("tool", "t")], 50.0)]);
    assert_eq!((of.rows.len(), &of.alone[..]), (0, &[1, 1][..]));
}

/// A comparison looks at less of a record than a report does, and says the same of its environment check.
#[test]
fn the_environment_check_is_that_of_the_report() {
    for (name, record) in generate::all() {
        let of = compared(&[&record, &again(1)]);
        let report = analyse::analyse(&record);
        let expected = report.get::<Judgement>();
        assert_eq!(of.sides[0].environment, expected.environment, "{name}");
        assert_eq!(of.sides[0].doubt, expected.reasons.first().cloned(), "{name}");
    }
}

#[test]
fn of_several_the_nearest_is_set_beside() {
    let two = |a: &[(&str, &str)], x: f64, b: &[(&str, &str)], y: f64| {
        let mut record = published(a, x);
        record.runs.extend(published(b, y).runs);
        record
    };
    let base = two(
        &[("os", "AliOS"), ("server", "MySQL 5.7")],
        100.0,
        &[("os", "AliOS"), ("server", "XDB 8.0")],
        200.0,
    );
    let other = two(
        &[("os", "CentOS"), ("server", "XDB 8.0")],
        20.0,
        &[("os", "AliOS"), ("server", "MySQL 5.7")],
        10.0,
    );
    let of = compared(&[&base, &other]);
    let mut ratios: Vec<(String, f64)> = of
        .rows
        .iter()
        .map(|r| (r.quantity.at["server"].to_string(), r.against(1).unwrap().ratio))
        .collect();
    ratios.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(ratios, [("MySQL 5.7".to_owned(), 0.1), ("XDB 8.0".to_owned(), 0.1)]);
    assert_eq!(of.alone, [0, 0], "every one has found its like");
}

/// However many threads take and judge, the records in their order alone decide.
#[test]
fn threads_change_nothing() {
    let records: Vec<Record> = (0..7).map(again).collect();
    let expected = |takers: usize, threads: usize| {
        let mut gathering = Gathering::new();
        gathering.on_threads(NonZeroUsize::new(threads).unwrap());
        let mut takers: Vec<Extractor> = (0..takers).map(|_| Extractor::default()).collect();
        for (number, record) in records.iter().enumerate() {
            let extractor = number % takers.len();
            gathering.put(takers[extractor].take("machine", record, false));
        }
        let of = gathering.finish(1);
        let names: Vec<&str> = of.sides.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names[..3], ["machine", "machine (2)", "machine (3)"]);
        format!("{:?} {:?} {:?} {:?}", of.rows, of.means, of.summary, of.facts)
    };
    let one = expected(1, 1);
    for (takers, threads) in [(3, 1), (1, 4), (2, 100)] {
        assert!(expected(takers, threads) == one, "{takers} takers, {threads} threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn turned_round_every_ratio_is_the_inverse(seed in 0u64..1000, factor in 0.5f64..2.0) {
        let (a, mut b) = (again(seed), again(seed + 1));
        each(&mut b, "core_rate", |s| s.samples.iter_mut().for_each(|x| *x *= factor));
        let (there, back) = (compared(&[&a, &b]), compared(&[&b, &a]));
        prop_assert_eq!(there.rows.len(), back.rows.len());
        for row in &there.rows {
            let other = back.rows.iter().find(|r| r.quantity.at == row.quantity.at
                && r.quantity.probe == row.quantity.probe && r.quantity.metric == row.quantity.metric).unwrap();
            let (Some(x), Some(y)) = (row.against(1), other.against(1)) else {
                prop_assert!(row.against(1).is_none() && other.against(1).is_none());
                continue;
            };
            prop_assert!((x.ratio * y.ratio - 1.0).abs() < 1e-12);
            if let (Some(i), Some(j)) = (x.interval, y.interval) {
                prop_assert!((i.low * j.high - 1.0).abs() < 1e-9 && (i.high * j.low - 1.0).abs() < 1e-9);
            }
            prop_assert_eq!(x.adjusted, y.adjusted);
            let turned = match x.verdict {
                Verdict::Better => Verdict::Worse,
                Verdict::Worse => Verdict::Better,
                other => other,
            };
            prop_assert_eq!(turned, y.verdict);
            if row.quantity.better == Better::Neither {
                prop_assert!(!matches!(x.verdict, Verdict::Better | Verdict::Worse));
            }
        }
    }
}
