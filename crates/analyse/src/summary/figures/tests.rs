//! Figures of memory: of curves that rise to their end, and the size of base pages.
use super::*;
use record::{Outcome, Reason, Record};

fn fixture() -> Record {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
    record::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// Where a hypervisor backs huge pages by small ones, page walks grow with the size up to the largest. Screen and conclusion
/// say the same.
#[test]
fn a_curve_that_rises_to_its_end_still_has_latencies_of_memory() {
    let record = fixture();
    let mut report = crate::analyse(&record);
    let of_memory = |report: &Report<'_>| {
        let all = figures(report).into_iter().map(|f| f.id);
        let ids = FigureId::MemoryLatency..=FigureId::LargestWorkingSetLatencyHugePages;
        all.filter(|id| ids.contains(id)).collect::<Vec<_>>()
    };
    let flat = [FigureId::MemoryLatency, FigureId::MemoryLatencyHugePages];
    assert_eq!(of_memory(&report), flat);
    let mut curves = report.get::<Vec<Curve>>().clone();
    let mut rise = |pages| {
        let random = curves.iter_mut().filter(|c| c.order == "random" && c.pages == pages);
        for level in random.flat_map(|c| &mut c.levels).filter(|l| l.name == "memory") {
            level.found = Err(Reason::new("it rises"));
        }
        curves.clone()
    };
    report.set(rise(Pages::Base));
    let on_base = [FigureId::MemoryLatencyHugePages, FigureId::LargestWorkingSetLatency];
    assert_eq!(of_memory(&report), on_base);
    let curves = rise(Pages::Thp);
    let last = *Curve::of(&report, "random", Pages::Base).unwrap().points.last().unwrap();
    let grouped = curves.iter().any(|c| c.order == "grouped" && c.plateau("memory").is_some());
    report.set(curves);
    let rises = [
        FigureId::MemoryLatencyGrouped,
        FigureId::LargestWorkingSetLatency,
        FigureId::LargestWorkingSetLatencyHugePages,
    ];
    assert_eq!(of_memory(&report), rises[usize::from(!grouped)..]);
    let all = figures(&report);
    let largest = all.iter().find(|f| f.id == FigureId::LargestWorkingSetLatency).unwrap();
    assert_eq!(largest.quantity.value, last.seconds);
    assert_eq!(largest.of.as_deref(), Some("4096"));
    assert_eq!(largest.notes, [Note::StillRises(last.bytes)]);
    let time = crate::quantity::plain(last.seconds, Unit::Seconds);
    let size = crate::quantity::size(last.bytes as u64);
    let said = report.get::<crate::Conclusions>().0.join(" ");
    assert!(said.contains(&format!("A random access to {size} costs {time}.")), "{said}");
    assert!(said.contains(&format!("A random access to {size} of huge pages costs")), "{said}");
}

/// Samples in another placement that are one of the modes are named once.
#[test]
fn a_mode_is_not_also_a_level_of_moved_cpus() {
    let record = fixture();
    let report = crate::analyse(&record);
    let mut e = report.estimates[0].clone();
    let state = |level, count| State { level, count };
    (e.median, e.count, e.states) = (15.8, 3, vec![]);
    e.elsewhere = vec![state(26.1, 6)];
    let notes = |e: &Estimate, others: &[State]| {
        let figure = Figure::estimate(FigureId::ReadBandwidthAllCores, e, others);
        (figure.quantity.modes.len(), figure.notes.len())
    };
    assert_eq!(notes(&e, &[]), (2, 0), "most samples are of the other placement");
    let most = Figure::estimate(FigureId::ReadBandwidthAllCores, &e, &[]).quantity;
    assert_eq!((most.value, most.interval), (15.8, e.interval), "the nearest one");
    e.count = 12;
    assert_eq!(notes(&e, &[]), (0, 1));
    assert_eq!(notes(&e, &[state(25.7, 6)]), (2, 0));
    assert_eq!(notes(&e, &[state(60.0, 6)]), (2, 1));
}

#[test]
fn latency_on_base_pages_names_their_size() {
    let mut record = fixture();
    let of = |record: &Record| {
        let all = figures(&crate::analyse(record));
        all.into_iter().find(|f| f.id == FigureId::MemoryLatency).unwrap().of
    };
    assert_eq!(of(&record).as_deref(), Some("4096"));
    let measured = record.runs.iter_mut().filter_map(|run| match &mut run.outcome {
        Outcome::Measured(series) => Some(series),
        _ => None,
    });
    for buffer in measured.flatten().filter_map(|series| series.buffer.as_mut()) {
        buffer.base_page = 65536;
    }
    assert_eq!(of(&record).as_deref(), Some("65536"));
}
