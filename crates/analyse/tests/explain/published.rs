//! Reference machines beside each other: what counts once, what is of one distance, and what die interleaving explains.
use crate::{compared, times};
use analyse::compare::{Comparison, Row};
use analyse::explain::Factor;
use record::Record;

/// A run of bc that two tools timed is one difference, and the worst over all nodes is nobody's own memory.
#[test]
fn a_difference_counts_once_and_at_one_distance() {
    let record = |name: &str| catalogue::record(name).unwrap().unwrap();
    let (kunpeng, phytium) = (record("kunpeng-920-4826"), record("phytium-ft2500"));
    let of = compared(&[("kunpeng", &kunpeng), ("phytium", &phytium)]);
    let bc = of
        .headlines
        .iter()
        .filter(|h| h.subject.words().contains("bc") || h.subject.words() == "long numbers");
    let bc: Vec<_> = bc.map(|h| h.sides[1].as_ref().unwrap().rows).collect();
    assert_eq!(bc, [1], "{:?}", of.headlines);
    let memory =
        of.headlines.iter().find(|h| h.subject.words() == "memory bandwidth of one core").unwrap();
    let times = memory.sides[1].as_ref().unwrap();
    // 5638.21 over 8700.75 MB/s, the own nodes; not 1546.68 over 4131.81 of the farthest.
    assert!((times.low - 5638.21 / 8700.75).abs() < 0.05 && times.low > 0.6, "{times:?}");
    let text = of.summary.join(" ");
    assert!(!text.contains("0 are better") && text.contains("single figures"), "{text}");
}

fn published(names: &[&str]) -> Comparison {
    let record = |name: &&str| (name.to_string(), catalogue::record(name).unwrap().unwrap());
    let records: Vec<(String, Record)> = names.iter().map(record).collect();
    compared(&records.iter().map(|(name, record)| (name.as_str(), record)).collect::<Vec<_>>())
}

/// Means beside each other are of the same rows: copy alone, for of one machine there is nothing else.
#[test]
fn columns_of_a_headline_are_of_the_same_rows() {
    let of = published(&["intel-8269cy-2node", "hygon-7280-8node", "kunpeng-920-4826"]);
    for headline in &of.headlines {
        let rows: Vec<usize> = headline.sides.iter().flatten().map(|ahead| ahead.rows).collect();
        assert!(rows.windows(2).all(|w| w[0] == w[1]), "{headline:?}");
    }
    let memory =
        of.headlines.iter().find(|h| h.subject.words() == "memory bandwidth of one core").unwrap();
    let times = |side: usize| memory.sides[side].as_ref().unwrap().times;
    assert!((times(1) - 0.811).abs() < 0.001 && (times(2) - 0.609).abs() < 0.001, "{memory:?}");
}

/// Records with nothing in common but the baseline stand in headlines of their own.
#[test]
fn records_without_a_common_row_are_not_averaged_together() {
    let of = published(&["intel-8163", "intel-e5-2682v4", "kunpeng-920-4826", "phytium-ft2500"]);
    let mut rows: Vec<usize> = of.headlines.iter().flat_map(|h| h.rows.clone()).collect();
    let count = rows.len();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), count, "a row is in one headline");
}

/// One core and the pair of its threads are two questions: 1.36 and 0.81, not 1.05.
#[test]
fn a_core_and_an_smt_pair_are_not_averaged() {
    let of = published(&["intel-8163", "hygon-7280-8node"]);
    let times = |words: &str| {
        let found = of.headlines.iter().find(|h| h.subject.words() == words).unwrap();
        found.sides[1].as_ref().unwrap().times
    };
    assert!((times("primes") - 1.36).abs() < 0.01);
    assert!((times("primes (SMT pair)") - 0.81).abs() < 0.01);
}

/// Node 0 seen from all others is near and far: a median over these is no distance.
#[test]
fn memory_of_a_numbered_node_has_no_ratio() {
    let of = published(&["intel-8269cy-2node", "hygon-7280-8node", "kunpeng-920-4826"]);
    let numbered = |row: &&Row| row.quantity.at.contains_key("memory");
    let rows: Vec<&Row> = of.rows.iter().filter(numbered).collect();
    assert!(rows.len() > 3);
    for row in rows {
        assert!((1..3).all(|side| row.against(side).is_none()), "{:?}", row.quantity);
    }
}

/// 3.59 GHz is left for a processor that reaches 3.3.
#[test]
fn what_is_left_beyond_the_boost_of_a_model_is_no_frequency() {
    let of = published(&["amd-epyc-7h12-ecs", "intel-8163"]);
    let found = of.explained.iter().find(|e| e.at.get("cores") == Some(&32u64.into())).unwrap();
    let least = 2.5 / 3.3;
    assert!((times(found, Factor::Frequency) - least).abs() < 1e-9, "{found:?}");
    assert!(found.summary.join(" ").contains("That part is no frequency"), "{:?}", found.summary);
}

/// The mean over four dies, 151 ns, predicts 0.709 of 106.8 ns; 152.7 ns leave 1 %.
#[test]
fn die_interleaving_explains_the_memory_of_one_model() {
    for (names, locality) in [
        (["hygon-7280-8node", "hygon-7280-die-interleaved"], 0.709),
        (["hygon-7280-die-interleaved", "hygon-7280-8node"], 1.0 / 0.709),
    ] {
        let of = published(&names);
        let latency = |f: &&analyse::explain::Family| f.subject.words().contains("latency");
        let found: Vec<_> = of.families.iter().filter(latency).collect();
        assert_eq!(found.len(), 1, "{names:?}: {:?}", of.families);
        let share = &found[0].factors[0];
        assert_eq!((found[0].factors.len(), share.factor), (1, Factor::Locality));
        assert!((share.mean / locality - 1.0).abs() < 0.002, "{share:?}");
        assert!(found[0].rest.iter().all(|x| (x - 1.0).abs() < 0.02), "{:?}", found[0].rest);
        assert_eq!(found[0].interleaved.as_ref().map(|dies| dies.dies), Some(4));
        assert!(found[0].summary.join(" ").contains("The cause is die interleaving"));
    }
    // Another model's memory is slower for other reasons.
    let of = published(&["hygon-5280", "hygon-7280-die-interleaved"]);
    assert!(of.families.iter().all(|f| f.interleaved.is_none()));
}

/// 64 MiB of lmbench's stream are below four times the cache: the rule, the summary and the comparison say the same.
#[test]
fn a_footprint_is_doubted_alike_everywhere() {
    for (name, doubted) in [("phytium-ft2500", true), ("load-generator-196core", false)] {
        let record = catalogue::record(name).unwrap().unwrap();
        let report = analyse::analyse(&record);
        let fires = matches!(
            report.get::<analyse::Verdicts>().iter().find(|(id, _)| *id == "footprint_in_cache"),
            Some((_, analyse::Verdict::Fires { .. }))
        );
        let shown = analyse::summary::summary(&report).notes.contains(&"footprint_in_cache");
        assert_eq!((fires, shown), (doubted, doubted), "{name}");
    }
    let of = published(&["phytium-ft2500", "intel-e5-2682v4"]);
    let memory = of.headlines.iter().find(|h| h.subject.words() == "memory bandwidth of one core");
    let lowered = &memory.unwrap().sides[1].as_ref().unwrap().lowered;
    assert!(lowered.iter().any(|l| l.name() == "footprint"), "{lowered:?}");
}
