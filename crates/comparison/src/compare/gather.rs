//! Takes from each record what a comparison needs and lets the rest go, so that a thousand records fit in memory.
use super::extract::{Extract, Extractor, Named};
use super::{
    Cell, Comparison, Quantity, Row, Side, Spent, Verdict, beside, curves, groups, halves,
    headlines, judged, machines, nearest, side_by_side, summary, unlike,
};
use crate::explain::{self, Dies, Explanation, Work};
use record::Record;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, btree_map::IntoIter};
use std::iter::Peekable;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Records on their way into a [`Comparison`].
#[derive(Debug, Default)]
pub struct Gathering {
    /// By [`Quantity::key`].
    known: HashMap<String, usize>,
    /// The same by where a extractor holds it, which is looked up sooner; all are held here as well, so that no place is used twice.
    places: HashMap<usize, usize>,
    held: Vec<Arc<Named>>,
    quantities: Vec<Arc<Quantity>>,
    /// The extractor of [`Gathering::add`].
    extractor: Extractor,
    /// Threads that [`Gathering::finish`] may use.
    threads: Option<NonZeroUsize>,
    sides: Vec<Side>,
    /// Names that are taken, with the number up to which there are more of them.
    names: HashMap<String, usize>,
    /// For each record, by quantity.
    cells: Vec<BTreeMap<usize, Box<Cell>>>,
    /// For each record, if it shall be explained.
    works: Option<Vec<Vec<Work>>>,
    dies: Vec<Option<Dies>>,
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
    /// The number of added records.
    pub fn len(&self) -> usize {
        self.sides.len()
    }
    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }
    /// Adds a record under the name that the user knows it by; where the record has a name of its own, that counts.
    pub fn add(&mut self, name: &str, record: &Record) {
        let taken = self.extractor.take(name, record, self.works.is_some());
        self.put(taken);
    }
    /// Adds what was taken of a record; many threads can take ([`Extractor`]), in whatever order, for what counts is the order in
    /// which it is put here.
    pub fn put(&mut self, taken: Extract) {
        let mut cells = BTreeMap::new();
        for found in taken.cells {
            let number = self.number(found.named);
            let alike = &self.quantities[number];
            let mut cell = found.cell;
            // A record may hold what no unit or direction of another allows: that one is then refused.
            if found.meant != (alike.unit, alike.better) {
                Arc::make_mut(&mut cell.conditions).meant = false;
            }
            cells.insert(number, Box::new(cell));
        }
        self.cells.push(cells);
        if let Some(works) = &mut self.works {
            works.push(taken.works);
            self.dies.push(taken.dies);
        }
        let mut side = taken.side;
        side.name = self.unused(side.name);
        self.sides.push(side);
    }
    /// The first record, or that which shares a figure with most of the others where the first does with fewer than half of them;
    /// of several the one with most in common.
    pub fn natural_baseline(&self) -> usize {
        let mut held: HashMap<usize, usize> = HashMap::new();
        self.cells.iter().flat_map(BTreeMap::keys).for_each(|q| *held.entry(*q).or_default() += 1);
        let others = |side: usize| self.cells[side].keys().map(|quantity| held[quantity] - 1);
        let sharing = |side: usize| others(side).max().unwrap_or(0);
        match self.cells.is_empty() || 2 * sharing(0) >= self.cells.len() - 1 {
            true => 0,
            false => (0..self.cells.len())
                .max_by_key(|s| (sharing(*s), others(*s).sum::<usize>(), Reverse(*s)))
                .unwrap_or(0),
        }
    }
    /// Lets [`Gathering::finish`] work on so many threads; what it finds is the same.
    pub fn on_threads(&mut self, threads: NonZeroUsize) {
        self.threads = Some(threads);
    }
    /// Compares all records with that of this index; the first where there is no such record.
    pub fn finish(self, baseline: usize) -> Comparison {
        let Gathering { known, quantities, sides, mut cells, works, dies, threads, .. } = self;
        let threads = threads.map_or(1, NonZeroUsize::get);
        let baseline = if baseline < sides.len() { baseline } else { 0 };
        nearest::pair(&quantities, &mut cells, baseline);
        halves::without_means(&quantities, &known, &mut cells);
        let used = beside::place(&quantities, &mut cells, baseline);
        let unmatched = beside::unmatched(&quantities, &cells, &sides, baseline);
        let mut held = vec![0_usize; quantities.len()];
        cells.iter().flat_map(BTreeMap::keys).for_each(|quantity| held[*quantity] += 1);
        let only = |(of, used): (&BTreeMap<usize, _>, &BTreeSet<usize>)| {
            of.keys().filter(|q| held[**q] == 1 && !used.contains(q)).count()
        };
        let alone = cells.iter().zip(&used).map(only).collect();
        let curves = curves::curves(&quantities, &cells, baseline);
        let mut rows = vec![];
        let mut cells: Vec<_> = cells.into_iter().map(|side| side.into_iter().peekable()).collect();
        for (index, quantity) in quantities.into_iter().enumerate() {
            let next = |side: &mut Peekable<IntoIter<usize, Box<Cell>>>| {
                side.next_if(|(of, _)| *of == index).map(|(_, cell)| cell)
            };
            let taken: Vec<Option<Box<Cell>>> = cells.iter_mut().map(next).collect();
            if held[index] < 2 {
                continue;
            }
            let group = groups::of(&quantity, taken.iter().flatten());
            rows.push(Row { quantity, group, cells: taken });
        }
        groups::sort(&mut rows);
        let unlike: Vec<_> = sides
            .iter()
            .enumerate()
            .map(|(i, side)| match i == baseline {
                true => vec![],
                false => unlike::of_records(&sides[baseline], side),
            })
            .collect();
        judged::judge(&mut rows, &sides, &unlike, baseline, threads);
        let mut verdicts = vec![[0; Verdict::COUNT]; sides.len()];
        for row in &rows {
            for (side, verdicts) in verdicts.iter_mut().enumerate() {
                row.against(side).into_iter().for_each(|a| verdicts[a.verdict as usize] += 1);
            }
        }
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
            families: vec![],
            headlines: vec![],
            beside: vec![],
            not_compared: vec![],
            summary: vec![],
            verdicts,
        };
        comparison.headlines = headlines::headlines(&comparison);
        comparison.beside = side_by_side::beside(&comparison);
        comparison.families = explain::families(&comparison, &dies);
        comparison.not_compared = headlines::not_compared(&comparison);
        comparison.summary = summary::sentences(&comparison);
        comparison
    }

    /// The number that a quantity has in this gathering.
    fn number(&mut self, named: Arc<Named>) -> usize {
        let place = Arc::as_ptr(&named) as usize;
        if let Some(number) = self.places.get(&place) {
            return *number;
        }
        let number = self.known.get(&named.key).copied().unwrap_or_else(|| {
            self.known.insert(named.key.clone(), self.quantities.len());
            self.quantities.push(named.quantity.clone());
            self.quantities.len() - 1
        });
        self.places.insert(place, number);
        self.held.push(named);
        number
    }
    /// Two records of one name get numbers.
    fn unused(&mut self, name: String) -> String {
        let mut free = name.clone();
        let mut number = self.names.get(&name).copied().unwrap_or(1);
        while self.names.contains_key(&free) {
            number += 1;
            free = format!("{name} ({number})");
        }
        self.names.insert(name, number);
        self.names.entry(free.clone()).or_insert(1);
        free
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
