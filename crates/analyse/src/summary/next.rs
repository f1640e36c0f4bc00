//! Missing data, and the commands to run next.
use crate::whatif::Change;
use crate::{Curve, Nearest, Report, Theoretical, Verdict, Verdicts};
use estimates::estimate::STATE_RATIO;
use record::{Outcome, Pages, ProbeId, Reason, Text, distinct};

/// Missing data.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "gap", rename_all = "snake_case")]
pub enum Gap {
    /// Probes that a setting of the machine or the options leave out.
    Skipped {
        /// Their ids.
        probes: Vec<String>,
    },
    /// Probes that failed.
    Failed {
        /// Their ids.
        probes: Vec<String>,
        /// The reason of the first failure, as the record has it.
        why: Text,
    },
    /// Probes that the run ended before.
    NotReached {
        /// Their ids.
        probes: Vec<String>,
    },
    /// Probes of which some cases were measured and some not, or not as often as was planned.
    FewerTurns {
        /// Their ids.
        probes: Vec<String>,
    },
    /// The machine does not state what its core should run at.
    RatedFrequency,
    /// The speed of the memory modules is not readable.
    MemorySpeed,
    /// Memory latency was measured, but on no curve that reached memory.
    MemoryLatency,
    /// The memory latency of the curve on huge pages alone, whose largest working set is not all in memory either.
    MemoryLatencyHugePages,
    /// Facts of the machine that could not be read.
    Facts {
        /// Their names.
        names: Vec<String>,
    },
    /// A change whose effect cannot be predicted.
    Prediction {
        /// The change.
        change: Change,
        /// The reason, as a sentence.
        why: Text,
    },
    /// Rules that lack something.
    Rules {
        /// A count.
        count: usize,
    },
}

/// A command that tells more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Finish the record.
    Resume,
    /// Measure this machine.
    Run,
    /// Measure more closely.
    Deeper,
    /// The whole report.
    Full,
    /// All findings, with remedies.
    Diagnose,
    /// Beside the nearest machine of the catalogue.
    Compare,
    /// The machines of the catalogue.
    Catalogue,
    /// The machine beside results that do not say which it is.
    Machine,
    /// The placement of programs.
    Place,
    /// Run a program there.
    Spread,
    /// All that a command has to say.
    FullOf(Command),
}

/// A command with a summary of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// `info`.
    Info,
    /// `diagnose`.
    Diagnose,
    /// `whatif`.
    Whatif,
    /// `place`.
    Place,
}

pub(super) fn gaps(report: &Report<'_>) -> Vec<Gap> {
    let record = report.record;
    let mut gaps = vec![];
    let probes = |of: fn(&Outcome) -> bool| -> Vec<ProbeId> {
        let runs = record.runs.iter().filter(|run| of(&run.outcome));
        distinct(runs.map(|run| run.case.probe))
    };
    let failed = probes(|o| matches!(o, Outcome::Failed(_)));
    let measured = |probe: ProbeId| {
        let mut runs = record.runs.iter().filter(|r| r.case.probe == probe);
        runs.any(|r| matches!(r.outcome, Outcome::Measured(_)))
    };
    let unreached = probes(|o| matches!(o, Outcome::NotReached(_)));
    let (fewer, unreached): (Vec<ProbeId>, _) = unreached.into_iter().partition(|p| measured(*p));
    // A probe with a result for some of its cases is measured; what others publish was never planned here.
    let own = record.provenance.sources.is_empty();
    let mut skipped = probes(|o| matches!(o, Outcome::Skipped(_)));
    let by_plan = |probe: ProbeId| {
        let mut runs = record.runs.iter().filter(|r| r.case.probe == probe);
        runs.all(|r| matches!(&r.outcome, Outcome::Skipped(why) if why.by_plan))
    };
    skipped.retain(|probe| own && !measured(*probe) && !by_plan(*probe));
    let named = |ids: Vec<ProbeId>| ids.iter().map(ToString::to_string).collect();
    if !failed.is_empty() {
        let why = record.runs.iter().find_map(|run| match &run.outcome {
            Outcome::Failed(reason) => Some(reason.why.clone()),
            _ => None,
        });
        gaps.push(Gap::Failed { probes: named(failed), why: why.unwrap_or_default() });
    }
    if !unreached.is_empty() {
        gaps.push(Gap::NotReached { probes: named(unreached) });
    }
    if !fewer.is_empty() {
        gaps.push(Gap::FewerTurns { probes: named(fewer) });
    }
    if !skipped.is_empty() {
        gaps.push(Gap::Skipped { probes: named(skipped) });
    }
    let curves = report.get::<Vec<Curve>>();
    let reached = |c: &&Curve| c.levels.iter().any(|l| l.name == "memory" && l.found.is_ok());
    let huge = |c: &&Curve| c.order == "random" && c.pages == Pages::Thp;
    match (curves.iter().any(|c| reached(&c)), curves.iter().find(huge)) {
        (false, _) if !curves.is_empty() => gaps.push(Gap::MemoryLatency),
        (true, Some(curve)) if !reached(&curve) && curve.largest_working_set().is_none() => {
            gaps.push(Gap::MemoryLatencyHugePages)
        }
        _ => {}
    }
    if measured(ProbeId::CoreFrequency)
        && crate::facts::rated_frequencies(&record.machine, None).is_err()
    {
        gaps.push(Gap::RatedFrequency);
    }
    let stated = |known: &Theoretical| !known.by_model;
    if measured(ProbeId::Bandwidth)
        && !report.get::<Result<Theoretical, Reason>>().as_ref().is_ok_and(stated)
    {
        gaps.push(Gap::MemorySpeed);
    }
    let untold = |(_, v): &(&str, &Verdict)| matches!(v, Verdict::CannotTell { .. });
    match report.get::<Verdicts>().iter().filter(untold).count() {
        0 => {}
        count => gaps.push(Gap::Rules { count }),
    }
    gaps
}

pub(super) fn next(report: &Report<'_>) -> Vec<Next> {
    let record = report.record;
    let unreached = record.runs.iter().any(|r| matches!(r.outcome, Outcome::NotReached(_)));
    let own = record.provenance.sources.is_empty();
    let mut all = vec![];
    // Nothing is found in files of several machines, and none is like them.
    if !record.provenance.other_machines().is_empty() {
        return vec![Next::Full];
    }
    if record.runs.is_empty() {
        return if own { vec![Next::Run] } else { vec![Next::Full, Next::Diagnose] };
    }
    if unreached {
        all.push(Next::Resume);
    }
    all.extend([Next::Full, Next::Diagnose, compare(report)]);
    if own
        && !unreached
        && !report.get::<Vec<Curve>>().is_empty()
        && record.provenance.depth.as_deref() == Some("quick")
    {
        all.push(Next::Deeper);
    }
    all
}

/// The nearest machine of the catalogue, as a command names it; nothing where none is like this one.
pub(super) fn nearest(report: &Report<'_>) -> Option<String> {
    let near = report.get::<Nearest>().0.first().filter(|near| near.apart <= STATE_RATIO)?;
    Some(format!("ref:{}", near.name))
}

/// Beside that machine, else those that there are.
pub(super) fn compare(report: &Report<'_>) -> Next {
    nearest(report).map_or(Next::Catalogue, |_| Next::Compare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{empty, measured};
    use comparison::nearest::Near;
    use record::{Record, Series};

    #[test]
    fn a_test_that_lacks_cases_is_not_missing() {
        let mut record = empty();
        // A second repeat of one case, and another case.
        for (copies, turn) in [("1", "1/2"), ("1", "2/2"), ("2", "1/2")] {
            let mut s = Series::new("rate", record::Unit::PerSecond, record::Better::Higher);
            s.samples = vec![1.0];
            measured(&mut record, "syscall", &[("copies", copies), ("turn", turn)], vec![s]);
        }
        let lost = || Outcome::NotReached(Reason::new("the time was up"));
        record.runs[1].outcome = lost();
        let gap = |record: &Record| gaps(&crate::analyse(record)).remove(0);
        assert_eq!(gap(&record), Gap::FewerTurns { probes: vec!["syscall".into()] });
        record.runs[2].outcome = lost();
        assert_eq!(gap(&record), Gap::FewerTurns { probes: vec!["syscall".into()] });
        record.runs[0].outcome = lost();
        assert_eq!(gap(&record), Gap::NotReached { probes: vec!["syscall".into()] });
    }

    #[test]
    fn a_probe_that_the_plan_leaves_out_is_no_gap() {
        let mut record = empty();
        measured(&mut record, "numa_matrix", &[], vec![]);
        let mut of = |why: Reason| {
            record.runs[0].outcome = Outcome::Skipped(why);
            gaps(&crate::analyse(&record)).into_iter().find(|g| matches!(g, Gap::Skipped { .. }))
        };
        let skipped = Some(Gap::Skipped { probes: vec!["numa_matrix".into()] });
        assert_eq!(of(Reason::by_plan("there is one node", "--depth standard")), None);
        assert_eq!(of(Reason::mended_by("these CPUs have one node", "--cpus with more")), skipped);
    }

    #[test]
    fn a_machine_that_is_not_alike_is_not_suggested() {
        let record = empty();
        let mut report = crate::analyse(&record);
        let mut of = |apart| {
            let near = Near { name: "other".into(), apart, figures: vec![] };
            report.set(Nearest(vec![near]));
            (nearest(&report), compare(&report))
        };
        assert_eq!(of(1.2), (Some("ref:other".into()), Next::Compare));
        assert_eq!(of(1.9), (None, Next::Catalogue));
    }

    #[test]
    fn huge_pages_without_a_level_of_memory_are_a_gap() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let record: Record = record::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let mut report = crate::analyse(&record);
        assert!(!gaps(&report).contains(&Gap::MemoryLatencyHugePages));
        let mut curves = report.get::<Vec<Curve>>().clone();
        for curve in curves.iter_mut().filter(|c| c.pages == Pages::Thp) {
            curve.levels.retain(|level| level.name != "memory");
        }
        report.set(curves.clone());
        assert!(!gaps(&report).contains(&Gap::MemoryLatencyHugePages), "the largest size is shown");
        for curve in curves.iter_mut().filter(|c| c.pages == Pages::Thp) {
            curve.points.iter_mut().for_each(|point| point.served = None);
        }
        report.set(curves);
        assert!(gaps(&report).contains(&Gap::MemoryLatencyHugePages));
    }
}
