//! One verdict for each subject, of rows that belong to it, and one count of what is not compared.
use crate::{again, compared, each, load, ratios};
use analyse::compare::{Against, Beside, Incomparable, Lowered, SubjectKind, Sure, Verdict};
use record::{Metric, ProbeId, Value};

/// Rows of which none is sure by itself can be sure as a whole: screen, sentence and exit code rest on one interval.
#[test]
fn the_verdict_on_a_subject_is_that_of_its_interval() {
    let (old, mut new) = (again(20), again(21));
    for probe in ["bandwidth", "stream"] {
        each(&mut new, probe, |s| s.samples.iter_mut().for_each(|x| *x *= 1.5));
    }
    let mut of = compared(&[&old, &new]);
    let mut seen = [0, 0];
    for headline in std::mem::take(&mut of.headlines) {
        let ahead = headline.sides[1].as_ref().unwrap();
        let i = ahead.interval.unwrap();
        assert!(i.low <= ahead.times && ahead.times <= i.high, "{ahead:?}");
        let beyond = (i.low > 1.0 || i.high < 1.0) && (ahead.times - 1.0).abs() > 0.02;
        let significant = ahead.sure == Sure::Significant;
        assert!(significant || !beyond, "{ahead:?}");
        assert!(!significant || i.low > 1.0 || i.high < 1.0, "{ahead:?}");
        let claim =
            format!("{} {:.2} times ({:.2} to", headline.subject.words(), ahead.times, i.low);
        let claimed = of.summary[0].split(';').next().unwrap().contains(&claim);
        assert_eq!(claimed, significant, "{claim}: {}", of.summary[0]);
        seen[usize::from(significant)] += 1;
    }
    assert!(seen[0] > 2 && seen[1] > 0, "{seen:?}");
}

/// A chain of multiplications has a rate of its own.
#[test]
fn core_frequency_is_that_of_additions() {
    let of = compared(&[&again(1), &again(2)]);
    let frequency = of.headlines.iter().find(|h| h.subject.kind == SubjectKind::CoreFrequency);
    let rows = frequency.unwrap().rows.iter().map(|row| &of.rows[*row].quantity.at);
    assert_eq!(rows.map(|at| at["chain"].to_string()).collect::<Vec<_>>(), ["add"]);
    assert!(
        of.rows.iter().any(|r| r.quantity.at.get("chain").and_then(Value::text) == Some("mul"))
    );
}

/// The load that a latency is at is no latency, and decides nothing where the latencies are not comparable.
#[test]
fn latency_under_load_is_of_latencies() {
    let of = compared(&[&again(1), &again(2)]);
    let loaded = of.headlines.iter().find(|h| h.subject.kind == SubjectKind::Loaded).unwrap();
    let beside = of.beside.iter().filter(|b| b.subject.kind == SubjectKind::Loaded).map(|b| b.row);
    let rows: Vec<usize> = loaded.rows.iter().copied().chain(beside).collect();
    assert!(rows.len() > loaded.rows.len() && loaded.rows.len() > 1, "{rows:?}");
    let metrics = rows.iter().map(|row| of.rows[*row].quantity.metric);
    assert!(metrics.into_iter().all(|metric| metric == Metric::LoadedLatency));
    // Loads are set beside each other all the same, and are no better or worse.
    let injected = of.rows.iter().filter(|row| row.quantity.metric == Metric::Injected);
    let ratios: Vec<_> = injected.filter_map(|row| row.against(1)).collect();
    assert!(!ratios.is_empty() && ratios.iter().all(|a| a.unlike.is_empty()), "{ratios:?}");
    assert!(of.not_compared.iter().all(|(why, _)| !why.contains("units")), "{:?}", of.not_compared);
    // Other numbers of CPUs wait for each other.
    let of = compared(&[&load("quiet-vm"), &load("two-node-server")]);
    assert!(of.headlines.iter().all(|h| h.subject.kind != SubjectKind::Loaded));
    assert!(of.summary.iter().all(|s| !s.contains("latency under load")), "{:?}", of.summary);
}

/// Rows of no subject count too: the screen, the key and the sentence have one number.
#[test]
fn what_is_not_compared_is_counted_once() {
    for (a, b) in [("quiet-vm", "two-node-server"), ("two-node-server", "busy-vm")] {
        let of = compared(&[&load(a), &load(b)]);
        let count: usize = of.not_compared.iter().map(|(_, count)| count).sum();
        let claim = format!("Nothing is claimed of {count} of ");
        assert!(count > 0 && of.summary.iter().any(|s| s.starts_with(&claim)), "{:?}", of.summary);
        let subjects: usize = of.headlines.iter().map(|h| h.rows.len()).sum();
        assert!(subjects < of.rows.len());
    }
}

/// Sizes of one level are alike: each level has one row, memory one for each kind of pages, and nothing is all zero.
#[test]
fn each_level_of_the_caches_is_one_row() {
    let of = compared(&[&load("quiet-vm"), &load("two-node-server")]);
    let rows = |kind| of.beside.iter().filter(move |b| b.subject.kind == kind);
    let levels = rows(SubjectKind::CacheLatency).map(|b| b.at[0].1.as_str());
    assert_eq!(levels.collect::<Vec<_>>(), ["L1", "L2", "L3"]);
    let sizes = rows(SubjectKind::CacheLatency).map(|b| b.at.last().unwrap().1.parse::<u64>());
    let sizes: Vec<u64> = sizes.map(Result::unwrap).collect();
    for (size, cache) in sizes.iter().zip(&of.sides[1].caches) {
        assert!(*size < cache.1, "{sizes:?} in {:?}", of.sides[1].caches);
    }
    let pages = rows(SubjectKind::MemoryLatency).flat_map(|b| &b.at);
    let pages: Vec<&str> = pages.filter(|(n, _)| n == "pages").map(|(_, v)| v.as_str()).collect();
    assert_eq!(pages, ["thp", "base"]);
    let values = |b: &Beside| of.rows[b.row].cells.iter().flatten().map(|c| c.median).sum::<f64>();
    assert!(of.beside.iter().all(|b| values(b) > 0.0), "{:?}", of.beside);
    let pairs = of.headlines.iter().flat_map(|h| &h.rows).map(|row| of.rows[*row].quantity.probe);
    assert!(pairs.into_iter().all(|probe| probe != ProbeId::SmtPair));
}

/// A kernel with base pages of 64 KiB walks less: both have "base pages", and the verdict says that they are unlike.
#[test]
fn base_pages_of_unlike_sizes_lower_the_confidence() {
    let (old, mut new) = (load("quiet-vm"), load("quiet-vm"));
    let lowered = |new: &record::Record, kind| {
        let of = compared(&[&old, new]);
        let headline = of.headlines.into_iter().find(|h| h.subject.kind == kind).unwrap();
        headline.sides[1].as_ref().unwrap().lowered.clone()
    };
    assert_eq!(lowered(&new, SubjectKind::MemoryLatency), []);
    each(&mut new, "load_latency", |s| {
        if let Some(buffer) = &mut s.buffer {
            buffer.base_page = 65536;
        }
    });
    assert_eq!(lowered(&new, SubjectKind::MemoryLatency), [Lowered::BasePage]);
    assert_eq!(lowered(&new, SubjectKind::CoreFrequency), []);
}

/// A hypervisor had the vCPUs on two caches in one run and on one in the other.
#[test]
fn virtual_cpus_on_other_caches_are_another_quantity() {
    let farther = |times: f64| {
        let mut record = again(2);
        record.machine.topology.caches.iter_mut().for_each(|c| {
            if c.level == 3 {
                c.cpus = "0-1".parse().unwrap();
            }
        });
        let readings = record.runs.iter_mut().flat_map(|run| &mut run.readings);
        readings.filter(|r| r.name.ends_with(".cas")).for_each(|r| r.value *= times);
        record
    };
    let of = |a: f64, b: f64| -> Vec<(bool, Verdict)> {
        let of = compared(&[&farther(a), &farther(b)]);
        let row = |a: &Against| {
            let caches = a.unlike.iter().any(|u| matches!(u, Incomparable::Caches(false)));
            (caches, a.verdict)
        };
        ratios(&of, "bandwidth").map(row).collect()
    };
    let apart = of(1.0, 10.0);
    assert!(apart.iter().any(|(caches, _)| *caches));
    assert!(apart.iter().all(|(caches, v)| !caches || *v == Verdict::Unclaimed), "{apart:?}");
    assert!(of(10.0, 10.0).iter().chain(&of(1.0, 1.2)).all(|(caches, _)| !caches));
}
