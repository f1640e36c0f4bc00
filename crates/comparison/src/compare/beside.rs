//! Ours beside other tools' figures: where one record was measured by this program and another holds what a tool printed, ours
//! of the same definition is set into the tool's row, in the tool's terms, and marked (`equivalent`).
use super::judged::Spread;
use super::{Cell, Quantity, Side, Standing};
use crate::equivalent::{self, Crowd, Equivalent};
use crate::say;
use record::{Metric, ProbeId, Reason, param};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

type Cells = BTreeMap<usize, Box<Cell>>;

/// Figures of another tool that nothing of ours stands beside, and why.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Unmatched {
    /// The record that holds them.
    pub side: usize,
    /// The one that has none.
    pub without: usize,
    /// The tool.
    pub tool: String,
    /// The number of figures.
    pub figures: usize,
    /// The reason, and the remedy.
    #[serde(flatten)]
    pub why: Reason,
}

/// Sets ours beside theirs, where one of the two is the baseline. Returns, for each record, those of its quantities that now
/// stand beside another.
pub(super) fn place(
    quantities: &[Arc<Quantity>],
    cells: &mut [Cells],
    baseline: usize,
) -> Vec<BTreeSet<usize>> {
    let mut used = vec![BTreeSet::new(); cells.len()];
    let mut ours: HashMap<(ProbeId, Metric), Vec<usize>> = HashMap::new();
    for (index, quantity) in quantities.iter().enumerate().filter(|(_, q)| !q.foreign) {
        ours.entry((quantity.probe, quantity.metric)).or_default().push(index);
    }
    if ours.is_empty() || ours.values().map(Vec::len).sum::<usize>() == quantities.len() {
        return used;
    }
    for (index, theirs) in quantities.iter().enumerate().filter(|(_, q)| q.foreign) {
        let rows: Vec<&Equivalent> =
            equivalent::of(theirs.probe, theirs.metric, &theirs.at).collect();
        if rows.is_empty() {
            continue;
        }
        let in_baseline = cells.get(baseline).is_some_and(|c| c.contains_key(&index));
        let targets: Vec<usize> = match in_baseline {
            true => (0..cells.len()).filter(|side| *side != baseline).collect(),
            false => vec![baseline],
        };
        let holder = || cells.iter().position(|side| side.contains_key(&index));
        let holder = if in_baseline { Some(baseline) } else { holder() };
        let Some(there) = holder.and_then(|side| cells[side].get(&index)).map(|c| crowd(c)) else {
            continue;
        };
        for side in targets {
            if cells[side].contains_key(&index) {
                continue;
            }
            let found = rows.iter().find_map(|row| {
                let all = row.ours.probes.iter().filter_map(|id| ours.get(&(*id, row.ours.metric)));
                let one = all.flatten().copied().find(|own| {
                    let (q, cell) = (&quantities[*own], cells[side].get(own));
                    let named = (q.probe, q.metric, &q.at);
                    cell.is_some_and(|cell| row.is_ours(named, &theirs.at, (crowd(cell), there)))
                })?;
                Some((*row, one))
            });
            if let Some((row, own)) = found {
                let terms = |cell: &Cell| in_their_terms(row, &quantities[own], theirs, cell);
                if let Some(cell) = cells[side].get(&own).map(|cell| terms(cell)) {
                    cells[side].insert(index, Box::new(cell));
                    used[side].insert(own);
                }
            }
        }
    }
    used
}

fn crowd(cell: &Cell) -> Crowd {
    let of = &cell.conditions;
    Crowd { cpus: of.cpus, cores: of.cores, whole: of.whole }
}

/// Our value as the tool would print it.
fn in_their_terms(
    row: &'static Equivalent,
    ours: &Quantity,
    theirs: &Quantity,
    cell: &Cell,
) -> Cell {
    let mut conditions = (*cell.conditions).clone();
    conditions.equivalent = Some(row);
    conditions.meant &= (ours.unit, ours.better) == (theirs.unit, theirs.better);
    if let Some(threads) = row.threads(&ours.at, crowd(cell)) {
        conditions.cpus = threads;
        conditions.cores = if threads == 1 { 1 } else { conditions.cores };
    }
    let [least, most] = cell.spread.ends;
    let value = row.value([least, cell.median, most]);
    // What is the least or the most of a few samples has a spread that nobody knows.
    let middle = value == cell.median;
    Cell {
        median: value,
        interval: cell.interval.filter(|_| middle),
        modes: cell.modes.clone().filter(|_| middle),
        spread: if middle { cell.spread } else { Spread { repeat: None, ends: [value; 2] } },
        conditions: Arc::new(conditions),
        standing: Standing::Alone,
        ..cell.clone()
    }
}

/// Figures of others without one of ours beside them, between the baseline and each other record.
pub(super) fn unmatched(
    quantities: &[Arc<Quantity>],
    cells: &[Cells],
    sides: &[Side],
    baseline: usize,
) -> Vec<Unmatched> {
    let mut found: BTreeMap<(usize, usize, String, String), Unmatched> = BTreeMap::new();
    for other in (0..sides.len()).filter(|side| *side != baseline) {
        let (side, without) = match (sides[baseline].foreign(), sides[other].foreign()) {
            (true, false) => (baseline, other),
            (false, true) => (other, baseline),
            _ => continue,
        };
        for index in cells[side].keys() {
            let quantity = &quantities[*index];
            if !quantity.foreign || cells[without].contains_key(index) {
                continue;
            }
            let tool = param::TOOL
                .value(&quantity.at)
                .map_or_else(|| quantity.probe.to_string(), ToString::to_string);
            let why = why(quantity);
            let entry = found
                .entry((side, without, tool.clone(), why.why.to_string()))
                .or_insert(Unmatched { side, without, tool, figures: 0, why });
            entry.figures += 1;
        }
    }
    found.into_values().collect()
}

fn why(theirs: &Quantity) -> Reason {
    if let Some(row) = equivalent::of(theirs.probe, theirs.metric, &theirs.at).next() {
        return Reason::mended_by(say::WHY_NOT_MEASURED_HERE, row.command.as_str());
    }
    let served = || matches!(param::TEST.of(&theirs.at), Some("oltp" | "tpcc"));
    let database = theirs.probe == ProbeId::Tpcc || theirs.probe == ProbeId::Sysbench && served();
    if database && !param::CORES.is_in(&theirs.at) {
        return Reason::mended_by(say::WHY_CORES_UNKNOWN, say::REMEDY_SAME_SERVER);
    }
    if let Some(why) = param::FOREIGN.value(&theirs.at) {
        return Reason::new(why.to_string());
    }
    Reason::mended_by(say::WHY_NO_SERIES, say::REMEDY_RUN_THAT_TOOL)
}
