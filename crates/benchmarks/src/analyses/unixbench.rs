//! Scores and indexes of UnixBench's tests, how they scale with copies, what placements gain, and what that means.
mod says;
mod scaling;

pub use scaling::{Scaled, Verdict as ScalingVerdict};

use crate::say;
use estimates::analysis::{Analysis, Entry};
use estimates::groups::by_key;
use estimates::report::{Report, taken};
use record::{
    Metric, ProbeId, Reason, Run, Sort, Text,
    param::{self, Parameter},
    unixbench::Test,
};
use stats::{Sample, unixbench as formula};
use std::collections::BTreeMap;

/// The results of the tests of one record.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnixBench {
    /// One for every number of copies in every placement, in the record's order.
    pub sections: Vec<Section>,
    /// Every test with many copies against one.
    pub scalings: Vec<Scaled>,
    /// The gain of other placements, test by test.
    pub gains: Vec<PlacementGain>,
    /// Context switches by where the two processes were.
    pub switches: Vec<Switched>,
    /// The conclusions, as sentences.
    pub says: Vec<Text>,
}

/// All tests with so many copies, placed in one way.
#[derive(Debug, Clone, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Section {
    /// The version whose behaviour the tests had.
    pub variant: String,
    /// The placement of copies.
    pub placement: String,
    /// The start of copies.
    pub start: String,
    /// Copies that ran at once.
    pub copies: u64,
    /// CPUs that were chosen; 0 where that is not stated.
    pub cpus: usize,
    /// In the order of UnixBench's reports.
    pub tests: Vec<TestScore>,
    /// Tests without a score, and why.
    pub missing: Vec<(&'static Test, Reason)>,
    /// The index (a ratio) of those that have a score.
    pub total: Option<f64>,
    /// Seconds since the run began: of the first test's begin, and of the last one's end.
    pub span: (f64, f64),
}

impl Section {
    /// Whether a test of the index is missing.
    pub fn partial(&self) -> bool {
        self.tests.len() < record::unixbench::TESTS.len()
    }
    /// Whether another section differs in its number of copies only.
    fn alike(&self, other: &Section) -> bool {
        (&self.variant, &self.placement, &self.start)
            == (&other.variant, &other.placement, &other.start)
    }
    pub(crate) fn test(&self, id: ProbeId) -> Option<&TestScore> {
        self.tests.iter().find(|t| t.test.id == id)
    }
}

/// One test of a section. Scores and passes are in the unit of UnixBench's reports.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestScore {
    /// The test.
    pub test: &'static Test,
    /// The score of every repeat, in the test's unit.
    pub scores: Vec<f64>,
    /// Their median, in the test's unit.
    pub score: f64,
    /// Seconds of a pass, and passes that the score rests on, as in UnixBench's reports.
    pub seconds: f64,
    /// See `seconds`.
    pub kept: usize,
    /// Every pass of every repeat in the test's unit, those that the score leaves out too.
    pub passes: Vec<f64>,
    /// Their coefficient of variation; nothing of one pass.
    pub cv: Option<f64>,
    /// The index of the score: a ratio.
    pub index: f64,
    /// Share of its CPU time that was spent in the kernel.
    pub kernel: Option<f64>,
    /// CPUs that it kept busy, a count.
    pub used: Option<f64>,
    /// The kernel's counts of its processes; `None` in records of versions that did not keep them.
    pub counted: Option<Counted>,
    /// Share of the machine that others or the hypervisor took meanwhile, the most of all repeats.
    pub taken: Option<f64>,
    /// The program and its file system.
    pub variant: String,
    /// Turns and repeats of its passes that were measured, and those that were planned.
    pub parts: (usize, usize),
    /// The reason why the first of the others was not.
    pub lost: Option<Reason>,
}

/// The kernel's counts of a test's processes, all copies together, per second of a pass.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counted {
    /// Page faults answered from memory, per second.
    pub minor_faults: f64,
    /// Page faults that needed I/O, per second.
    pub major_faults: f64,
    /// Times per second that a process gave its CPU up to wait.
    pub waits: f64,
    /// Times per second that a process lost its CPU to another.
    pub preempted: f64,
}

/// The gain of one placement over another.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlacementGain {
    /// The test.
    pub test: &'static Test,
    /// Copies that ran at once.
    pub copies: u64,
    /// The placement, and the score of every repeat in the test's unit.
    pub placement: (String, Vec<f64>),
    /// The placement that it is compared with, and its scores in the test's unit.
    pub against: (String, Vec<f64>),
    /// Mean over mean of the repeats, as published tables have it.
    pub ratio: f64,
    /// Whether all repeats of one are above all of the other; nothing where one was measured once.
    pub apart: Option<bool>,
    /// The ratio of the two repeats that are nearest to each other: the least of this placement over the other's most where it
    /// gains, the most over the other's least where it loses. On the other side of 1 than `ratio` the two overlap.
    pub separation: Option<f64>,
}

/// Context switches between two processes that are somewhere.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Switched {
    /// The placement: `free`, `same`, `siblings`, `node`, `nodes`, `halves`.
    pub place: String,
    /// The CPUs of both; nothing where they were free.
    pub cpus: Option<(String, String)>,
    /// Round trips per second.
    pub score: f64,
    /// Ratio to those of the variant's own way.
    pub ratio: Option<f64>,
}

/// The tests of a record; `None` where none was planned.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct UnixBenchResult(pub Option<UnixBench>);

pub static ANALYSIS: Entry = Entry::of::<UnixBenchResult>();

impl Analysis for UnixBenchResult {
    const TITLE: &str = "Scores and indexes of UnixBench's tests; nothing where none was planned.";
    const ORDER: u16 = 170;
    fn compute(report: &Report<'_>) -> Self {
        let record = report.record;
        let ours = |r: &&Run| {
            let test = record::unixbench::of_probe(r.case.probe);
            r.origin.is_none() && test.is_some() && r.case.get(param::COPIES).is_some()
        };
        let runs: Vec<&Run> = record.runs.iter().filter(ours).collect();
        let of_key = |(_, mut runs): (_, Vec<&Run>)| {
            runs.retain(|run| own_switch(run));
            section(&runs)
        };
        let groups = by_key(runs.iter().copied(), |run| key(run));
        let mut sections: Vec<Section> = groups.into_iter().filter_map(of_key).collect();
        // All tests with few copies come before those with more, as in UnixBench's reports.
        sections.order_by_key(|s| s.copies);
        if sections.is_empty() {
            return UnixBenchResult(None);
        }
        let mut found = UnixBench::of_sections(sections, record.machine.topology.usable().len());
        found.switches = switches(&runs);
        found.says = says::says(&found);
        UnixBenchResult(Some(found))
    }
}

impl UnixBench {
    /// The scaling of tests and gains of placements; `usable` are the CPUs of the machine.
    pub(crate) fn of_sections(sections: Vec<Section>, usable: usize) -> UnixBench {
        UnixBench {
            gains: gains(&sections),
            scalings: scaling::scalings(&sections, usable),
            sections,
            switches: vec![],
            says: vec![],
        }
    }
}

impl TestScore {
    /// Scores in the test's unit that somebody printed, without passes and counts.
    pub(crate) fn printed(test: &'static Test, scores: Vec<f64>) -> TestScore {
        let score = stats::median(&scores).unwrap_or(0.0);
        TestScore {
            test,
            score,
            seconds: 0.0,
            kept: scores.len(),
            passes: vec![],
            cv: None,
            index: formula::index(score, test.baseline),
            kernel: None,
            used: None,
            counted: None,
            taken: None,
            variant: String::new(),
            parts: (1, 1),
            lost: None,
            scores,
        }
    }
}

fn key(run: &Run) -> [String; 4] {
    let of = |parameter: Parameter<str>| run.case.get(parameter).unwrap_or_default().to_owned();
    let copies = run.case.get(param::COPIES).map(|n| n.to_string()).unwrap_or_default();
    [of(param::VARIANT), of(param::PLACEMENT), of(param::START), copies]
}

/// Whether it is no context switch, or one in the way of its variant.
fn own_switch(run: &Run) -> bool {
    let halves = run.case.get(param::VARIANT) == Some("aliyun-5.1.6");
    run.case.get(param::SWITCH).is_none_or(|s| s == if halves { "halves" } else { "free" })
}

fn section(runs: &[&Run]) -> Option<Section> {
    let first = runs.first()?;
    let [variant, placement, start, _] = key(first);
    let mut section = Section {
        variant,
        placement,
        start,
        copies: first.case.get(param::COPIES)?,
        cpus: first.case.place.cpus.len(),
        span: (f64::INFINITY, 0.0),
        ..Section::default()
    };
    for test in &record::unixbench::TESTS {
        let of_test: Vec<&Run> = runs.iter().filter(|r| r.case.probe == test.id).copied().collect();
        match scored(test, &of_test) {
            Ok(score) => section.tests.push(score),
            Err(Some(why)) => section.missing.push((test, why)),
            Err(None) => {}
        }
        for run in of_test.iter().filter(|r| r.took > 0.0) {
            let (from, to) = section.span;
            section.span = (from.min(run.began), to.max(run.began + run.took));
        }
    }
    if section.span.0.is_infinite() {
        section.span = (0.0, 0.0);
    }
    let ratios: Vec<f64> = section.tests.iter().map(|t| t.score / t.test.baseline).collect();
    section.total = formula::total(&ratios);
    Some(section)
}

/// The passes of a run as UnixBench counts them: all of them, since its own rule decides what is left out.
fn passes(run: &Run) -> Option<Vec<formula::Pass>> {
    let (counts, times) = (run.metric(Metric::Count)?, run.metric(Metric::Time)?);
    let pair = |(count, seconds): (&f64, &f64)| formula::Pass { count: *count, seconds: *seconds };
    Some(counts.samples.iter().zip(&times.samples).map(pair).collect())
}

/// The score of a test; why there is none, or nothing where it was not planned.
fn scored(test: &'static Test, runs: &[&Run]) -> Result<TestScore, Option<Reason>> {
    let usable: Vec<(&Run, Vec<formula::Pass>)> =
        runs.iter().filter_map(|r| Some((*r, passes(r)?))).collect();
    let lost = runs.iter().find(|run| passes(run).is_none()).map(|run| why(run));
    // The turns of a repeat are one run of the test; what took no turns is one by itself.
    let mut repeats: BTreeMap<_, Vec<formula::Pass>> = BTreeMap::new();
    for (index, (run, passes)) in usable.iter().enumerate() {
        let alone = run.case.get(param::TURN).is_none().then_some(index);
        repeats.entry((run.case.get(param::REPEAT), alone)).or_default().extend(passes);
    }
    let each: Vec<formula::Score> =
        repeats.values().filter_map(|p| formula::score(p, test.timebase)).collect();
    let scores: Vec<f64> = each.iter().map(|s| s.score).collect();
    let (Some(all), Some(first)) = (Sample::new(&scores), each.first()) else {
        return Err(runs.first().map(|run| why(run)));
    };
    let passes: Vec<f64> = usable
        .iter()
        .flat_map(|(_, p)| p.iter().map(|p| formula::rate(*p, test.timebase)))
        .collect();
    let median = |metric: Metric| {
        let of =
            |(run, _): &(&Run, Vec<formula::Pass>)| stats::median(&run.metric(metric)?.samples);
        stats::median_of(usable.iter().filter_map(of))
    };
    let taken = usable.iter().filter_map(|(run, _)| taken(run)).reduce(f64::max);
    let variant = usable.first().and_then(|(run, _)| run.metric(Metric::Rate)?.variant.clone());
    let seconds: f64 = usable.iter().flat_map(|(_, p)| p.iter().map(|p| p.seconds)).sum();
    let per_second = |metric: Metric| {
        let of = |(run, _): &(&Run, Vec<formula::Pass>)| {
            Some(run.metric(metric)?.samples.iter().sum::<f64>())
        };
        let all: Option<Vec<f64>> = usable.iter().map(of).collect();
        Some(all?.iter().sum::<f64>() / seconds).filter(|x| x.is_finite())
    };
    let counted = || {
        Some(Counted {
            minor_faults: per_second(Metric::MinorFaults)?,
            major_faults: per_second(Metric::MajorFaults)?,
            waits: per_second(Metric::VoluntarySwitches)?,
            preempted: per_second(Metric::InvoluntarySwitches)?,
        })
    };
    Ok(TestScore {
        test,
        score: all.median(),
        seconds: first.seconds,
        kept: first.kept,
        cv: Sample::new(&passes)
            .filter(|p| passes.len() > 1 && p.median() > 0.0)
            .and_then(|p| p.cv()),
        index: formula::index(all.median(), test.baseline),
        kernel: median(Metric::KernelShare),
        used: median(Metric::CpusUsed),
        counted: counted(),
        taken,
        variant: variant.unwrap_or_default(),
        parts: (usable.len(), runs.len()),
        lost,
        scores,
        passes,
    })
}

/// The reason why a run gives no score.
fn why(run: &Run) -> Reason {
    run.outcome
        .why()
        .cloned()
        .unwrap_or_else(|| Reason::mended_by(say::STATIC_PROGRAM, say::NEWER_GLIBC))
}

/// Every placement against `range`, or against `none` where that was not measured.
fn gains(sections: &[Section]) -> Vec<PlacementGain> {
    let mut all = vec![];
    let named = |like: &Section, placement: &str| {
        sections.iter().find(|s| {
            s.placement == placement
                && (&s.variant, &s.start, s.copies) == (&like.variant, &like.start, like.copies)
        })
    };
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    for section in sections.iter().filter(|s| !["range", "none"].contains(&&*s.placement)) {
        let Some(base) = named(section, "range").or_else(|| named(section, "none")) else {
            continue;
        };
        for score in &section.tests {
            let Some(other) = base.test(score.test.id).filter(|o| o.score > 0.0) else { continue };
            let ratio = mean(&score.scores) / mean(&other.scores);
            let separation = separation(&score.scores, &other.scores, ratio > 1.0);
            all.push(PlacementGain {
                test: score.test,
                copies: section.copies,
                placement: (section.placement.clone(), score.scores.clone()),
                against: (base.placement.clone(), other.scores.clone()),
                ratio,
                // What is nearest is still on the side of the means.
                apart: separation.map(|nearest| (ratio > 1.0) == (nearest > 1.0) && nearest != 1.0),
                separation,
            });
        }
    }
    all
}

/// The distance of the nearest repeats of two placements; see [`PlacementGain::separation`].
fn separation(a: &[f64], b: &[f64], gains: bool) -> Option<f64> {
    let (a, b) = (Sample::new(a)?, Sample::new(b)?);
    let nearest = if gains { a.min() / b.max() } else { a.max() / b.min() };
    Some(nearest).filter(|x| a.len() > 1 && b.len() > 1 && x.is_finite())
}

fn switches(runs: &[&Run]) -> Vec<Switched> {
    let one = |r: &&&Run| r.case.probe == ProbeId::Context1 && r.case.get(param::COPIES) == Some(1);
    let apart =
        |r: &Run| [param::PLACEMENT, param::SWITCH].map(|part| r.case.get(part).map(str::to_owned));
    let timed = runs.iter().filter(one).filter_map(|r| Some((*r, passes(r)?)));
    let all: Vec<(&Run, f64)> = by_key(timed, |(run, _)| apart(run))
        .into_iter()
        .filter_map(|(_, all)| {
            let passes: Vec<formula::Pass> = all.iter().flat_map(|(_, p)| p).copied().collect();
            Some((all[0].0, formula::score(&passes, 1.0)?.score))
        })
        .collect();
    if all.iter().all(|(run, _)| own_switch(run)) {
        return vec![];
    }
    let own = all.iter().find(|(run, _)| own_switch(run)).map(|(_, score)| *score);
    let switched = |(run, score): &(&Run, f64)| Switched {
        place: run.case.get(param::SWITCH).unwrap_or_default().to_owned(),
        cpus: run
            .case
            .get(param::PARENT)
            .zip(run.case.get(param::CHILD))
            .map(|(a, b)| (a.into(), b.into())),
        score: *score,
        ratio: own.filter(|o| *o > 0.0).map(|own| score / own),
    };
    all.iter().map(switched).collect()
}

#[cfg(test)]
pub mod tests;
