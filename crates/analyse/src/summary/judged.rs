//! Figures beside what is published of the core, what memory can deliver, and machines of the catalogue.
use super::figures::{Figure, Note, curve_of_cache};
use super::{Below, FigureId};
use crate::expected::{AsExpected, Judgement, Quantity, Verdict};
use crate::references::{Reference, References};
use crate::shared_core::{SharedCore, SharedRun};
use crate::{Peers, Report, Theoretical};
use record::Reason;

impl FigureId {
    /// The figure of published machines that is of the same quantity, by its name among those.
    pub fn published(self) -> Option<&'static str> {
        match self {
            FigureId::MemoryLatency => Some("lat_mem_rd -t at 64 MiB"),
            FigureId::PrimesOneCore => Some("sysbench 0.4 prime 50000 on one core"),
            _ => None,
        }
    }
}

/// Puts judgements before the other notes of a figure.
pub(super) fn judge(report: &Report<'_>, figure: &mut Figure) {
    let found = [
        by_expectation(report, figure.id),
        by_peak(report, figure),
        by_rank(report, figure),
        by_kind(report, figure.id),
    ];
    if found.iter().flatten().any(|note| matches!(note, Note::OfPeak(_))) {
        figure.notes.retain(|note| !matches!(note, Note::EachGets(_)));
    }
    figure.notes.splice(0..0, found.into_iter().flatten());
}

fn by_expectation(report: &Report<'_>, id: FigureId) -> Option<Note> {
    let all = report.get::<AsExpected>();
    let of_cache = |level| all.of_curve(curve_of_cache(report, level)?, level);
    let judgement = match id {
        FigureId::VectorFlops => all.of_operation("fma_vector"),
        FigureId::BranchMiss => all.of(&Quantity::BranchMiss),
        FigureId::L1Latency => of_cache("L1"),
        FigureId::L2Latency => of_cache("L2"),
        FigureId::L3Latency => of_cache("L3"),
        _ => None,
    }?;
    Some(match judgement.verdict {
        Verdict::AsExpected => Note::AsExpected,
        Verdict::Better => Note::BetterThanExpected,
        Verdict::Worse => Note::OfExpected(judgement.share),
    })
}

/// Quantities worse than published of the microarchitecture; of a cache by the curve that its figure is of. What two threads of a
/// core share is left out where another thread had a part of it: that is a finding.
pub(super) fn below(report: &Report<'_>) -> Vec<Below> {
    let all = report.get::<AsExpected>().judgements.iter();
    let run = report.get::<Option<SharedCore>>().as_ref().and_then(|found| found.run.as_ref());
    let alone = !run.is_some_and(SharedRun::was_shared);
    let counts = |j: &&Judgement| match j.quantity {
        Quantity::CacheLatency(level) => j.curve == curve_of_cache(report, &format!("L{level}")),
        Quantity::Rate(_) | Quantity::TlbEntries(_) => alone,
        _ => true,
    };
    let worse = all.filter(|j| j.verdict == Verdict::Worse).filter(counts);
    worse
        .map(|j| Below {
            quantity: j.quantity.clone(),
            measured: j.measured,
            published: j.measured.clamp(j.low, j.high),
            share: j.share,
        })
        .collect()
}

/// The figure's share of what memory can deliver. A guest shares what the processor's channels can.
fn by_peak(report: &Report<'_>, figure: &Figure) -> Option<Note> {
    let known = report.get::<Result<Theoretical, Reason>>().as_ref().ok()?;
    known.measured.filter(|_| figure.id == FigureId::ReadBandwidthAllCores)?;
    let share = figure.quantity.value / known.peak;
    Some(if known.by_model { Note::OfModelPeak(share) } else { Note::OfPeak(share) })
}

fn by_rank(report: &Report<'_>, figure: &Figure) -> Option<Note> {
    if matches!(figure.id, FigureId::UnixbenchIndex | FigureId::UnixbenchIndexAllCopies) {
        // Of some tests it is another index.
        if figure.notes.iter().any(|note| matches!(note, Note::Tests(_))) {
            return None;
        }
        let like = |r: &&Reference| Some(r.copies.to_string()) == figure.of;
        let others = report.get::<References>().0.iter().filter(like).filter_map(|r| r.total);
        // The same machine is among them where the record is of the catalogue.
        let same = |total: &f64| (total / figure.quantity.value - 1.0).abs() < 1e-6;
        let others: Vec<f64> = others.filter(|total| !same(total)).collect();
        let faster = others.iter().filter(|total| **total > figure.quantity.value).count();
        return place(faster, others.len(), None);
    }
    let by = figure.id.published()?;
    let peer = report.get::<Peers>().0.iter().find(|p| p.what == by)?;
    let here = peer.here?;
    let faster = peer.there.values().filter(|seconds| **seconds < here).count();
    place(faster, peer.there.len(), Some(here))
}

/// The range of machines of the same microarchitecture, by the equivalent metric that the catalogue has.
fn by_kind(report: &Report<'_>, id: FigureId) -> Option<Note> {
    let by = id.published()?;
    let alike = &report.get::<Peers>().0.iter().find(|p| p.what == by)?.alike;
    let (low, high) = (*alike.first()?, *alike.last()?);
    Some(Note::OfKind { low, high, machines: alike.len() })
}

fn place(faster: usize, others: usize, by: Option<f64>) -> Option<Note> {
    (others > 0).then_some(Note::Rank { place: faster + 1, of: others + 1, by })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nearest::Beside;
    use crate::summary::figures::{Rated, figures};
    use benchmarks::quantities::Basis;
    use record::Record;

    #[test]
    fn figures_are_judged_by_publications_peak_and_rank() {
        let file =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/two-node-server.json");
        let record: Record = record::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let mut report = crate::analyse(&record);
        let what = FigureId::MemoryLatency.published().unwrap();
        let there = [("fast".into(), 1.0), ("slow".into(), 3.0)].into();
        let of_kind = vec![1e-7, 2e-7];
        report.set(Peers(vec![Beside { what, here: Some(2.0), there, alike: of_kind }]));
        let all = figures(&report);
        let notes = |id| &all.iter().find(|f| f.id == id).unwrap().notes;
        assert_eq!(notes(FigureId::L2Latency)[0], Note::AsExpected);
        let rank = Note::Rank { place: 2, of: 3, by: Some(2.0) };
        let alike = Note::OfKind { low: 1e-7, high: 2e-7, machines: 2 };
        assert_eq!(notes(FigureId::MemoryLatency)[..], [rank, alike]);
        assert!(notes(FigureId::ReadBandwidthOneCore).is_empty(), "copies are another quantity");
        let mut read =
            all.iter().find(|f| f.id == FigureId::ReadBandwidthAllCores).unwrap().clone();
        let [Note::OfPeak(share)] = read.notes[..] else { panic!("{:?}", read.notes) };
        // Of several modes its value is one of them, and no median across them.
        read.quantity.value /= 2.0;
        assert_eq!(by_peak(&report, &read), Some(Note::OfPeak(share / 2.0)));
    }

    #[test]
    fn figures_say_what_they_are_beside_and_between_what_they_lie() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let record: Record = record::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let all = figures(&crate::analyse(&record));
        let of = |id| all.iter().find(|f| f.id == id).unwrap();
        let loaded = of(FigureId::LoadedLatency);
        let Note::TimesIdle { times, idle, .. } = loaded.notes[0] else { panic!("{loaded:?}") };
        assert!((loaded.quantity.value / idle / times - 1.0).abs() < 1e-9);
        assert!(matches!(of(FigureId::CoreFrequency).notes[0], Note::AboveRated(_, Rated::Base)));
        assert!(of(FigureId::CoreToCoreLatency).quantity.interval.is_some(), "a single pair");
    }

    #[test]
    fn core_to_core_does_not_contradict_the_finding_on_its_cache() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let record: Record = record::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let mut report = crate::analyse(&record);
        let of = |report: &Report<'_>| {
            let all = figures(report);
            let mut all = all.into_iter();
            all.find(|f| f.id == FigureId::CoreToCoreLatency).and_then(|f| f.of)
        };
        assert_eq!(of(&report).as_deref(), Some("same L3"));
        let finding = crate::Finding::new("It is not.", "Look.", "cpulens run");
        let verdict = crate::Verdict::Fires { finding, read: vec![], basis: Basis::MEASURED };
        let rule = "shared_cache_untrue";
        report.set(crate::Verdicts(vec![crate::RuleVerdict { rule, verdict }]));
        assert_eq!(of(&report).as_deref(), Some(crate::summary::STATED_L3));
    }

    #[test]
    fn what_is_worse_than_published_stands_out() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let record: Record = record::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let mut report = crate::analyse(&record);
        assert_eq!(below(&report), []);
        let mut all = report.get::<AsExpected>().clone();
        let tlb = all.judgements.iter_mut().find(|j| j.quantity == Quantity::TlbEntries(2));
        let tlb = tlb.unwrap();
        (tlb.verdict, tlb.measured, tlb.share) = (Verdict::Worse, 1024.0, 0.25);
        report.set(all);
        let summary = crate::summary::summary(&report);
        let [one] = &summary.below[..] else { panic!("{:?}", summary.below) };
        assert_eq!((one.measured, one.published, one.share), (1024.0, 4096.0, 0.25));
        assert_eq!(summary.flat().figures["l2_data_tlb_entries_of_expected_ratio"], 0.25);
        let run = SharedRun { share: 0.5, delivered: 2.0, can: 4.0, windows: 99 };
        report.set(Some(SharedCore { run: Some(run), ..SharedCore::default() }));
        assert_eq!(below(&report), [], "the core was shared");
    }

    #[test]
    fn a_cache_that_is_less_well_known_on_small_pages_says_so() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let record: Record = record::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let mut report = crate::analyse(&record);
        let small_pages = |report: &Report<'_>| {
            let l3 = figures(report).into_iter().find(|f| f.id == FigureId::L3Latency).unwrap();
            l3.notes.iter().any(|note| matches!(note, Note::OnBase { interval: Some(_), .. }))
        };
        assert!(!small_pages(&report));
        let mut curves = report.get::<Vec<crate::Curve>>().clone();
        let base = curves.iter_mut().filter(|c| c.pages == record::Pages::Base);
        for level in base.flat_map(|c| &mut c.levels).filter(|l| l.name == "L3") {
            let interval = level.found.as_mut().unwrap().interval.as_mut().unwrap();
            interval.high *= 3.0;
        }
        report.set(curves);
        assert!(small_pages(&report));
    }

    #[test]
    fn an_index_of_some_tests_has_no_rank() {
        let mut figure = Figure {
            id: FigureId::UnixbenchIndex,
            of: Some("1".into()),
            quantity: crate::summary::Quantity::plain(323.6, record::Unit::Count),
            cycles: None,
            notes: vec![],
            moved: false,
        };
        let (record, total) = (crate::example::empty(), Some(500.0));
        let (name, made) = ("other".to_owned(), "UnixBench".to_owned());
        let other = Reference { name, made, copies: 1, indexes: vec![], total };
        let mut report = crate::analyse(&record);
        report.set(References(vec![other]));
        assert!(matches!(by_rank(&report, &figure), Some(Note::Rank { place: 2, of: 2, .. })));
        figure.notes.push(Note::Tests(1));
        assert_eq!(by_rank(&report, &figure), None);
    }
}
