//! Probes x machine x depth: the cases, in order, with their estimated time. Pure.
use crate::{
    probe::{Probe, Setting},
    visits,
};
use record::{Case, Machine, Outcome, Placement, ProbeId, Reason, Run, Sort, param};
use std::collections::{BTreeMap, BTreeSet};

/// A probe and its id.
pub type Entry = (&'static str, &'static Probe);

/// The probes to run.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Selection {
    /// Only these probes (comma-separated; see `cpulens list`)
    // If any are named; some come along with all others.
    #[arg(long, value_name = "PROBE,...", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Not these probes
    #[arg(long, value_name = "PROBE,...", value_delimiter = ',')]
    pub skip: Vec<String>,
}

/// A choice that no probe or case answers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// A name that no probe has, and the names there are.
    Probe(String, Vec<&'static str>),
    /// A parameter and value that no planned case has, and the values there are.
    Parameter(String, Vec<String>),
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unknown::Probe(name, ids) => {
                write!(f, "there is no probe '{name}'; the probes are {}", ids.join(", "))
            }
            Unknown::Parameter(asked, there) if there.is_empty() => {
                write!(f, "no case of these probes has a parameter for --where {asked}")
            }
            Unknown::Parameter(asked, there) => {
                write!(f, "no case is --where {asked}; there are {}", there.join(", "))
            }
        }
    }
}

impl std::error::Error for Unknown {}

/// These probes in the order they run.
pub fn entries(probes: &[Entry]) -> Vec<Entry> {
    let mut all: Vec<Entry> = probes.to_vec();
    all.order_by_key(|(id, probe)| (probe.order, *id));
    all
}

/// The one of these probes with this id.
pub fn find(probes: &[Entry], id: &str) -> Option<&'static Probe> {
    probes.iter().find(|(known, _)| *known == id).map(|(_, probe)| *probe)
}

/// The probe of a run; nothing if it is none of these probes.
pub fn about(probes: &[Entry], run: &Run) -> Option<&'static Probe> {
    find(probes, run.case.probe.as_str())
}

/// Plans: one run per case, none reached yet, and a skipped one for each probe that has nothing to do here.
///
/// # Errors
/// A selected name that no probe has, or a parameter's value that no case has.
pub fn plan(
    probes: &[Entry],
    setting: &Setting<'_>,
    selection: &Selection,
) -> Result<Vec<Run>, Unknown> {
    for name in selection.only.iter().chain(&selection.skip) {
        if find(probes, name).is_none() {
            let ids = probes.iter().map(|(id, _)| *id).collect();
            return Err(Unknown::Probe(name.clone(), ids));
        }
    }
    let mut setting = setting.clone();
    setting.options.named = selection.only.iter().map(|id| id.as_str().into()).collect();
    let setting = &setting;
    let mut runs = vec![];
    for (id, probe) in entries(probes) {
        let wanted = selection.only.is_empty()
            || probe.always
            || selection.only.iter().any(|o| o == id)
            || (probe.comes_along)(setting);
        if !wanted || selection.skip.iter().any(|s| s == id) {
            continue;
        }
        match (probe.cases)(setting) {
            Ok(cases) => {
                runs.extend(cases.into_iter().map(|c| planned(id, probe, c, setting.machine)));
            }
            Err(why) => runs.push(skipped(id, probe, why)),
        }
    }
    in_turns(&mut runs);
    let mut runs = narrow(runs, &setting.options.only_with)?;
    miss(&mut runs, &setting.options.named);
    visits::plan(probes, &mut runs, setting.depth);
    share(probes, &mut runs, setting);
    Ok(runs)
}

/// What is named and left out is missing: the plan did not choose to do without it.
fn miss(runs: &mut [Run], named: &[ProbeId]) {
    for run in runs.iter_mut().filter(|run| named.contains(&run.case.probe)) {
        if let Outcome::Skipped(why) = &mut run.outcome {
            why.by_plan = false;
        }
    }
}

/// Gives the cases that come along their share of the others' time.
fn share(probes: &[Entry], runs: &mut [Run], setting: &Setting<'_>) {
    let unnamed = |run: &&Run| !setting.options.named.contains(&run.case.probe);
    let of = |run: &Run| Some(run).filter(unnamed).and_then(|r| about(probes, r)?.share_of_plan);
    let (mut along, others): (Vec<&mut Run>, Vec<&mut Run>) =
        runs.iter_mut().partition(|run| of(run).is_some());
    let seconds: f64 = others.iter().map(|run| run.case.estimate * run.outstanding()).sum();
    for run in &mut along {
        run.case.estimate = of(run).unwrap_or(0.0) * seconds;
    }
}

/// Tests that take turns do so: all of the first turn before any of the second.
fn in_turns(runs: &mut [Run]) {
    let turn = |run: &Run| run.case.get(param::TURN).map(str::to_owned);
    let takes = |run: &Run| turn(run).is_some();
    let Some(first) = runs.iter().position(takes) else { return };
    let last = runs.iter().rposition(takes).unwrap_or(first);
    runs[first..=last].order_by_key(|run| (run.case.get(param::REPEAT), turn(run)));
}

/// Leaves out the cases that have a named parameter, but with none of the values asked for it.
fn narrow(mut runs: Vec<Run>, only_with: &[(String, String)]) -> Result<Vec<Run>, Unknown> {
    for (name, value) in only_with {
        let values: BTreeSet<String> =
            runs.iter().filter_map(|r| r.case.params.get(name)).map(ToString::to_string).collect();
        if !values.contains(value) {
            let there = values.iter().map(|v| format!("{name}={v}")).collect();
            return Err(Unknown::Parameter(format!("{name}={value}"), there));
        }
    }
    runs.retain(|run| {
        run.case.params.iter().all(|(name, value)| {
            let mut asked = only_with.iter().filter(|(n, _)| n == name).peekable();
            asked.peek().is_none() || asked.any(|(_, v)| *v == value.to_string())
        })
    });
    Ok(runs)
}

/// A case of a probe that is not reached yet, or skipped if the probe refuses it.
pub fn planned(id: &str, probe: &Probe, case: Case, machine: &Machine) -> Run {
    let case = Case { probe: id.into(), version: probe.version, ..case };
    match (probe.refuses)(&case, machine) {
        Some(why) => Run { outcome: Outcome::Skipped(why), ..unreached(case) },
        None => unreached(case),
    }
}

/// A probe that has nothing to do here.
pub fn skipped(id: &str, probe: &Probe, why: Reason) -> Run {
    let case = Case {
        probe: id.into(),
        version: probe.version,
        params: BTreeMap::new(),
        place: Placement::default(),
        estimate: 0.0,
    };
    Run { outcome: Outcome::Skipped(why), ..unreached(case) }
}

fn unreached(case: Case) -> Run {
    Run::new(
        case,
        Outcome::NotReached(Reason::mended_by(
            "the run ended before this case",
            "cpulens run --resume RECORD",
        )),
    )
}

/// Seconds that the visits not yet done will take.
pub fn seconds_left(runs: &[Run]) -> f64 {
    runs.iter().map(|r| r.case.estimate * r.outstanding()).sum()
}
