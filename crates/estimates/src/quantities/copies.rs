//! Scores of UnixBench's tests that others printed, by copies and placement.
use super::{Basis, Graded};
use crate::analyses::unixbench::{Section, TestScore, UnixBench};
use crate::estimate::{self, Estimate};
use crate::report::Report;
use record::unixbench::{self, Test};
use record::{Metric, ProbeId, param};

/// What the tests say; nothing where nobody printed scores of several numbers of copies or placements.
pub fn unixbench(report: &Report<'_>) -> Option<Graded<UnixBench>> {
    let mut sections: Vec<Section> = vec![];
    let mut basis: Option<Basis> = None;
    for e in report.of_others() {
        let Some((test, placement, copies, factor)) = score(report, e) else { continue };
        let Some(series) = report.series(e) else { continue };
        let scores: Vec<f64> = estimate::values(series).iter().map(|x| x / factor).collect();
        let of = Basis::of(report.record, &report.record.runs[e.run]);
        basis = Some(basis.map_or(of, |known| known.weakest(of)));
        let same = |s: &Section| s.placement == placement && s.copies == copies;
        let at = sections.iter().position(same).unwrap_or_else(|| {
            sections.push(Section { placement: placement.clone(), copies, ..Section::default() });
            sections.len() - 1
        });
        if sections[at].test(test.id).is_none() {
            sections[at].tests.push(TestScore::printed(test, scores));
        }
    }
    let usable = report.record.machine.topology.usable().len();
    (sections.len() > 1)
        .then(|| UnixBench::of_sections(sections, usable))
        .zip(basis)
        .map(|(value, basis)| Graded { value, basis })
}

/// The test of a score, its placement and copies, and what a score of the test's unit is in the record's.
fn score(report: &Report<'_>, e: &Estimate) -> Option<(&'static Test, String, u64, f64)> {
    let case = &report.record.runs[e.run].case;
    let name = param::TEST.of(&e.at)?;
    match (e.probe, e.metric) {
        (ProbeId::Unixbench, Metric::Rate) => {
            let test = unixbench::named(name)?;
            let placement = case.get(param::PLACEMENT).unwrap_or("none");
            Some((test, placement.into(), case.get(param::COPIES)?, test.factor))
        }
        // Scores without a printed unit: their ratios are all that is used.
        (ProbeId::ReferenceResult, Metric::Score) => {
            let placement = match param::PINNING.of(&e.at)? {
                "one-to-one" => "one-to-one",
                _ => "range",
            };
            let test = match name {
                "ctx" => ProbeId::Context1,
                "whets" | "whetstone" => ProbeId::WhetstoneDouble,
                other => other.into(),
            };
            let copies = param::PROCESSES.of(&e.at).unwrap_or(0);
            Some((unixbench::of_probe(test)?, placement.into(), copies, 1.0))
        }
        _ => None,
    }
}
