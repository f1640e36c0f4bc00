//! Takes from each record what a comparison needs and lets the rest go, so that a thousand records fit in memory.
use super::conditions::{Conditions, Traits};
use super::judged::Spread;
use super::{
    Cell, Comparison, Quantity, Row, Side, Spent, Standing, beside, curves, groups, judged,
    machines, nearest, summary, unlike,
};
use crate::{
    drift, estimate,
    explain::{self, Explanation, Work},
    observed::Observed,
    report::Interval,
    validity,
};
use record::{Better, Outcome, Record, Relations, Run, Series, Unit};
use stats::Sample;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

const CONFIDENCE: f64 = 0.95;
/// Of so many unlike conditions and facts each is kept once.
const REMEMBERED: usize = 8;

/// Records on their way into a [`Comparison`].
#[derive(Debug, Default)]
pub struct Gathering {
    /// By [`Quantity::key`].
    known: HashMap<String, usize>,
    quantities: Vec<Arc<Quantity>>,
    words: HashMap<String, Arc<str>>,
    /// Conditions that were seen last, by quantity: those of one fleet are mostly alike.
    conditions: Vec<Vec<Arc<Conditions>>>,
    /// Facts that were seen last, by name.
    facts: HashMap<String, Vec<Arc<machines::Stated>>>,
    sides: Vec<Side>,
    /// For each record, by quantity.
    cells: Vec<BTreeMap<usize, Box<Cell>>>,
    /// For each record, if it shall be explained.
    works: Option<Vec<Vec<Work>>>,
}

/// Series of one record under one quantity, each with the values that count.
#[derive(Default)]
struct Bundle<'a> {
    series: Vec<(&'a Run, &'a Series, Vec<f64>)>,
}

impl Gathering {
    /// Nothing yet.
    pub fn new() -> Gathering {
        Gathering::default()
    }
    /// Nothing yet; the records' workloads will be explained.
    pub fn explaining() -> Gathering {
        Gathering { works: Some(vec![]), ..Gathering::default() }
    }
    /// What a record's machine costs and draws, by the name under which it was added or that it got: `false` if there
    /// is none of that name.
    pub fn spends(&mut self, name: &str, spent: Spent) -> bool {
        let mut found = false;
        for side in self.sides.iter_mut().filter(|s| s.name == name || s.given == name) {
            side.spent.price = spent.price.or(side.spent.price);
            side.spent.watts = spent.watts.or(side.spent.watts);
            found = true;
        }
        found
    }
    /// How many records were added.
    pub fn len(&self) -> usize {
        self.sides.len()
    }
    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }
    /// Adds a record under the name that the user knows it by; where the record has a name of its own, that counts.
    pub fn add(&mut self, name: &str, record: &Record) {
        self.put(Taken::of(name, record, self.works.is_some()));
    }
    /// Adds what was taken of a record, so that [`Taken::of`] can be done on many threads.
    pub fn put(&mut self, taken: Taken) {
        let mut cells = BTreeMap::new();
        for (key, quantity, cell, mut conditions) in taken.cells {
            let number = self.number(key, quantity);
            let alike = &self.quantities[number];
            // A record may hold what no unit or direction of another allows: that one is then refused.
            conditions.meant = cell.meant == (alike.unit, alike.better);
            let conditions = self.shared(number, conditions);
            cells.insert(number, Box::new(Cell { conditions, ..cell.cell }));
        }
        self.cells.push(cells);
        if let Some(works) = &mut self.works {
            works.push(taken.works);
        }
        let mut side = taken.side;
        for fact in taken.facts {
            side.facts.push(self.shared_fact(fact));
        }
        side.name = self.unused(side.name);
        self.sides.push(side);
    }
    /// Compares all records with that of this index; the first where there is no such record.
    pub fn finish(self, baseline: usize) -> Comparison {
        let Gathering { quantities, sides, mut cells, works, .. } = self;
        let baseline = if baseline < sides.len() { baseline } else { 0 };
        nearest::pair(&quantities, &mut cells, baseline);
        let used = beside::place(&quantities, &mut cells, baseline);
        let unmatched = beside::unmatched(&quantities, &cells, &sides, baseline);
        let mut held = vec![0_usize; quantities.len()];
        cells.iter().flat_map(BTreeMap::keys).for_each(|quantity| held[*quantity] += 1);
        let only = |(of, used): (&BTreeMap<usize, _>, &BTreeSet<usize>)| {
            of.keys().filter(|q| held[**q] == 1 && !used.contains(q)).count()
        };
        let alone = cells.iter().zip(&used).map(only).collect();
        let curves = curves::curves(&quantities, &cells);
        let mut rows = vec![];
        for (index, quantity) in quantities.into_iter().enumerate() {
            let taken: Vec<Option<Box<Cell>>> =
                cells.iter_mut().map(|side| side.remove(&index)).collect();
            if held[index] < 2 {
                continue;
            }
            let group = groups::of(&quantity, taken.iter().flatten());
            rows.push(Row { quantity, group, cells: taken });
        }
        rows.sort_by(groups::order);
        let unlike: Vec<_> = sides
            .iter()
            .enumerate()
            .map(|(i, side)| match i == baseline {
                true => vec![],
                false => unlike::of_records(&sides[baseline], side),
            })
            .collect();
        judged::judge(&mut rows, &sides, &unlike, baseline);
        let names: Vec<String> = sides.iter().map(|s| s.name.clone()).collect();
        let mut comparison = Comparison {
            baseline,
            means: groups::means(&rows, &sides, baseline),
            facts: machines::differing(&sides),
            sides,
            rows,
            curves,
            alone,
            unmatched,
            unlike,
            explained: works.map_or(vec![], |works| explained(&names, &works, baseline)),
            summary: vec![],
        };
        comparison.summary = summary::sentences(&comparison);
        comparison
    }

    /// The number that a quantity has in this gathering.
    fn number(&mut self, key: String, quantity: Quantity) -> usize {
        if let Some(number) = self.known.get(&key) {
            return *number;
        }
        let number = self.quantities.len();
        self.known.insert(key, number);
        self.quantities.push(Arc::new(quantity));
        self.conditions.push(vec![]);
        number
    }
    /// The same conditions as another record's, if they are among those seen last.
    fn shared(&mut self, quantity: usize, mut of: Conditions) -> Arc<Conditions> {
        let known = &mut self.conditions[quantity];
        if let Some(same) = known.iter().find(|k| ***k == of) {
            return same.clone();
        }
        for word in [&mut of.content, &mut of.variant].into_iter().flatten() {
            *word = self.words.entry(word.to_string()).or_insert_with(|| word.clone()).clone();
        }
        let of = Arc::new(of);
        if known.len() >= REMEMBERED {
            known.remove(0);
        }
        known.push(of.clone());
        of
    }
    /// The same for a fact.
    fn shared_fact(&mut self, of: machines::Stated) -> Arc<machines::Stated> {
        let Some(known) = self.facts.get_mut(&of.name) else {
            let of = Arc::new(of);
            self.facts.insert(of.name.clone(), vec![of.clone()]);
            return of;
        };
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
    /// Two records of one name get numbers.
    fn unused(&self, name: String) -> String {
        let taken = |name: &str| self.sides.iter().any(|s| s.name == name);
        let numbered = (2..).map(|n| format!("{name} ({n})"));
        std::iter::once(name.clone()).chain(numbered).find(|n| !taken(n)).unwrap_or(name)
    }
}

/// What a comparison needs of one record, apart from all others.
#[derive(Debug)]
pub struct Taken {
    side: Side,
    facts: Vec<machines::Stated>,
    cells: Vec<(String, Quantity, Found, Conditions)>,
    works: Vec<Work>,
}

/// A value, with the unit and direction that the record gives it.
#[derive(Debug)]
struct Found {
    cell: Cell,
    meant: (Unit, Better),
}

impl Taken {
    /// Of a record under the name that the user knows it by; with its workloads if they shall be explained.
    pub fn of(name: &str, record: &Record, explaining: bool) -> Taken {
        // Estimates are for reports: a comparison needs a few numbers of each series, and of a thousand records.
        let estimates = estimate::estimates_of(record, |id| validity::LOOKED_AT.contains(&id));
        let drift = drift::drift(record);
        let judgement =
            validity::judge(&Observed { record, estimates: &estimates }, drift.as_ref());
        let relations = Relations::of(&record.machine.topology);
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut bundles: Vec<(String, Quantity, Bundle<'_>)> = vec![];
        let mut measured = 0;
        for run in &record.runs {
            let Outcome::Measured(all) = &run.outcome else { continue };
            for series in all {
                let values = estimate::values(series);
                if values.is_empty() {
                    continue;
                }
                measured += 1;
                // How busy a machine was is told by its verdict; it is no property of the machine.
                if run.case.probe == "preflight" {
                    continue;
                }
                let quantity = Quantity::of(run, series, &relations);
                let key = quantity.key();
                let index = known.get(&key).copied().unwrap_or_else(|| {
                    known.insert(key.clone(), bundles.len());
                    bundles.push((key, quantity, Bundle::default()));
                    bundles.len() - 1
                });
                bundles[index].2.series.push((run, series, values));
            }
        }
        let taken = bundles.into_iter().filter_map(|(key, quantity, bundle)| {
            let (found, conditions) = cell(record, &bundle)?;
            Some((key, quantity, found, conditions))
        });
        let cells = taken.collect();
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
            model: record.machine.text("cpu.model").map(str::to_owned),
            made: words,
            validity: judgement.validity,
            doubt: judgement.reasons.into_iter().next(),
            drift: drift.map(|d| d.clock_range.max(d.chase_range)),
            measured,
            missing: record.runs.iter().filter(skipped).count(),
            traits: Traits::of(made, &record.machine, foreign),
            facts: vec![],
        };
        let works = if explaining { explain::works(record) } else { vec![] };
        Taken { side, facts: machines::stated(&record.machine), cells, works }
    }
}

fn cell(record: &Record, bundle: &Bundle<'_>) -> Option<(Found, Conditions)> {
    let (run, first, values) = bundle.series.first()?;
    // Attempts at one thing are one sample; several pairs or nodes are as many values, one each. Pairs of one relation
    // differ by more than the states of one pair: their median is what is asked for.
    let attempt = |s: &Series| s.at.contains_key("attempt") && !s.at.contains_key("from");
    let repeated = bundle.series.iter().all(|(_, s, _)| attempt(s));
    let several: Vec<f64> = match (bundle.series.len(), repeated) {
        (0 | 1, _) => vec![],
        (_, true) => bundle.series.iter().flat_map(|(.., values)| values.clone()).collect(),
        (_, false) => {
            let medians = bundle.series.iter().filter_map(|(.., v)| Some(Sample::new(v)?.median()));
            medians.collect()
        }
    };
    let values = if several.is_empty() { values } else { &several };
    let sample = Sample::new(values)?;
    let counted = repeated || bundle.series.len() == 1;
    let states = if counted { estimate::states(&sample).len() } else { 1 };
    let (median, interval) =
        (sample.median(), sample.median_interval(CONFIDENCE).map(Interval::from));
    let conditions = Conditions::of(run, first, &record.machine.topology, states);
    let clocks: Vec<f64> = bundle
        .series
        .iter()
        .filter_map(|(_, s, _)| s.clock.filter(|hz| hz.is_finite() && *hz > 0.0))
        .collect();
    let cell = Cell {
        median,
        interval,
        count: values.len(),
        clock: Sample::new(&clocks).map(|s| s.median()),
        conditions: Arc::default(),
        standing: Standing::Alone,
        spread: Spread::of(values),
    };
    Some((Found { cell, meant: (first.unit, first.better) }, conditions))
}

/// Every other record against the baseline.
fn explained(names: &[String], works: &[Vec<Work>], baseline: usize) -> Vec<Explanation> {
    let (Some(base), Some(name)) = (works.get(baseline), names.get(baseline)) else {
        return vec![];
    };
    let others = works.iter().zip(names).enumerate().filter(|(side, _)| *side != baseline);
    others
        .flat_map(|(side, (works, of))| explain::explain((name, base), (side, of, works)))
        .collect()
}
