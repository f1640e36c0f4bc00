//! The fixtures' reports, word for word, and invariants of any record.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
mod generate;

use analyse::summary::{FigureId, Note};
use analyse::{Conclusions, Curve, Drift, Matrix, Report, Tlb, Verdicts, analyse};
use proptest::prelude::*;
use record::{
    Disturbed, Environment, Judgement, OTHER_PLACEMENT, Outcome, Pages, ProbeId, Reason, Record,
    Series, Unit, param,
};
use std::fmt::Write;

fn load(name: &str) -> Record {
    generate::all().into_iter().find(|(n, _)| *n == name).unwrap().1
}

/// The parts of a report that are words or few numbers.
fn outline(report: &Report<'_>) -> String {
    let mut out = String::new();
    writeln!(out, "# {:?}", report.get::<Judgement>().environment).unwrap();
    for reason in &report.get::<Judgement>().reasons {
        writeln!(out, "- {reason}").unwrap();
    }
    writeln!(out, "\n# Conclusions").unwrap();
    for sentence in &report.get::<Conclusions>().0 {
        writeln!(out, "- {sentence}").unwrap();
    }
    writeln!(out, "\n# Curves").unwrap();
    for curve in report.get::<Vec<Curve>>() {
        writeln!(out, "- {} {}", curve.order, curve.pages).unwrap();
        for level in &curve.levels {
            match &level.found {
                Ok(p) => writeln!(
                    out,
                    "  {}: {:.2} ns over {:.0} to {:.0} KiB, {} points",
                    level.name,
                    p.seconds * 1e9,
                    p.from / 1024.0,
                    p.to / 1024.0,
                    p.points
                ),
                Err(why) => writeln!(out, "  {}: {why}", level.name),
            }
            .unwrap();
        }
    }
    if let Some(tlb) = report.get::<Option<Tlb>>() {
        writeln!(out, "\n# Address translation\n- huge pages: {:?}", tlb.backing).unwrap();
        match &tlb.levels {
            Ok(levels) => levels.iter().for_each(|l| {
                writeln!(
                    out,
                    "- {}: {} to {} pages, a miss adds {:.2} ns",
                    l.name,
                    l.last,
                    l.next,
                    l.miss * 1e9
                )
                .unwrap();
            }),
            Err(why) => writeln!(out, "- {why}").unwrap(),
        }
        for cost in &tlb.memory {
            let (far, near) = (cost.random * 1e9, cost.grouped * 1e9);
            writeln!(out, "- {} at memory: {far:.1} against {near:.1} ns", cost.pages).unwrap();
        }
    }
    if let Some(drift) = report.get::<Option<Drift>>() {
        writeln!(out, "\n# Drift\n{}", drift.verdict).unwrap();
    }
    out
}

#[test]
fn analyses_have_an_order_of_their_own() {
    let all = analyse::analyses();
    assert!(all.windows(2).all(|pair| pair[0].1.order < pair[1].1.order));
    let ids: std::collections::BTreeSet<&str> = all.iter().map(|(id, _)| *id).collect();
    assert!(ids.len() == all.len() && ids.contains("curves") && ids.contains("conclusions"));
}

#[test]
fn what_the_fixtures_say() {
    for (name, record) in generate::all() {
        insta::assert_snapshot!(name, outline(&analyse(&record)));
    }
}

/// A sentence has the digits that the summary shows: those that the interval supports.
#[test]
fn conclusions_round_as_the_summary_does() {
    use analyse::summary::{FigureId, summary};
    let record = load("two-node-server");
    let report = analyse(&record);
    let said = report.get::<Conclusions>().0.join(" ");
    let shown = summary(&report).figures;
    for id in [
        FigureId::CoreFrequency,
        FigureId::MemoryLatency,
        FigureId::L3Latency,
        FigureId::LoadedLatency,
        FigureId::ReadBandwidthOneCore,
        FigureId::ReadBandwidthAllCores,
        FigureId::RemoteMemoryLatency,
        FigureId::RemoteMemoryBandwidth,
        FigureId::MinorPageFault,
        FigureId::TlbShootdown,
    ] {
        let of = &shown.iter().find(|figure| figure.id == id).unwrap().quantity;
        let text = analyse::quantity::plain(of.value, of.unit);
        assert!(
            said.contains(&format!(" {text}")) || said.contains(&format!("({text}")),
            "{text}: {said}"
        );
    }
}

#[test]
fn quiet_machines_pass_and_busy_ones_fail() {
    let environment = |name: &str| analyse(&load(name)).get::<Judgement>().environment;
    assert_eq!(environment("quiet-vm"), Environment::Pass);
    assert_eq!(environment("busy-vm"), Environment::Fail);
}

#[test]
fn the_same_record_gives_the_same_report() {
    for (name, record) in generate::all() {
        let (once, again) = (analyse(&record), analyse(&record));
        assert_eq!(format!("{once:?}"), format!("{again:?}"), "{name}");
    }
}

#[test]
fn every_series_has_an_estimate_that_points_back_to_it() {
    for (name, record) in generate::all() {
        let report = analyse(&record);
        let series = record.runs.iter().map(|r| match &r.outcome {
            Outcome::Measured(series) => series.len(),
            _ => 0,
        });
        assert_eq!(report.estimates.len(), series.sum::<usize>(), "{name}");
        for e in &report.estimates {
            let Outcome::Measured(series) = &record.runs[e.run].outcome else { panic!("{name}") };
            let s = &series[e.series];
            assert_eq!((&e.metric, &e.at), (&s.metric, &s.at));
            assert!(e.min <= e.median && e.median <= e.max && e.count >= 1);
            let known = e.count >= 6 || e.variation.is_some();
            assert_eq!(e.interval.is_some(), known, "{name} {}", e.case);
            assert_eq!(e.cycles.is_some(), s.frequency.is_some() && s.unit == Unit::Seconds);
            if let (Some(cycles), Some(frequency)) = (e.cycles, s.frequency) {
                assert!((cycles - e.median * frequency).abs() <= 1e-9 * cycles);
            }
        }
    }
}

/// Levels ascend and touch neither each other nor the capacities between them.
fn check_curve(curve: &Curve) {
    assert!(curve.points.windows(2).all(|w| w[0].bytes <= w[1].bytes));
    let found: Vec<_> =
        curve.levels.iter().filter_map(|l| Some((l, l.found.as_ref().ok()?))).collect();
    for pair in found.windows(2) {
        assert!(pair[0].1.seconds <= pair[1].1.seconds, "{curve:?}");
        assert!(pair[0].1.to < pair[1].1.from, "{curve:?}");
    }
    for (level, plateau) in &found {
        for stated in curve.levels.iter().filter_map(|l| l.stated) {
            let clear = plateau.to <= 0.7 * stated || plateau.from >= 1.3 * stated;
            assert!(clear, "{} reaches a capacity of {stated}", level.name);
        }
        assert!(plateau.points >= 1 && plateau.from <= plateau.to && plateau.spread >= 0.0);
    }
    let last = curve.levels.iter().filter_map(|l| l.stated).fold(0.0, f64::max);
    if let Some((_, memory)) = found.iter().find(|(l, _)| l.name == "memory") {
        assert!(memory.from >= 4.0 * last);
    }
}

#[test]
fn a_clean_curve_has_every_level() {
    for name in ["quiet-vm", "two-node-server"] {
        let record = load(name);
        let report = analyse(&record);
        assert_eq!(report.get::<Vec<Curve>>().len(), 3);
        for curve in report.get::<Vec<Curve>>() {
            check_curve(curve);
            let names: Vec<&str> = curve.levels.iter().map(|l| l.name.as_str()).collect();
            assert_eq!(names, ["L1", "L2", "L3", "memory"]);
            let all = curve.levels.iter().all(|l| l.found.is_ok());
            // Page walks slope the L3 of base pages in random order; there a missing level has its reason.
            assert!(all || (curve.order == "random" && curve.pages == Pages::Base), "{curve:?}");
        }
    }
}

#[test]
fn a_curve_cut_below_four_times_the_last_cache_has_no_memory() {
    let mut record = load("quiet-vm");
    for run in &mut record.runs {
        if let ("load_latency", Outcome::Measured(series)) =
            (run.case.probe.as_str(), &mut run.outcome)
        {
            series.retain(|s| param::WORKING_SET.of(&s.at).unwrap() < 1e8);
        }
    }
    let report = analyse(&record);
    for curve in report.get::<Vec<Curve>>() {
        let why = curve.levels.last().unwrap().found.as_ref().unwrap_err();
        assert!(why.why.contains("less than 4 times L3 (32 MiB)"), "{why}");
    }
    assert!(
        !report.get::<Conclusions>().0.iter().any(|s| s.contains("memory on base pages costs"))
    );
    assert!(!report.get::<Conclusions>().0.iter().any(|s| s.starts_with("Huge pages")));
}

/// Keeps of every curve the points up to 16 MiB, and those that `keep` wants.
fn thinned(keep: impl Fn(u64) -> bool) -> Record {
    let mut record = load("quiet-vm");
    for run in record.runs.iter_mut().filter(|r| r.case.probe == ProbeId::LoadLatency) {
        let Outcome::Measured(series) = &mut run.outcome else { continue };
        series.retain(|s| {
            let bytes = param::WORKING_SET.of(&s.at).unwrap() as u64;
            bytes <= 16 << 20 || keep(bytes)
        });
    }
    record
}

#[test]
fn a_single_point_is_memory_only_far_out() {
    let record = thinned(|bytes| bytes == 512 << 20);
    for curve in analyse(&record).get::<Vec<Curve>>() {
        check_curve(curve);
        let memory = curve.levels.last().unwrap().found.as_ref().unwrap();
        assert_eq!((memory.points, memory.from), (1, f64::from(512 << 20)));
    }
    let record = thinned(|bytes| bytes == 256 << 20);
    for curve in analyse(&record).get::<Vec<Curve>>() {
        let why = curve.levels.last().unwrap().found.as_ref().unwrap_err();
        assert!(why.why.contains("not known to be flat"), "{why}");
    }
}

#[test]
fn huge_pages_that_were_not_given_save_nothing() {
    let mut record = load("quiet-vm");
    for run in &mut record.runs {
        let Outcome::Measured(series) = &mut run.outcome else { continue };
        let huge = |b: &&mut record::Buffer| b.pages == Pages::Thp;
        for buffer in series.iter_mut().filter_map(|s| s.buffer.as_mut()).filter(huge) {
            buffer.huge_share = Some(0.25);
        }
    }
    let said = analyse(&record).get::<Conclusions>().0.join("\n");
    assert!(said.contains("put only 25 % of the buffer on them"), "{said}");
    assert!(!said.contains("Huge pages save"), "{said}");
}

#[test]
fn a_pair_at_another_distance_for_a_while_keeps_its_value() {
    let mut record = load("quiet-vm");
    let run = record.runs.iter_mut().find(|r| r.case.probe == ProbeId::CoreToCore).unwrap();
    let Outcome::Measured(series) = &mut run.outcome else { panic!() };
    let before = series[0].undisturbed();
    let first = series[0].samples.len() as u32;
    let samples = before.iter().map(|x| x * 5.0).collect();
    let again = Series { samples, ..series[0].clone() };
    series[0].append(again);
    let mark = |sample| Disturbed { sample, why: OTHER_PLACEMENT.into() };
    let all = series[0].samples.len() as u32;
    series[0].disturbed.extend((first..all).map(mark));
    let report = analyse(&record);
    let cell = &report.get::<Vec<Matrix>>()[0].cells[0];
    assert_eq!(cell.median, stats::median(&before).unwrap());
    assert!((cell.elsewhere[0].level / cell.median - 5.0).abs() < 1e-9);
    let figures = analyse::summary::summary(&report).figures;
    let figure = figures.iter().find(|f| f.id == FigureId::CoreToCoreLatency).unwrap();
    let note = figure.notes.iter().find_map(|note| match note {
        Note::Elsewhere { value, share } => Some((value / figure.quantity.value, *share)),
        _ => None,
    });
    let (times, share) = note.unwrap();
    assert!((times - 5.0).abs() < 1e-9 && (share - 0.5).abs() < 1e-9 && !figure.is_doubtful());
    let said = report.get::<Conclusions>().0.join(" ");
    assert!(said.contains("In other placements of the CPUs 1 pair took"), "{said}");
}

#[test]
fn a_machine_without_cache_sizes_has_a_curve_without_levels() {
    let mut record = load("quiet-vm");
    record.machine.topology.caches.clear();
    for curve in analyse(&record).get::<Vec<Curve>>() {
        assert_eq!(curve.levels.len(), 1);
        assert!(curve.levels[0].found.is_err());
        assert!(!curve.points.is_empty());
    }
    let mut record = load("quiet-vm");
    for cache in record.machine.topology.caches.iter_mut().filter(|c| c.level == 3) {
        cache.bytes = None;
    }
    for curve in analyse(&record).get::<Vec<Curve>>() {
        let found: Vec<bool> = curve.levels.iter().map(|l| l.found.is_ok()).collect();
        assert_eq!(found[2..], [false, false], "{:?}", curve.levels);
    }
}

#[test]
fn a_curve_that_falls_contradicts_itself() {
    let mut record = load("quiet-vm");
    for run in &mut record.runs {
        let Outcome::Measured(series) = &mut run.outcome else { continue };
        if run.case.probe != ProbeId::LoadLatency {
            continue;
        }
        for s in series {
            let bytes = param::WORKING_SET.of(&s.at).unwrap() as u64;
            if bytes < 40 << 10 {
                s.samples.iter_mut().for_each(|x| *x *= 8.0);
            }
        }
    }
    for curve in analyse(&record).get::<Vec<Curve>>() {
        check_curve(curve);
        assert!(curve.levels[1].found.as_ref().unwrap_err().why.contains("faster than that of L1"));
    }
}

#[test]
fn pairs_are_complete_and_flips_show() {
    let record = load("two-node-server");
    let report = analyse(&record);
    let matrix = &report.get::<Vec<Matrix>>()[0];
    assert_eq!((matrix.cpus.len(), matrix.cells.len()), (16, 120));
    assert!(matrix.cells.iter().all(|c| c.from < c.to));
    let split: Vec<_> = matrix.cells.iter().filter(|c| c.states.len() > 1).collect();
    assert_eq!((split.len(), split[0].from, split[0].to), (1, 0, 3));
    let of = |relation: &str| matrix.cells.iter().filter(|c| c.relation == relation).count();
    assert_eq!((of("SMT siblings"), of("same L3"), of("other socket")), (8, 48, 64));
}

#[test]
fn what_did_not_happen_is_named() {
    let record = load("cut-short");
    let said = analyse(&record).get::<Conclusions>().0.join("\n");
    for word in ["Not measured: load_latency", "Failed: core_rate", "Not reached:", "--resume"] {
        assert!(said.contains(word), "{word} is not in:\n{said}");
    }
    assert!(!said.contains("One core reads"), "{said}");
}

/// Sentences end, have no double stops, and never print a number that is none.
fn check_words(report: &Report<'_>) {
    let reasons = report.get::<Judgement>().reasons.iter().map(|r| format!("{}.", r.why));
    for text in report.get::<Conclusions>().0.iter().map(ToString::to_string).chain(reasons) {
        assert!(text.ends_with('.') && !text.starts_with(char::is_lowercase), "{text}");
        for bad in ["NaN", "inf ", "..", "  ", ".)", "(.", ".:"] {
            assert!(!text.contains(bad), "{bad:?} in {text}");
        }
    }
}

#[test]
fn sentences_are_sentences() {
    for (_, record) in generate::all() {
        check_words(&analyse(&record));
    }
}

/// A record that lost something: cases, series, samples, facts, parts of the machine, samples.
fn damaged(name: &str, seed: u64, harm: u64) -> Record {
    let mut rng = stats::rng::Rng::new(seed);
    let mut lost = |one_in: u64| harm > 0 && rng.below(one_in + 4 - harm) == 0;
    let mut record = load(name);
    record.runs.retain(|_| !lost(3));
    for run in &mut record.runs {
        if lost(4) {
            run.outcome = Outcome::Skipped(Reason::new("a test left it out"));
        }
        run.readings.retain(|_| !lost(3));
        let Outcome::Measured(series) = &mut run.outcome else { continue };
        series.retain(|_| !lost(3));
        for s in series {
            if lost(3) {
                s.samples.truncate(1);
                s.disturbed.retain(|m| m.sample == 0);
            }
            if lost(3) {
                let all = 0..s.samples.len() as u32;
                s.disturbed = all.map(|sample| Disturbed { sample, why: "steal".into() }).collect();
            }
            if lost(5) {
                s.samples.iter_mut().for_each(|x| *x = 0.0);
            }
            if lost(4) {
                (s.frequency, s.buffer) = (None, None);
            }
            if lost(9) {
                s.at.clear();
            }
        }
    }
    record.reference_samples.retain(|_| !lost(2));
    record.machine.facts.retain(|_, _| !lost(3));
    let topology = &mut record.machine.topology;
    topology.cpus.retain(|_| !lost(4));
    topology.caches.retain(|_| !lost(4));
    topology.caches.iter_mut().filter(|_| lost(3)).for_each(|c| c.bytes = None);
    topology.nodes.retain(|_| !lost(3));
    topology.dimms.retain(|_| !lost(4));
    record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn a_damaged_record_still_has_a_report(
        name in prop::sample::select(vec!["quiet-vm", "busy-vm", "two-node-server", "cut-short"]),
        seed in any::<u64>(),
        harm in 0u64..5,
    ) {
        let record = damaged(name, seed, harm);
        let report = analyse(&record);
        report.get::<Vec<Curve>>().iter().for_each(check_curve);
        check_words(&report);
        prop_assert_eq!(report.get::<Verdicts>().0.len(), analyse::rules::ALL.len());
    }
}
