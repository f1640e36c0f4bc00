//! Takes from each record what a comparison needs and lets the rest go, so that a thousand records fit in memory.
use super::conditions::{Conditions, Traits};
use super::{
    Cell, Comparison, Quantity, Row, Side, Spent, Standing, curves, groups, judged, machines,
    nearest, summary, unlike,
};
use crate::{
    drift, estimate,
    explain::{self, Explanation, Work},
    observed::Observed,
    report::{Estimate, Interval},
    validity,
};
use record::{Outcome, Record, Relations, Run, Series};
use stats::Sample;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// More samples than this decide nothing that so many do not; of longer series every so many is kept, in order.
const KEPT: usize = 128;
const CONFIDENCE: f64 = 0.95;

/// Records on their way into a [`Comparison`].
#[derive(Debug, Default)]
pub struct Gathering {
    /// By [`Quantity::key`].
    known: HashMap<String, usize>,
    quantities: Vec<Arc<Quantity>>,
    words: HashMap<String, Arc<str>>,
    sides: Vec<Side>,
    /// For each record, by quantity.
    cells: Vec<BTreeMap<usize, Box<Cell>>>,
    /// For each record, if it shall be explained.
    works: Option<Vec<Vec<Work>>>,
}

/// Series of one record under one quantity.
#[derive(Default)]
struct Bundle<'a> {
    series: Vec<(&'a Run, &'a Series, &'a Estimate)>,
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
        let estimates = estimate::estimates(record);
        let drift = drift::drift(record);
        let judgement =
            validity::judge(&Observed { record, estimates: &estimates }, drift.as_ref());
        let relations = Relations::of(&record.machine.topology);
        let mut bundles: BTreeMap<usize, Bundle<'_>> = BTreeMap::new();
        let mut measured = 0;
        for estimate in &estimates {
            let Some(run) = record.runs.get(estimate.run) else { continue };
            let Outcome::Measured(all) = &run.outcome else { continue };
            measured += 1;
            // How busy a machine was is told by its verdict; it is no property of the machine.
            if let Some(series) = all.get(estimate.series)
                && run.case.probe != "preflight"
            {
                let quantity = self.number(Quantity::of(&run.case, series, &relations));
                bundles.entry(quantity).or_default().series.push((run, series, estimate));
            }
        }
        let mut cells = BTreeMap::new();
        for (quantity, bundle) in bundles {
            // A record may hold what no unit or direction of another allows: that one is then refused.
            let alike = self.quantities[quantity].clone();
            if let Some(cell) = self.cell(&alike, record, &bundle) {
                cells.insert(quantity, Box::new(cell));
            }
        }
        self.cells.push(cells);
        let made = &record.provenance;
        let mut words = format!("{} {}", made.tool, made.version);
        for (what, value) in [("depth", &made.depth), ("started", &made.started)] {
            if let Some(value) = value {
                words += &format!(", {what} {value}");
            }
        }
        if let Some(works) = &mut self.works {
            works.push(explain::works(record));
        }
        let given = name.to_owned();
        let name = made.name.clone().unwrap_or_else(|| name.to_owned());
        self.sides.push(Side {
            name: self.unused(name),
            given,
            spent: Spent::default(),
            model: record.machine.text("cpu.model").map(str::to_owned),
            made: words,
            validity: judgement.validity,
            doubt: judgement.reasons.into_iter().next(),
            drift: drift.map(|d| d.clock_range.max(d.chase_range)),
            measured,
            missing: record
                .runs
                .iter()
                .filter(|r| !matches!(r.outcome, Outcome::Measured(_)))
                .count(),
            traits: Traits::of(made, &record.machine),
            facts: machines::stated(&record.machine),
        });
    }
    /// Compares all records with that of this index; the first where there is no such record.
    pub fn finish(self, baseline: usize) -> Comparison {
        let Gathering { quantities, sides, mut cells, works, .. } = self;
        let baseline = if baseline < sides.len() { baseline } else { 0 };
        nearest::pair(&quantities, &mut cells, baseline);
        let mut held = vec![0_usize; quantities.len()];
        cells.iter().flat_map(BTreeMap::keys).for_each(|quantity| held[*quantity] += 1);
        let alone = cells.iter().map(|c| c.keys().filter(|q| held[**q] == 1).count()).collect();
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
            unlike,
            explained: works.map_or(vec![], |works| explained(&names, &works, baseline)),
            summary: vec![],
        };
        comparison.summary = summary::sentences(&comparison);
        comparison
    }

    /// The number that a quantity has in this gathering.
    fn number(&mut self, quantity: Quantity) -> usize {
        let key = quantity.key();
        if let Some(number) = self.known.get(&key) {
            return *number;
        }
        let number = self.quantities.len();
        self.known.insert(key, number);
        self.quantities.push(Arc::new(quantity));
        number
    }
    /// Two records of one name get numbers.
    fn unused(&self, name: String) -> String {
        let taken = |name: &str| self.sides.iter().any(|s| s.name == name);
        let numbered = (2..).map(|n| format!("{name} ({n})"));
        std::iter::once(name.clone()).chain(numbered).find(|n| !taken(n)).unwrap_or(name)
    }
    fn cell(&mut self, quantity: &Quantity, record: &Record, bundle: &Bundle<'_>) -> Option<Cell> {
        let words = &mut self.words;
        let mut shared = |text: &str| match words.get(text) {
            Some(word) => word.clone(),
            None => words.entry(text.to_owned()).or_insert_with(|| Arc::from(text)).clone(),
        };
        let (run, first, estimate) = *bundle.series.first()?;
        let clean = |series: &Series| {
            let mut values = series.unmarked();
            values.retain(|x| x.is_finite());
            values
        };
        let mut said = (estimate.median, estimate.interval, estimate.states.len());
        // Attempts at one thing are one sample; several pairs or nodes are as many values, one each. Pairs of one relation
        // differ by more than the states of one pair: their median is what is asked for.
        let attempt = |s: &Series| s.at.contains_key("attempt") && !s.at.contains_key("from");
        let repeated = bundle.series.iter().all(|(_, s, _)| attempt(s));
        let values: Vec<f64> = if bundle.series.len() == 1 || repeated {
            bundle.series.iter().flat_map(|(_, s, _)| clean(s)).collect()
        } else {
            bundle.series.iter().map(|(_, _, e)| e.median).collect()
        };
        if bundle.series.len() > 1 {
            let sample = Sample::new(&values)?;
            let states = if repeated { estimate::states(&sample).len() } else { 1 };
            said =
                (sample.median(), sample.median_interval(CONFIDENCE).map(Interval::from), states);
        }
        let (median, interval, states) = said;
        let mut conditions =
            Conditions::of(run, first, &record.machine.topology, states, &mut shared);
        if first.unit != quantity.unit || first.better != quantity.better {
            conditions.meant = false;
        }
        let clocks: Vec<f64> = bundle
            .series
            .iter()
            .filter_map(|(_, s, _)| s.clock.filter(|hz| hz.is_finite() && *hz > 0.0))
            .collect();
        Some(Cell {
            median,
            interval,
            count: values.len(),
            clock: Sample::new(&clocks).map(|s| s.median()),
            conditions,
            standing: Standing::Alone,
            samples: values.iter().copied().step_by(values.len().div_ceil(KEPT)).collect(),
        })
    }
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
