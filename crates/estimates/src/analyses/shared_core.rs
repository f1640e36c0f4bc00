//! Whether another thread had a part of the core. It shares the ports and the first cache, so that independent operations run
//! slower in some samples, down to half; it does not lengthen chains of dependent ones.
use crate::analyses::matrices::Matrix;
use crate::analysis::{Analysis, Entry};
use crate::expected::{Microarchitecture, Quantity};
use crate::report::Report;
use crate::say;
use crate::words::{number, percent};
use record::{
    Between, Metric, ONE_CORE, ProbeId, Record, Relation, Run, Series, Sort, Text, param,
};
use stats::Sample;
use std::collections::BTreeMap;

/// The evidence that a core was shared.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedCore {
    /// Over the whole run, on one CPU; nothing where it was not watched.
    pub run: Option<SharedRun>,
    /// Share of the samples of independent operations in which another thread had a part of the core: 0 where none did.
    pub share: f64,
    /// The operations that it slowed down.
    pub operations: Vec<SharedOperation>,
    /// Largest latency of a chain of dependent operations over its smallest, but for a tenth of the samples at either end.
    pub chains: f64,
    /// CPUs that were threads of one core, by the time of a line between them.
    pub pairs: Vec<SharedPair>,
}

/// The reference samples: independent additions beside dependent ones, within the same milliseconds.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedRun {
    /// Number of windows.
    pub windows: usize,
    /// Additions per cycle that the core can do: those of its fastest windows.
    pub can: f64,
    /// Additions per cycle that were delivered: the mean.
    pub delivered: f64,
    /// Share of the windows in which another thread had a part of the core.
    pub share: f64,
}

impl SharedRun {
    /// Whether it was so often that it was not by chance.
    pub fn was_shared(&self) -> bool {
        self.share >= OFTEN
    }
}

/// An operation that another thread slowed down.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedOperation {
    /// The operation: a compute kernel's id.
    pub op: String,
    /// Operations per cycle that the core can do: those of its fastest samples.
    pub can: f64,
    /// Operations per cycle that were delivered: the median.
    pub delivered: f64,
    /// Operations per cycle that are published of the processor.
    pub expected: Option<f64>,
    /// Share of its samples that were slowed down.
    pub share: f64,
}

/// Two CPUs that were threads of one core.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedPair {
    /// The first CPU.
    pub from: u32,
    /// The second CPU.
    pub to: u32,
    /// Round trip of a line in seconds while they were.
    pub near: f64,
    /// Share of the round trips in which they were.
    pub share: f64,
}

/// A sample slower than this share of what the core can do was slowed down; without another thread they differ by 5 %.
const SLOWED: f64 = 0.85;
/// Samples that are faster than the level of those that a core can do: the fastest is seldom, as its frequency is measured beside
/// it.
const FASTEST: f64 = 0.05;
/// Chains that differ by more say that the frequency moved or that time was stolen: then throughput says nothing of a neighbour.
const EXACT: f64 = 1.05;
/// Operations that are slowed down in this share of their samples are not so by chance.
const OFTEN: f64 = 0.1;
/// At least so many operations must agree.
const FEWEST: usize = 2;
/// Such a round trip takes at most this share of one between cores, which on a ring takes as few cycles: 20 of 55 ns were seen.
pub const NEAR: f64 = 0.5;

pub static ANALYSIS: Entry = Entry::of::<Option<SharedCore>>();

impl Analysis for Option<SharedCore> {
    const TITLE: &str =
        "Whether another thread had a part of the core; nothing where that is unknown.";
    const ORDER: u16 = 126;
    fn compute(report: &Report<'_>) -> Self {
        let record = report.record;
        let pairs = pairs(report);
        let run = over_the_run(record);
        let Some((operations, share, chains)) = operations(record) else {
            let known = !pairs.is_empty() || run.is_some();
            return known.then(|| SharedCore { run, pairs, ..SharedCore::default() });
        };
        Some(SharedCore { run, share, operations, chains, pairs })
    }
    fn conclusions(&self) -> Vec<Text> {
        self.as_ref().and_then(SharedCore::says).into_iter().collect()
    }
}

impl SharedCore {
    /// The conclusion; `None` where no core was shared.
    pub fn says(&self) -> Option<Text> {
        let mut said = vec![];
        if !self.operations.is_empty() {
            let each =
                |o: &SharedOperation| say::of_per_cycle(&o.op, number(o.delivered), number(o.can));
            let all = Text::list(self.operations.iter().map(each), Between::Comma);
            said.push(say::core_shared(percent(self.share), all, percent(self.chains - 1.0)));
        }
        said.extend(
            self.pairs.iter().map(|pair| say::pair_shared(pair.from, pair.to, percent(pair.share))),
        );
        (!said.is_empty()).then(|| Text::list(said, Between::Sentences))
    }
}

/// Operations per cycle of every sample, by operation, in all visits.
fn rates(record: &Record) -> BTreeMap<&str, Vec<f64>> {
    let mut all: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let own = |r: &&Run| r.case.probe == ProbeId::CoreRate && r.origin.is_none();
    let series = record.runs.iter().filter(own).flat_map(Run::series);
    for s in series.filter(|s| s.metric == Metric::TimePerOp) {
        let (Some(op), Some(hertz)) = (param::OP.of(&s.at), s.frequency) else { continue };
        let rates = s.undisturbed().into_iter().map(|seconds| 1.0 / (seconds * hertz));
        all.entry(op).or_default().extend(rates.filter(|rate| *rate > 0.0 && rate.is_finite()));
    }
    all
}

/// The operations that were slowed down, the share of all samples of independent ones, and how far chains differ; nothing where
/// chains do not hold still, or nothing was measured.
fn operations(record: &Record) -> Option<(Vec<SharedOperation>, f64, f64)> {
    let (mut chains, mut slowed, mut found) = (None::<f64>, (0, 0), vec![]);
    let known = Microarchitecture::of(&record.machine).ok();
    for (op, rates) in rates(record) {
        let Some(sample) = Sample::new(&rates) else { continue };
        if op.ends_with("_chain") {
            let ratio = sample.quantile(0.9) / sample.quantile(0.1);
            chains = Some(chains.map_or(ratio, |worst| worst.max(ratio)));
            continue;
        }
        if op.starts_with("branch") || op.starts_with("div") {
            continue;
        }
        let expected = expected(known.as_ref(), op);
        let can = sample.quantile(1.0 - FASTEST);
        let slow = slowed_down(&rates, can, expected);
        slowed = (slowed.0 + slow, slowed.1 + rates.len());
        let share = slow as f64 / rates.len() as f64;
        if share >= OFTEN {
            let delivered = sample.median();
            found.push(SharedOperation { op: op.to_owned(), can, delivered, expected, share });
        }
    }
    let chains = chains.filter(|worst| *worst <= EXACT)?;
    if found.len() < FEWEST {
        return Some((vec![], 0.0, chains));
    }
    found.order_by(|a, b| (a.delivered / a.can).total_cmp(&(b.delivered / b.can)));
    Some((found, slowed.0 as f64 / slowed.1.max(1) as f64, chains))
}

/// Operations per cycle that are published.
fn expected(known: Option<&Microarchitecture>, op: &str) -> Option<f64> {
    Some(known?.expected(&Quantity::Rate(op.into()))?.low)
}

/// The number of these rates that are below the core's own.
fn slowed_down(rates: &[f64], can: f64, expected: Option<f64>) -> usize {
    let level = SLOWED * can.max(expected.unwrap_or(0.0));
    rates.iter().filter(|rate| **rate < level).count()
}

/// The windows of the reference samples; each sample's frequency is the median of its windows.
fn over_the_run(record: &Record) -> Option<SharedRun> {
    let mut rates = vec![];
    for sample in &record.reference_samples {
        let Some(hertz) = stats::median(&sample.frequency) else { continue };
        let per_cycle = sample.ports.iter().map(|rate| rate / hertz);
        rates.extend(per_cycle.filter(|rate| *rate > 0.0 && rate.is_finite()));
    }
    let can = Sample::new(&rates)?.quantile(1.0 - FASTEST);
    let known = Microarchitecture::of(&record.machine).ok();
    let slow = slowed_down(&rates, can, expected(known.as_ref(), "add"));
    let windows = rates.len();
    // Each part first: numbers of a record may be so large that their sum is none.
    let delivered = rates.iter().map(|rate| rate / windows as f64).sum();
    Some(SharedRun { windows, can, delivered, share: slow as f64 / windows as f64 })
}

/// Seconds that a line's round trip takes at most between threads of one core, by the frequency that was measured.
pub fn one_core(record: &Record) -> Option<f64> {
    let own = |r: &&Run| r.case.probe == ProbeId::CoreFrequency && r.origin.is_none();
    let all = record.runs.iter().filter(own).filter_map(|r| r.metric(Metric::Frequency));
    Some(ONE_CORE / stats::median_of(all.flat_map(Series::undisturbed))?)
}

/// Pairs of CPUs, stated to be of different cores, that were of one.
fn pairs(report: &Report<'_>) -> Vec<SharedPair> {
    let Some(one_core) = one_core(report.record) else { return vec![] };
    let own = |m: &&Matrix| {
        let imported = report.record.runs.get(m.run).is_none_or(|r| r.origin.is_some());
        m.metric == Metric::RoundTrip && !imported
    };
    let cells = report.get::<Vec<Matrix>>().iter().filter(own).flat_map(|m| &m.cells);
    let apart: Vec<_> = cells.filter(|cell| cell.relation != Relation::Siblings.name()).collect();
    // Cores that stay where they are exchange a line no faster than this.
    let cores = apart.iter().filter(|cell| cell.levels().count() < 2).map(|cell| cell.median);
    let cores = cores.fold(f64::INFINITY, f64::min);
    apart
        .iter()
        .filter_map(|cell| {
            let near = cell.levels().min_by(|a, b| a.level.total_cmp(&b.level))?;
            let levels = cell.levels().map(|state| state.level);
            let next = levels.filter(|level| *level > near.level).reduce(f64::min)?;
            let all: usize = cell.levels().map(|state| state.count).sum();
            let one = near.level < one_core && near.level <= NEAR * next.min(cores);
            one.then(|| SharedPair {
                from: cell.from,
                to: cell.to,
                near: near.level,
                share: near.count as f64 / all.max(1) as f64,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, ReferenceSample, Series, Unit};

    const HERTZ: f64 = 3.2e9;

    /// Samples at these rates per cycle of an operation.
    fn op(name: &str, rates: &[f64]) -> Series {
        let series = Series::new(Metric::TimePerOp, Unit::Seconds, Better::Lower);
        let samples = rates.iter().map(|rate| 1.0 / (rate * HERTZ)).collect();
        Series { samples, frequency: Some(HERTZ), ..series.at(param::OP, name) }
    }

    /// Samples at two levels.
    fn levels(a: (usize, f64), b: (usize, f64)) -> Vec<f64> {
        [vec![a.1; a.0], vec![b.1; b.0]].concat()
    }

    fn of(series: Vec<Series>) -> Option<SharedCore> {
        let mut record = example::empty();
        example::measured(&mut record, "core_rate", &[], series);
        Option::<SharedCore>::compute(&Report::new(&record))
    }

    /// Output of a Zen 3 guest beside a neighbour, with its chains.
    #[test]
    fn throughput_that_halves_beside_exact_chains_is_another_thread() {
        let chain = op("mul_chain", &levels((5, 1.0 / 3.0), (5, 1.0 / 3.02)));
        let found = of(vec![
            op("load", &levels((8, 1.95), (2, 3.0))),
            op("store", &levels((7, 1.23), (3, 2.0))),
            op("mul", &[1.0; 10]),
            chain.clone(),
        ])
        .unwrap();
        let ops: Vec<(&str, f64, f64)> = found
            .operations
            .iter()
            .map(|o| (&*o.op, (o.delivered * 100.0).round() / 100.0, o.can.round()))
            .collect();
        assert_eq!(ops, [("store", 1.23, 2.0), ("load", 1.95, 3.0)]);
        assert!((found.share - 0.5).abs() < 1e-9, "{}", found.share);
        let said = found.says().unwrap();
        assert!(said.contains("50 % of the samples") && said.contains("load 1.95 of 3"), "{said}");

        let quiet =
            of(vec![op("load", &[3.0; 10]), op("store", &[2.0; 10]), chain.clone()]).unwrap();
        assert_eq!((quiet.share, quiet.says()), (0.0, None));
        // One operation alone may have a cause of its own.
        let one = of(vec![op("load", &levels((5, 1.5), (5, 3.0))), op("store", &[2.0; 10]), chain]);
        assert!(one.unwrap().operations.is_empty());
    }

    /// 3.9 additions per cycle alone and 2.2 beside another thread, whatever the frequency.
    #[test]
    fn the_share_of_a_run_comes_from_its_reference_samples() {
        let on = |machine: record::Machine, slow: f64, beside: usize, fast: f64| {
            let mut record = record::Record { machine, ..example::empty() };
            let one = |n: usize| {
                let hertz = if n.is_multiple_of(2) { 3.2e9 } else { 1.6e9 };
                let rate = if n < beside { slow } else { fast };
                ReferenceSample {
                    frequency: vec![hertz; 7],
                    ports: vec![rate * hertz; 7],
                    ..ReferenceSample::default()
                }
            };
            record.reference_samples = (0..10).map(one).collect();
            Option::<SharedCore>::compute(&Report::new(&record)).unwrap().run.unwrap()
        };
        let of = |beside| on(example::empty().machine, 2.2, beside, 3.9);
        // Windows of a Zen 5 core alone: a loop gets five of its six additions.
        let zen_5 = |slow| on(crate::expected::tests::machine("Zen 5", "AMD EPYC"), slow, 4, 5.2);
        assert!(!zen_5(5.05).was_shared() && zen_5(3.1).was_shared());
        let found = of(4);
        assert_eq!((found.windows, found.share, found.was_shared()), (70, 0.4, true));
        assert!((found.can - 3.9).abs() < 1e-9 && (found.delivered - 3.22).abs() < 1e-9);
        assert!(!of(0).was_shared());
        let unwatched = Option::<SharedCore>::compute(&Report::new(&example::empty()));
        assert_eq!(unwatched, None);
    }

    #[test]
    fn chains_that_move_too_say_nothing_of_a_neighbour() {
        let slow = levels((5, 1.5), (5, 3.0));
        let all =
            |chain: &[f64]| of(vec![op("load", &slow), op("store", &slow), op("add_chain", chain)]);
        assert_eq!(all(&levels((5, 0.8), (5, 1.0))), None);
        assert_eq!(all(&[1.0; 10]).unwrap().operations.len(), 2);
        assert_eq!(of(vec![op("load", &slow), op("store", &slow)]), None);
    }

    /// 20 ns in some samples and 55 in others: one core, then one cluster of cores.
    #[test]
    fn cpus_that_were_threads_of_one_core_for_a_while_are_named() {
        let mut record = example::empty();
        let line = |ns: &[f64]| {
            let s = Series::new(Metric::RoundTrip, Unit::Seconds, Better::Lower);
            let s = s.at(param::FROM, 0u32).at(param::TO, 1u32);
            vec![Series { samples: ns.iter().map(|ns| ns * 1e-9).collect(), ..s }]
        };
        let mut frequency = Series::new(Metric::Frequency, Unit::Hertz, Better::Higher);
        frequency.samples = vec![HERTZ; 3];
        example::measured(&mut record, "core_frequency", &[], vec![frequency]);
        let lines = [20.0, 20.5, 21.0, 55.0, 56.0, 55.5, 55.0, 240.0, 241.0, 240.5, 240.0, 240.0];
        example::measured(&mut record, "core_to_core", &[], line(&lines));
        let found = Option::<SharedCore>::compute(&Report::new(&record)).unwrap();
        let pair = &found.pairs[0];
        assert_eq!((pair.from, pair.to, pair.share), (0, 1, 0.25));
        assert!(found.says().unwrap().contains("CPUs 0 and 1 were threads of one core in 25 %"));
        record.runs.pop();
        example::measured(&mut record, "core_to_core", &[], line(&lines[3..]));
        assert_eq!(Option::<SharedCore>::compute(&Report::new(&record)), None);
    }
}
