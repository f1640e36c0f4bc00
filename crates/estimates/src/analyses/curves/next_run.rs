//! The interval in which the next run finds the latency of a plateau. Its points share the minutes of a run, so what they vary
//! by among each other says little: what counts is how the plateau moves from visit to visit.
use super::{CurvePoint, Level};
use crate::between_runs::{Kind, ports_vary};
use crate::report::{Report, taken_doubt};
use record::{Run, Series};
use stats::repeat::{Known, Repeat, Visits, pooled};
use std::borrow::Cow;

/// Gives each level that was found this interval; one of too few samples keeps what its points' own intervals reach.
pub(super) fn widen(report: &Report<'_>, run: &Run, points: &[CurvePoint], levels: &mut [Level]) {
    let ports = ports_vary(report.record);
    for plateau in levels.iter_mut().filter_map(|level| level.found.as_mut().ok()) {
        let on = points.iter().filter(|p| (plateau.from..=plateau.to).contains(&p.bytes));
        let of = |p: &CurvePoint| report.series(report.estimates.get(p.estimate)?);
        let series: Vec<&Series> = on.filter_map(of).collect();
        if let Some(repeat) = repeat(run, &series, ports) {
            plateau.interval = Some(repeat.interval(plateau.seconds));
        }
    }
}

/// Of the visits to its points. The pool is how each point moves between visits, as the pool of like quantities is elsewhere: points
/// of a private cache and of memory move together, those of the last cache half by themselves. Checked by what the next run found
/// (docs/validation/README.md, "Repeatability").
fn repeat(run: &Run, points: &[&Series], ports: f64) -> Option<Repeat> {
    let kind = Kind::of(run, points.first()?)?;
    let apart = if kind == Kind::SharedCache { (points.len() as f64).sqrt() } else { 1.0 };
    let visits: Vec<Vec<Cow<'_, [f64]>>> = points.iter().map(|s| s.by_visit()).collect();
    let most = visits.iter().map(Vec::len).max().unwrap_or(0);
    let medians: Vec<Vec<f64>> = (0..most)
        .map(|visit| visits.iter().filter_map(|of| stats::median(of.get(visit)?)).collect())
        .collect();
    let moves: Vec<_> = visits.iter().filter_map(|of| Visits::of(of).between()).collect();
    let pooled = pooled(&moves).map(|(variance, degrees)| (variance / apart, degrees));
    let known =
        Known { prior: Some(kind.prior_beside(ports) / apart.sqrt()), pooled, common: None };
    let undisturbed = points.iter().any(|s| s.has_undisturbed());
    Some(Repeat::of(&medians, known)?.doubted(taken_doubt(run, kind, undisturbed)))
}
