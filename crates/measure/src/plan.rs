//! Probes x machine x depth: the cases, in order, with their estimated time. Pure.
use crate::{
    probe::{Probe, Setting},
    probes,
};
use record::{Case, Outcome, Placement, Reason, Run};
use std::collections::BTreeMap;

/// A probe and its id.
pub type Entry = (&'static str, &'static dyn Probe);

/// What is measured first matters most when time runs out: fitness and the instrument before everything that rests
/// on them, then the core, then memory. Probes that are not named here come last, by name.
const ORDER: &[&str] = &[
    "preflight",
    "instrument",
    "core_clock",
    "core_rate",
    "load_latency",
    "core_to_core",
    "bandwidth",
    "stream",
];

/// Which probes to run.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these ids, if any are named. `preflight` and `instrument` come along: every number rests on them.
    pub only: Vec<String>,
    /// Not these ids.
    pub skip: Vec<String>,
}

/// A name that no probe has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProbe(pub String);

impl std::fmt::Display for UnknownProbe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ids: Vec<&str> = probes::ALL.iter().map(|(id, _)| *id).collect();
        write!(f, "there is no probe '{}'; the probes are {}", self.0, ids.join(", "))
    }
}

impl std::error::Error for UnknownProbe {}

/// Every probe in the order they run.
pub fn entries() -> Vec<Entry> {
    let mut all: Vec<Entry> = probes::ALL.to_vec();
    let rank = |id: &str| ORDER.iter().position(|o| *o == id).unwrap_or(ORDER.len());
    all.sort_by_key(|(id, _)| (rank(id), *id));
    all
}

/// Plans: one run per case, none reached yet, and a skipped one for each probe that has nothing to do here.
///
/// # Errors
/// A selected name that no probe has.
pub fn plan(setting: &Setting<'_>, selection: &Selection) -> Result<Vec<Run>, UnknownProbe> {
    for name in selection.only.iter().chain(&selection.skip) {
        if !probes::ALL.iter().any(|(id, _)| id == name) {
            return Err(UnknownProbe(name.clone()));
        }
    }
    let mut runs = vec![];
    for (id, probe) in entries() {
        let rests_on = ["preflight", "instrument"].contains(&id);
        let wanted =
            selection.only.is_empty() || rests_on || selection.only.iter().any(|o| o == id);
        if !wanted || selection.skip.iter().any(|s| s == id) {
            continue;
        }
        match probe.cases(setting) {
            Ok(cases) => runs.extend(cases.into_iter().map(|case| {
                let case = Case { probe: id.into(), version: probe.version(), ..case };
                match probe.refuses(&case, setting.machine) {
                    Some(why) => Run { outcome: Outcome::Skipped(why), ..unreached(case) },
                    None => unreached(case),
                }
            })),
            Err(why) => {
                let case = Case {
                    probe: id.into(),
                    version: probe.version(),
                    params: BTreeMap::new(),
                    place: Placement::default(),
                    estimate: 0.0,
                };
                runs.push(Run { outcome: Outcome::Skipped(why), ..unreached(case) });
            }
        }
    }
    Ok(runs)
}

fn unreached(case: Case) -> Run {
    Run {
        case,
        outcome: Outcome::NotReached(Reason::mended_by(
            "the run ended before this case",
            "cpulens run --resume RECORD",
        )),
        threads: vec![],
        readings: vec![],
        began: 0.0,
        took: 0.0,
    }
}

/// Seconds that the cases not yet reached will take.
pub fn seconds_left(runs: &[Run]) -> f64 {
    runs.iter()
        .filter(|r| matches!(r.outcome, Outcome::NotReached(_)))
        .map(|r| r.case.estimate)
        .sum()
}
