//! The result of one case, in a line or two: printed while a run is under way, before the report.
use crate::quantity;
use analyse::{Curve, Estimate, Report};
use record::{Judgement, Outcome, ProbeId};
use sections::{origin, section};

/// Results shown on a line; the report has them all.
const SHOWN: usize = 4;

/// The case's result or reason.
pub fn of_run(report: &Report<'_>, run: usize) -> Vec<String> {
    let Some(it) = report.record.runs.get(run) else { return vec![] };
    let label = it.case.label();
    match &it.outcome {
        // Fitness comes first, while there is still time to stop and mend what is wrong.
        Outcome::Measured(_) if it.case.probe == ProbeId::Preflight => {
            let verdict = section::banner(report.get::<Judgement>()).short;
            vec![format!("  {label}: {}", results(report, run)), format!("  So far: {verdict}")]
        }
        Outcome::Measured(_) => vec![format!("  {label}: {}", results(report, run))],
        Outcome::Skipped(why) => vec![format!("  {label}: skipped: {why}")],
        Outcome::Failed(why) => vec![format!("  {label}: failed: {why}")],
        Outcome::NotReached(_) => vec![],
    }
}

fn results(report: &Report<'_>, run: usize) -> String {
    if let Some(curve) = report.get::<Vec<Curve>>().iter().find(|c| c.run == run) {
        let found = curve.levels.iter().filter_map(|level| {
            let plateau = level.found.as_ref().ok()?;
            let latency = quantity::plain(plateau.seconds, record::Unit::Seconds);
            Some(format!("{} {latency}", level.name))
        });
        return found.collect::<Vec<_>>().join(", ");
    }
    let estimates: Vec<&Estimate> = report.estimates.iter().filter(|e| e.run == run).collect();
    let mut words: Vec<String> = estimates.iter().take(SHOWN).map(|e| one(e)).collect();
    if estimates.len() > SHOWN {
        words.push(format!("and {} more", estimates.len() - SHOWN));
    }
    words.join(", ")
}

fn one(estimate: &Estimate) -> String {
    let point = origin::point(estimate);
    let name = if point.is_empty() { estimate.metric.words() } else { point };
    format!("{name} {}", quantity::median(estimate))
}
