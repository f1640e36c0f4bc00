//! Speed of the memory modules as a publication states it: as they run, and as they are rated or as others ran in their place.
use super::{Basis, Graded};
use estimates::report::Report;
use record::{ProbeId, param};

/// Speeds in transfers per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speeds {
    /// As they run.
    pub configured: f64,
    /// As they are rated, or as those that replaced them ran.
    pub possible: Option<f64>,
    /// Whether `possible` is of those that replaced them.
    pub replaced: bool,
}

/// The stated speeds of the modules; `None` where none are.
pub fn stated(report: &Report<'_>) -> Option<Graded<Speeds>> {
    let of = |metric: &str, replaced: bool| {
        report.of_others().iter().find(|e| {
            e.probe == ProbeId::ReferenceResult
                && e.metric.as_str() == metric
                && param::STATE.is_in(&e.at) == replaced
                && e.median > 0.0
        })
    };
    let now = of("dimm_configured_speed", false).or_else(|| of("dimm_speed", false))?;
    let rated = of("dimm_rated_speed", false);
    let other = of("dimm_clock", true);
    let basis =
        |e: &estimates::estimate::Estimate| Basis::of(report.record, &report.record.runs[e.run]);
    let possible = rated.or(other);
    Some(Graded {
        value: Speeds {
            configured: now.median,
            possible: possible.map(|e| e.median),
            replaced: rated.is_none() && other.is_some(),
        },
        // A speed is one of a few that exist: nothing is to be assumed of its noise.
        basis: Basis {
            prior: None,
            ..possible.map_or(basis(now), |e| basis(now).weakest(basis(e)))
        },
    })
}
