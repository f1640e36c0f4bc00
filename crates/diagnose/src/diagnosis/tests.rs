//! The two load generators, word for figure; and what a diagnosis owes any record.
use super::*;
use crate::example::{add_scaling_run, between_nodes, counted, empty, measured};
use record::{Metric, Record, Series, Unit};
use std::fs;

fn record(name: &str) -> Record {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1");
    record::from_slice(&fs::read(format!("{folder}/{name}.json")).unwrap()).unwrap()
}

fn of(record: &Record, workload: Option<&str>) -> Diagnosis {
    diagnosis(&Report::new(record), workload.map(|w| Workload::named(w).unwrap()))
}

fn against(own: &str, other: &str) -> Against {
    let (own, other) = (record(own), record(other));
    let (own, other) = (Report::new(&own), Report::new(&other));
    diagnosis(&own, None).against(&own, &other).against.unwrap()
}

/// 196 CPUs that did no more than 72: why, what each cause may cost at most, and what to do.
#[test]
fn the_large_load_generator_has_three_causes_and_a_remedy() {
    let found = of(&record("load-generator-196"), Some("db"));
    let ids: Vec<&str> = found.findings.iter().map(|f| f.id).collect();
    assert_eq!(ids, ["flat_beyond_socket", "remote_memory", "dimm_below_rating"], "by cost");
    let claims: Vec<&str> = found.findings.iter().map(|f| f.finding.claim.as_str()).collect();
    assert!(
        claims[0].contains("all cores (196) is no higher than with 48 cores of node 0 (48)"),
        "{}",
        claims[0]
    );
    assert!(
        claims[1].contains("75 %")
            && claims[1].contains("1.69 ns")
            && claims[1].contains("1.20 ns"),
        "{}",
        claims[1]
    );
    assert!(claims[2].contains("2100 MT/s instead of 2933 MT/s"), "{}", claims[2]);
    assert!(
        found.findings[0].finding.advice.starts_with("Run 4 processes, each bound to one socket")
    );
    let costs: Vec<record::Text> =
        found.findings.iter().map(|f| f.cost.as_ref().unwrap().words()).collect();
    assert_eq!(costs, ["0 to 76 % less work", "0 to 29 % less work", "0 to 28 % less work"]);
    // The smaller one has less of it, and nothing else.
    let small = of(&record("load-generator-72"), None);
    let ids: Vec<&str> = small.findings.iter().map(|f| f.id).collect();
    assert_eq!(ids, ["remote_memory"]);
    assert!(
        small.findings[0].finding.claim.contains("50 %")
            && small.findings[0].finding.claim.contains("1.25 ns")
    );
}

/// Of two workloads that sibling threads slow down, the finding is about the one whose cost it states.
#[test]
fn smt_is_blamed_for_the_workload_that_loses_most() {
    let mut record = empty();
    for (op, with_siblings) in [("add", 95.0), ("mul", 80.0)] {
        let before = record.runs.len();
        let steps = [("1 core", 1, 1, 100.0, 1.0), ("1 SMT pair", 1, 2, with_siblings, 2.0)];
        add_scaling_run(&mut record, "one-to-one", &steps);
        for run in &mut record.runs[before..] {
            run.case.params.insert("op".into(), op.into());
        }
    }
    let found = of(&record, None);
    let harmful = found.findings.iter().find(|f| f.id == "smt_harmful").unwrap();
    assert!(harmful.finding.claim.contains("op=mul"), "{}", harmful.finding.claim);
    let cost = harmful.cost.as_ref().unwrap();
    assert!(cost.low > 0.15 && cost.high < 0.25, "{cost:?}");
}

/// The short action says what the advice says.
#[test]
fn the_action_on_slow_modules_is_that_of_their_limit() {
    let mut record = record("two-node-server");
    let model = "Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz";
    record.machine.set("cpu.model", model, "test");
    let mut action = |configured: f64, channel: Option<&str>| {
        for dimm in &mut record.machine.topology.dimms {
            (dimm.rated, dimm.configured) = (Some(2.933e9), Some(configured));
            (dimm.ranks, dimm.channel) = (Some(2), channel.map(str::to_owned));
        }
        record.machine.topology.dimms.truncate(2);
        let found = of(&record, None);
        let slow = found.findings.into_iter().find(|f| f.id == "dimm_below_rating").unwrap();
        (slow.finding.action, slow.finding.advice)
    };
    for (configured, channel, expected, advice) in [
        (2.666e9, Some("P0 A"), "load", "No setting of the firmware helps."),
        (2.133e9, Some("P0 A"), "firmware", "Set the memory speed in the firmware setup"),
        (2.133e9, None, "unknown", "Look up the speed"),
    ] {
        let (action, advised) = action(configured, channel);
        assert!(action == expected && advised.contains(advice), "{action}: {advised}");
    }
}

#[test]
fn beside_the_small_one_latency_explains_a_part_and_the_rest_is_told() {
    let found = against("load-generator-196", "load-generator-72");
    let all = found.sentences.join("\n");
    for figure in [
        "75 %",
        "1.69 ns",
        "50 %",
        "1.25 ns",
        "1.35 times as long",
        "2100 MT/s against 2900 MT/s",
        "2.72 times the CPUs",
        "2.02 times remain, which latency alone does not explain",
    ] {
        assert!(all.contains(figure), "{figure} is not in:\n{all}");
    }
    let mean = found.rows.iter().find(|r| r.what.starts_with("mean access")).unwrap();
    assert!((mean.ratio().unwrap() - 1.35).abs() < 0.001);
}

#[test]
fn two_changes_at_once_are_not_divided() {
    let all = against("load-generator-196", "load-generator-196-mended").sentences.join("\n");
    for figure in [
        "3.60 times as much",
        "2 things were changed at once",
        "2100 MT/s to 2933 MT/s, up to 1.40 times",
        "1 process, unpinned to 4 processes, range, up to 4.00 times",
        "Measure them apart",
    ] {
        assert!(all.contains(figure), "{figure} is not in:\n{all}");
    }
    // Turned round, or with nothing changed, nothing is claimed.
    let same = against("load-generator-196", "load-generator-196").sentences.join("\n");
    assert!(
        same.contains("1.00 times as much") && same.contains("Nothing that the records tell"),
        "{same}"
    );
}

#[test]
fn records_without_a_common_workload_are_not_set_against_each_other() {
    let all = against("load-generator-196", "two-node-server").sentences.join("\n");
    assert!(all.contains("no workload in common"), "{all}");
}

#[test]
fn what_does_not_bear_on_a_workload_is_set_aside() {
    let mut record = empty();
    record.machine.set("kernel.kpti", true, "test");
    let compute = of(&record, Some("compute"));
    assert!(compute.findings.is_empty() && compute.aside[0].id == "page_tables_isolated");
    let forks = of(&record, Some("fork-heavy"));
    assert!(forks.aside.is_empty() && forks.findings[0].id == "page_tables_isolated");
    assert!(Workload::names().all(|name| Workload::named(name).is_some()));
    assert_eq!(Workload::named("games"), None);
}

#[test]
fn what_is_missing_is_gathered_by_what_would_let_it_be_told() {
    let mut record = empty();
    let mut steal = Series::new(Metric::Steal, Unit::Ratio, record::Better::Lower);
    steal.samples = vec![0.12; 3];
    measured(&mut record, "preflight", &[], vec![steal]);
    let found = of(&record, None);
    assert_eq!(found.findings.iter().map(|f| f.id).collect::<Vec<_>>(), ["steal_time"]);
    assert!((found.findings[0].cost.as_ref().unwrap().high - 0.12).abs() < 1e-9);
    let waiting: usize = found.unlocks.iter().map(|u| u.rules.len()).sum();
    assert_eq!(waiting + found.findings.len() + found.clear.len(), rules::ALL.len());
    let known = found.unlocks.iter().filter(|u| u.remedy.is_some());
    let sizes: Vec<usize> = known.map(|u| u.rules.len()).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b) && sizes[0] > 1, "{sizes:?}");
}

/// More instructions for the same program are the compiler's or a library's doing; as many are nobody's.
#[test]
fn another_number_of_instructions_is_not_the_machines_doing() {
    let program = |instructions: f64| {
        let mut record = empty();
        counted(&mut record, &[("instructions", instructions)]);
        record
    };
    let says = |own: &Record, other: &Record| {
        let (own, other) = (Report::new(own), Report::new(other));
        diagnosis(&own, None).against(&own, &other).against.unwrap().sentences.join("\n")
    };
    let (one, other) = (program(12e9), program(10e9));
    let text = says(&one, &other);
    assert!(text.contains("1.20 times as many instructions here (more)"), "{text}");
    assert!(text.contains("its compiler, flags, libraries or version"), "{text}");
    let text = says(&other, &one);
    assert!(text.contains("0.833 times as many instructions here (fewer)"), "{text}");
    assert!(!says(&one, &program(12.1e9)).contains("instructions here"));
}

/// A workload that does more unbound is never advised to bind processes without a proof.
#[test]
fn no_advice_to_bind_where_unbound_is_faster() {
    let mut record = empty();
    record.machine.topology.nodes =
        (0..2).map(|id| record::Node { id, bytes: Some(1), ..Default::default() }).collect();
    between_nodes(&mut record, &[&[100.0, 170.0], &[170.0, 100.0]]);
    let advice = |record: &Record| {
        let found = of(record, None).findings;
        found.into_iter().find(|f| f.id == "remote_memory").unwrap().finding.advice
    };
    assert!(advice(&record).starts_with("Bind each process to a node"));
    add_scaling_run(&mut record, "one-to-one", &[("all cores", 4, 4, 100.0, 4.0)]);
    add_scaling_run(&mut record, "unpinned", &[("all cores", 4, 4, 109.0, 4.0)]);
    let text = advice(&record);
    assert!(text.contains("does more unpinned") && text.contains("--prove"), "{text}");
}

/// Huge pages for those who ask are a default: a note for a program that nothing is known of, something to act on for one that
/// waits for memory, and of little matter to one that starts processes all the time.
#[test]
fn what_is_as_built_is_a_note_until_a_workload_leans_on_it() {
    let quiet = record("quiet-vm");
    let target = |workload: Option<&str>| {
        let found = of(&quiet, workload);
        let ids = |all: &[Ranked]| all.iter().any(|r| r.id == "small_pages");
        (ids(&found.findings), ids(&found.notes), ids(&found.aside))
    };
    assert_eq!(target(None), (false, true, false));
    assert_eq!(target(Some("db")), (true, false, false));
    assert_eq!(target(Some("fork-heavy")), (false, false, true));
    let found = of(&quiet, None);
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    assert!(found.notes.iter().all(|r| r.note.is_some()));
    // A run that nothing is known of leans on everything, and so on nothing in particular.
    let unknown = Workload { name: "x".into(), demands: Demand::ALL.into(), why: "x".into() };
    let found = diagnosis(&Report::new(&quiet), Some(unknown));
    assert!(found.notes.iter().any(|r| r.id == "small_pages"));
}

/// The load generator's CPU is in no table either: sockets that add nothing back the finding there.
#[test]
fn slow_modules_of_an_unknown_cpu_are_a_note_until_something_backs_them() {
    let of_modules = |model: &str, configured: [f64; 2], workload: Option<&str>| {
        let mut server = record("quiet-vm");
        server.machine.set("virtual.hypervisor", "none", "test");
        server.machine.set("cpu.model", model, "test");
        server.machine.set("cpu.microarchitecture", "", "test");
        server.machine.topology.dimms = configured
            .map(|configured| record::Dimm {
                populated: true,
                rated: Some(2.933e9),
                configured: Some(configured),
                ..record::Dimm::default()
            })
            .into();
        let found = of(&server, workload);
        let ids = |all: &[Ranked]| all.iter().any(|r| r.id == "dimm_below_rating");
        (ids(&found.findings), ids(&found.notes))
    };
    let xeon = "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz";
    assert_eq!(of_modules("Some CPU", [2.133e9; 2], None), (false, true));
    assert_eq!(of_modules("Some CPU", [2.133e9; 2], Some("db")), (false, true));
    assert_eq!(of_modules("Some CPU", [2.133e9, 2.933e9], None), (true, false));
    assert_eq!(of_modules("Some CPU", [1.466e9; 2], None), (true, false));
    assert_eq!(of_modules(xeon, [2.133e9; 2], None), (true, false));
    let found = of(&record("load-generator-196"), None);
    assert!(found.findings.iter().any(|f| f.id == "dimm_below_rating"));
}

#[test]
fn what_costs_next_to_nothing_is_a_note_for_everybody() {
    let cost = |high| Cost::between(0.0, high, crate::cost::Confidence::Measured, "x.");
    let (_, rule) = rules::ALL.iter().find(|(id, _)| *id == "dimm_below_rating").unwrap();
    let db = Workload::named("db").unwrap();
    for workload in [None, Some(&db)] {
        assert!(
            note(rule, &cost(0.015), workload).is_some_and(|why| why.english().contains("2 %"))
        );
        assert_eq!(note(rule, &cost(0.03), workload), None);
        assert_eq!(note(rule, &Err(Reason::new("no figure")), workload), None);
    }
}

/// The governor and the frequency that it causes cost the same, and their names would put the frequency first.
#[test]
fn a_cause_comes_before_what_it_causes() {
    let order = |ids: &[&'static str]| -> Vec<&str> {
        let mut all: Vec<Ranked> = ids.iter().map(|id| ranked(id)).collect();
        causes_first(&mut all);
        all.iter().map(|ranked| ranked.id).collect()
    };
    assert_eq!(
        order(&["frequency_below_boost", "thp_never", "governor_slows"]),
        ["thp_never", "governor_slows", "frequency_below_boost"]
    );
    let right = ["heat_throttles", "frequency_below_boost", "power_capped", "smt_off"];
    assert_eq!(order(&right), right);
    assert_eq!(order(&["frequency_below_boost", "smt_off"]), ["frequency_below_boost", "smt_off"]);
    let mut costs = ["frequency_below_boost", "heat_throttles", "governor_slows"].map(ranked);
    let part_of = |all: &mut [Ranked]| {
        causes_first(all);
        all.iter().find(|r| r.id == "frequency_below_boost").and_then(|r| r.part_of)
    };
    assert_eq!(part_of(&mut costs), None, "no cost is known that could contain it");
    for (i, contained) in [(0, None), (1, Some("heat_throttles"))] {
        costs[i].cost = Cost::up_to(0.2, crate::cost::Confidence::Measured, "x.");
        assert_eq!((costs[0].id, part_of(&mut costs)), ("heat_throttles", contained));
    }
    let known = |id: &&str| rules::ALL.iter().any(|(known, _)| known == id);
    assert!(SYMPTOMS.iter().all(|(symptom, causes)| known(symptom) && causes.iter().all(known)));
}

fn ranked(id: &'static str) -> Ranked {
    Ranked {
        id,
        title: "".into(),
        finding: Finding::new("", "", ""),
        read: vec![],
        basis: Basis::MEASURED,
        cost: Err(Reason::new("not asked for")),
        demands: &[],
        note: None,
        part_of: None,
    }
}
