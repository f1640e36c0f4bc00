//! What a comparison takes of one record, apart from all others, so that the record can be dropped. Records of a fleet are
//! mostly alike: quantities, conditions and facts that were met before are not made again.
use super::earlier;
use super::judged::Spread;
use super::machines::{self, FactCache};
use super::{Cell, Quantity, Side, Spent, Standing};
use crate::between_runs::{Kind, Pools};
use crate::conditions::{Conditions, RunThreads, Traits};
use crate::drift::Drift;
use crate::estimate;
use crate::explain::{self, Dies, Work};
use crate::quantities::{Between, better, write_seen};
use crate::report::Report;
use benchmarks::quantities::footprints;
use record::{Better, Judgement, Outcome, ProbeId, Record, Relations, Run, Series, Unit};
use stats::{Sample, repeat::Visits};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

const CONFIDENCE: f64 = 0.95;
/// Unlike conditions that are kept once each.
const REMEMBERED: usize = 8;

/// Takes what is needed of one record after the other; on several threads each has its own.
#[derive(Debug, Default)]
pub struct Extractor {
    /// By all that a quantity is made of.
    seen: HashMap<String, Arc<Named>>,
    /// By [`Quantity::key`].
    named: HashMap<String, Arc<Named>>,
    words: HashMap<String, Arc<str>>,
    /// Conditions that were met last, by quantity.
    conditions: Vec<Vec<Arc<Conditions>>>,
    facts: FactCache,
}

/// The data of one record that a comparison needs.
#[derive(Debug, Clone)]
pub struct Extract {
    pub(super) side: Side,
    pub(super) cells: Vec<Found>,
    pub(super) works: Vec<Work>,
    pub(super) dies: Option<Dies>,
    /// The key of its machine, if it has one.
    pub(super) machine: Option<String>,
    /// When it began, as UTC in RFC 3339.
    pub started: Option<String>,
}

/// A quantity under the key that is equal for equal ones.
#[derive(Debug)]
pub(super) struct Named {
    /// Among those of its extractor.
    number: usize,
    pub(super) key: String,
    pub(super) quantity: Arc<Quantity>,
}

/// A value, with the unit and direction that the record gives it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) named: Arc<Named>,
    /// Boxed where it is kept: a thread that reads frees all of one record before the next, and its memory stays dense.
    pub(super) cell: Cell,
    pub(super) meant: (Unit, Better),
}

/// Series of one record under one quantity, each with the values that count.
struct Bundle<'a> {
    named: Arc<Named>,
    thread_set: usize,
    /// The visits of the first series.
    visits: Visits,
    series: Vec<(&'a Run, &'a Series, Cow<'a, [f64]>)>,
}

impl Extractor {
    /// Takes a record under the name that the user knows it by; with its workloads if they shall be explained.
    pub fn take(&mut self, name: &str, record: &Record, explaining: bool) -> Extract {
        // Estimates are for reports: a comparison needs a few numbers of each series, and of a thousand records.
        let report = Report::without_estimates(record);
        let pools = Pools::of(record, |_| true);
        let judgement = report.get::<Judgement>();
        let drift = report.get::<Option<Drift>>().as_ref();
        let topology = &record.machine.topology;
        let (relations, cores) = (Relations::of(topology), record.machine.cores());
        let mut known: HashMap<usize, usize> = HashMap::new();
        let mut bundles: Vec<Bundle<'_>> = vec![];
        let mut thread_sets: Vec<RunThreads> = vec![];
        let mut measured = 0;
        for (run_number, run) in record.runs.iter().enumerate() {
            let Outcome::Measured(all) = &run.outcome else { continue };
            thread_sets.push(RunThreads::of(run, record, cores));
            for (number, series) in all.iter().enumerate() {
                let values = estimate::values(series);
                if values.is_empty() {
                    continue;
                }
                measured += 1;
                // How busy a machine was is in its verdict; it is no property of the machine.
                if run.case.probe == ProbeId::Preflight {
                    continue;
                }
                let named = self.named(run, series, &relations);
                let index = *known.entry(named.number).or_insert_with(|| {
                    bundles.push(Bundle {
                        named,
                        thread_set: thread_sets.len() - 1,
                        visits: pools.visits(run_number, number),
                        series: vec![],
                    });
                    bundles.len() - 1
                });
                bundles[index].series.push((run, series, values));
            }
        }
        let cells = bundles.into_iter().filter_map(|bundle| {
            let thread_set = &thread_sets[bundle.thread_set];
            self.found(record, thread_set, bundle, &pools)
        });
        let cells = cells.collect();
        let made = &record.provenance;
        let mut words = format!("{} {}", made.tool, made.version);
        for (what, value) in [("depth", &made.depth), ("started", &made.started)] {
            if let Some(value) = value {
                words += &format!(", {what} {value}");
            }
        }
        let foreign =
            !made.sources.is_empty() || record.runs.iter().any(|run| run.origin.is_some());
        let skipped = |r: &&Run| !matches!(r.outcome, Outcome::Measured(_));
        let side = Side {
            name: made.name.clone().unwrap_or_else(|| name.to_owned()),
            given: name.to_owned(),
            spent: Spent::default(),
            earlier: 0,
            model: record.machine.text("cpu.model").map(str::to_owned),
            cpus: topology.online().len(),
            sockets: record.machine.sockets(),
            nodes: topology.nodes.len(),
            footprint: footprints::footprints(record).iter().map(|f| f.over_cache).reduce(f64::min),
            memory_bytes: record.machine.number("memory.total"),
            made: words,
            environment: judgement.environment,
            doubt: judgement.reasons.first().cloned(),
            drift: drift.and_then(Drift::furthest).map(|moved| moved.range),
            measured,
            missing: record.runs.iter().filter(skipped).count(),
            caches: machines::caches(&record.machine),
            traits: Traits::of(made, &record.machine, foreign),
            facts: machines::stated(&record.machine, &mut self.facts),
        };
        let works = if explaining { explain::works(record) } else { vec![] };
        let dies = if explaining { explain::dies(record) } else { None };
        let machine = earlier::machine(record);
        Extract { side, cells, works, dies, machine, started: made.started.clone() }
    }

    /// The quantity that a series is of.
    fn named(&mut self, run: &Run, series: &Series, relations: &Relations) -> Arc<Named> {
        let between = Between::of(run, series, relations);
        let mut seen = String::with_capacity(128);
        write_seen(&mut seen, run, series, between);
        if let Some(named) = self.seen.get(&seen) {
            return named.clone();
        }
        let quantity = Quantity::seen(run, series, between);
        let key = quantity.key();
        let number = self.named.len();
        let new = || Arc::new(Named { number, key: key.clone(), quantity: Arc::new(quantity) });
        let named = self.named.entry(key.clone()).or_insert_with(new).clone();
        self.conditions.resize_with(self.named.len(), Vec::new);
        self.seen.insert(seen, named.clone());
        named
    }

    /// The values of a quantity's series.
    fn found(
        &mut self,
        record: &Record,
        thread_set: &RunThreads,
        bundle: Bundle<'_>,
        pools: &Pools,
    ) -> Option<Found> {
        let Bundle { named, visits: of_first, series: all, .. } = bundle;
        let (run, first, values) = all.first()?;
        // The passes of UnixBench's tests are one sample, in whatever turns and repeats they were taken. Several pairs or nodes
        // are as many values, one each: pairs of one relation differ, and their median is what is asked for.
        let passes =
            |r: &Run| r.origin.is_none() && record::unixbench::of_probe(r.case.probe).is_some();
        let repeated = all.iter().all(|(r, ..)| passes(r));
        let several: Vec<f64> = match (all.len(), repeated) {
            (0 | 1, _) => vec![],
            (_, true) => all.iter().flat_map(|(.., values)| values.iter().copied()).collect(),
            (_, false) => all.iter().filter_map(|(.., v)| stats::median(v)).collect(),
        };
        let values: &[f64] = if several.is_empty() { values } else { &several };
        let sample = Sample::new(values)?;
        // Passes are visits of their own; of several pairs each has one value.
        let visits = match (all.len(), repeated) {
            (0 | 1, _) => of_first,
            (_, true) => Visits::of(&all.iter().map(|(.., values)| values).collect::<Vec<_>>()),
            (_, false) => Visits::of(&[values]),
        };
        let counted = repeated || all.len() == 1;
        let modes = if counted { estimate::states(&sample) } else { vec![] };
        let states = modes.len().max(1);
        let kind = Kind::of(run, first);
        let known = pools.known(kind, &visits);
        let taken = all.iter().filter_map(|(run, series, _)| {
            Some(crate::report::taken_doubt(run, kind?, series.has_undisturbed()))
        });
        let doubt = estimate::doubt(taken.fold(0.0, f64::max), &modes);
        let spread = Spread::of(&sample, &visits, known, doubt);
        let frequency = match &all[..] {
            [(_, s, _)] => frequency(s),
            _ => stats::median_of(all.iter().filter_map(|(_, s, _)| frequency(s))),
        };
        let words = &mut self.words;
        let word = |word: &str| match words.get(word) {
            Some(known) => known.clone(),
            None => {
                let new: Arc<str> = word.into();
                words.insert(word.to_owned(), new.clone());
                new
            }
        };
        let conditions =
            Conditions::of((run, thread_set), first, &record.machine.topology, states, word);
        let median = visits.median(&sample);
        let cell = Cell {
            median,
            interval: match spread.repeat {
                Some(repeat) => Some(repeat.interval(median)),
                None => sample.median_interval(CONFIDENCE),
            },
            modes: match &modes[..] {
                [low, .., high] => Some(Box::new([low.level, high.level])),
                _ => None,
            },
            count: values.len(),
            frequency,
            conditions: shared(&mut self.conditions[named.number], conditions),
            standing: Standing::Alone,
            spread,
        };
        Some(Found { named, cell, meant: (first.unit, better(first)) })
    }
}

fn frequency(of: &Series) -> Option<f64> {
    of.frequency.filter(|hz| hz.is_finite() && *hz > 0.0)
}

/// The same conditions as another record's, if they are among those met last.
fn shared(known: &mut Vec<Arc<Conditions>>, of: Conditions) -> Arc<Conditions> {
    if let Some(same) = known.iter().find(|k| ***k == of) {
        return same.clone();
    }
    let of = Arc::new(of);
    if known.len() >= REMEMBERED {
        known.remove(0);
    }
    known.push(of.clone());
    of
}
