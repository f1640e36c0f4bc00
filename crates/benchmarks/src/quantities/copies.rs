//! Scores of UnixBench's tests that others printed, by copies and placement.
use super::{Basis, Graded};
use crate::analyses::unixbench::{Section, TestScore, UnixBench, UnixBenchResult};
use estimates::estimate::{self, Estimate};
use estimates::report::Report;
use record::unixbench::{self, Test};
use record::{Metric, ProbeId, Sort, distinct, param};
use stats::unixbench as formula;
use std::borrow::Cow;

/// The tests; `None` where nobody printed scores of several numbers of copies or placements.
pub fn unixbench(report: &Report<'_>) -> Option<Graded<UnixBench>> {
    let (sections, basis) = sections(report, |e| score(report, e))?;
    let usable = report.record.machine.topology.usable().len();
    (sections.len() > 1).then(|| Graded { value: UnixBench::of_sections(sections, usable), basis })
}

/// This program's tests, else those that UnixBench itself printed; copies that it does not state are 0.
pub fn own_or_printed<'r>(report: &'r Report<'_>) -> Option<Cow<'r, UnixBench>> {
    if let Some(own) = &report.get::<UnixBenchResult>().0 {
        return Some(Cow::Borrowed(own));
    }
    let score = |e: &Estimate| {
        let (test, placement, copies) = printed(report, e)?;
        Some((test, placement, copies.unwrap_or(0), test.factor))
    };
    let (mut sections, _) = sections(report, score)?;
    let tool = report.of_others().iter().find_map(|e| {
        let case = &report.record.runs[e.run].case;
        case.get(param::TOOL).filter(|_| e.probe == ProbeId::Unixbench)
    });
    for section in &mut sections {
        section.variant = tool.unwrap_or_default().to_owned();
        section.start = "serial".into();
        section.tests.order_by_key(|of| of.test.name);
        let ratios = section.tests.iter().map(|of| of.score / of.test.baseline);
        section.total = formula::total(&ratios.collect::<Vec<f64>>());
    }
    sections.order_by_key(|section| section.copies);
    let usable = report.record.machine.topology.usable().len();
    Some(Cow::Owned(UnixBench::of_sections(sections, usable)))
}

/// A score: the test, its placement and copies, and what a score of the test's unit is in the record's.
type Score = (&'static Test, String, u64, f64);

/// The scores that others printed, by placement and copies, and the weakest that they rest on; nothing where there is none. Of
/// several results of UnixBench with as many copies the first counts: an index is of one.
fn sections(
    report: &Report<'_>,
    score: impl Fn(&Estimate) -> Option<Score>,
) -> Option<(Vec<Section>, Basis)> {
    let (mut sections, mut of_run): (Vec<Section>, Vec<usize>) = (vec![], vec![]);
    let mut basis: Option<Basis> = None;
    for e in report.of_others() {
        let Some((test, placement, copies, factor)) = score(e) else { continue };
        let Some(series) = report.series(e) else { continue };
        let scores: Vec<f64> = estimate::values(series).iter().map(|x| x / factor).collect();
        let of = Basis::of(report.record, &report.record.runs[e.run]);
        basis = Some(basis.map_or(of, |known| known.weakest(of)));
        let same = |s: &Section| s.placement == placement && s.copies == copies;
        let at = sections.iter().position(same).unwrap_or_else(|| {
            sections.push(Section { placement: placement.clone(), copies, ..Section::default() });
            of_run.push(e.run);
            sections.len() - 1
        });
        if e.probe == ProbeId::Unixbench && of_run[at] != e.run {
            continue;
        }
        if sections[at].test(test.id).is_none() {
            sections[at].tests.push(TestScore::printed(test, scores));
        }
    }
    Some((sections, basis?))
}

/// Results that UnixBench printed beyond these, where these are printed ones.
pub fn beyond(report: &Report<'_>, of: &UnixBench) -> usize {
    if report.get::<UnixBenchResult>().0.is_some() {
        return 0;
    }
    let printed = report.of_others().iter().filter(|e| printed(report, e).is_some());
    distinct(printed.map(|e| e.run)).len().saturating_sub(of.sections.len())
}

/// What UnixBench printed a score of: the test, its placement, and the copies if they are stated.
fn printed(report: &Report<'_>, e: &Estimate) -> Option<(&'static Test, String, Option<u64>)> {
    let case = &report.record.runs[e.run].case;
    let test = unixbench::named(param::TEST.of(&e.at)?)?;
    let placement = case.get(param::PLACEMENT).unwrap_or("none").to_owned();
    let printed = (e.probe, e.metric) == (ProbeId::Unixbench, Metric::Rate);
    printed.then(|| (test, placement, case.get(param::COPIES)))
}

/// UnixBench's own scores, and those of publications.
fn score(report: &Report<'_>, e: &Estimate) -> Option<Score> {
    match (e.probe, e.metric) {
        (ProbeId::Unixbench, Metric::Rate) => {
            let (test, placement, copies) = printed(report, e)?;
            Some((test, placement, copies?, test.factor))
        }
        // Scores without a printed unit: their ratios are all that is used.
        (ProbeId::ReferenceResult, Metric::Score) => {
            let placement = match param::PINNING.of(&e.at)? {
                "one-to-one" => "one-to-one",
                _ => "range",
            };
            let test = match param::TEST.of(&e.at)? {
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
