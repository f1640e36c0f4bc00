//! Values per pair of CPUs: what is typical of each class, and which CPUs hang together whatever the machine states.
use crate::analysis::{Analysis, Entry};
use crate::estimate::{Estimate, STATE_RATIO, State};
use crate::groups::by_key;
use crate::report::Report;
use crate::say;
use record::{CpuSet, Metric, OrWhy, ProbeId, Reason, Relation, Relations, Sort, Unit, param};
use stats::cluster;
use std::collections::BTreeSet;

/// Values per pair of CPUs.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Matrix {
    /// Index into `record.runs`.
    pub run: usize,
    /// The metric, such as `round_trip`.
    pub metric: Metric,
    /// Unit of the cells.
    pub unit: Unit,
    /// Row and column headings, ascending.
    pub cpus: Vec<u32>,
    /// The measured pairs, `from < to`.
    pub cells: Vec<Cell>,
    /// Pairs that those CPUs have.
    pub pairs: usize,
    /// The cells by what their CPUs are stated to share, nearest first.
    pub classes: Vec<Class>,
    /// Groups of CPUs that hang together as measured, tightest first; nothing found is an empty list.
    pub clusters: Result<Vec<Cluster>, Reason>,
}

/// Pairs whose CPUs are stated to share the same.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Class {
    /// Their relation, as in [`Cell::relation`].
    pub relation: String,
    /// Measured pairs.
    pub pairs: usize,
    /// Those seen in more than one state.
    pub split: usize,
    /// The fastest, the middle and the slowest pair.
    pub fastest: Cell,
    /// Median of the pairs' medians, in the matrix's unit.
    pub median: f64,
    /// See `fastest`.
    pub slowest: Cell,
}

/// A way in which the CPUs fall into groups: near inside, far between.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cluster {
    /// The groups.
    pub groups: Vec<CpuSet>,
    /// Median of the pairs inside groups, in the matrix's unit.
    pub within: f64,
    /// Median of the pairs between groups, in the matrix's unit.
    pub between: f64,
    /// The stated part of the machine that divides these CPUs in the same way; `None` where there is none.
    pub stated: Option<String>,
}

/// One pair.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cell {
    /// First CPU.
    pub from: u32,
    /// Second CPU.
    pub to: u32,
    /// Median, in the matrix's unit; where there are several states, that of the one seen most often.
    pub median: f64,
    /// Levels more than 1.5x apart; with more than one it has no single value.
    pub states: Vec<State>,
    /// Levels in other placements of the CPUs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<State>,
    /// The relation of the two CPUs, such as `SMT siblings`, `same L3`, `same node`, `other socket`.
    pub relation: String,
}

impl Cell {
    /// All levels, in whatever placement.
    pub fn levels(&self) -> impl Iterator<Item = &State> {
        self.states.iter().chain(&self.elsewhere)
    }
}

pub static ANALYSIS: Entry = Entry::of::<Vec<Matrix>>();

impl Analysis for Vec<Matrix> {
    const TITLE: &str = "Values per pair of CPUs.";
    const ORDER: u16 = 40;
    /// One matrix for each run of the probe `core_to_core`, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        let (record, estimates) = (report.record, report.own());
        let relations = Relations::of(&record.machine.topology);
        let pairs = estimates.iter().filter(|e| e.probe == ProbeId::CoreToCore);
        let runs = by_key(pairs, |e| (e.run, e.metric));
        // Of many CPUs only some pairs are measured; imported matrices have no place.
        let planned = |run: usize| record.runs.get(run).map_or(0, |r| r.case.place.cpus.len());
        let of = |((run, _), all): ((usize, _), Vec<&Estimate>)| {
            matrix(run, planned(run), &all, &relations)
        };
        runs.into_iter().filter_map(of).collect()
    }
}

fn matrix(
    run: usize,
    planned: usize,
    estimates: &[&Estimate],
    relations: &Relations,
) -> Option<Matrix> {
    let by_pair = record::groups(estimates.iter().filter_map(|e| {
        let (a, b) = (param::FROM.of(&e.at)?, param::TO.of(&e.at)?);
        (a != b).then_some(((a.min(b), a.max(b)), *e))
    }));
    let cell = |((from, to), of): (&(u32, u32), &Vec<&Estimate>)| {
        let states = merged(of.iter().flat_map(|e| &e.states));
        let elsewhere = merged(of.iter().flat_map(|e| &e.elsewhere));
        let often = states.iter().max_by_key(|s| s.count);
        let median = match &states[..] {
            [_] | [] => of.last().map_or(f64::NAN, |e| e.median),
            _ => often.map_or(f64::NAN, |s| s.level),
        };
        let relation = relations.between(*from, *to).name().to_owned();
        Cell { from: *from, to: *to, median, states, elsewhere, relation }
    };
    let cells: Vec<Cell> = by_pair.iter().map(cell).collect();
    let cpus: BTreeSet<u32> = cells.iter().flat_map(|c| [c.from, c.to]).collect();
    let cpus: Vec<u32> = cpus.into_iter().collect();
    let first = estimates.first()?;
    let all = planned.max(cpus.len());
    Some(Matrix {
        run,
        metric: first.metric,
        unit: first.unit,
        pairs: all * all.saturating_sub(1) / 2,
        classes: classes(&cells),
        clusters: clusters(&cpus, &cells, relations),
        cpus,
        cells,
    })
}

/// States of several series together: levels nearer than the ratio that tells states apart are one, and the level of
/// the one seen more often.
fn merged<'a>(states: impl Iterator<Item = &'a State>) -> Vec<State> {
    let mut all: Vec<State> = states.copied().collect();
    all.order_by(|a, b| a.level.total_cmp(&b.level));
    let mut merged: Vec<State> = vec![];
    for state in all {
        match merged.last_mut().filter(|last| state.level <= last.level * STATE_RATIO) {
            Some(last) => {
                let level = if state.count > last.count { state.level } else { last.level };
                *last = State { level, count: last.count + state.count };
            }
            None => merged.push(state),
        }
    }
    merged
}

fn classes(cells: &[Cell]) -> Vec<Class> {
    let class = |relation: Relation| {
        let of: Vec<&Cell> = cells.iter().filter(|c| c.relation == relation.name()).collect();
        Some(Class {
            relation: relation.name().to_owned(),
            pairs: of.len(),
            split: of.iter().filter(|c| c.states.len() > 1).count(),
            median: stats::median_of(of.iter().map(|c| c.median))?,
            fastest: of.iter().copied().min_by(|a, b| a.median.total_cmp(&b.median))?.clone(),
            slowest: of.iter().copied().max_by(|a, b| a.median.total_cmp(&b.median))?.clone(),
        })
    };
    Relation::ALL.into_iter().filter_map(class).collect()
}

/// The groups that distances alone show, each compared with what the machine states.
fn clusters(cpus: &[u32], cells: &[Cell], relations: &Relations) -> Result<Vec<Cluster>, Reason> {
    let place = |cpu: u32| cpus.binary_search(&cpu).unwrap_or(cpus.len());
    let distances: Vec<_> = cells.iter().map(|c| (place(c.from), place(c.to), c.median)).collect();
    if cpus.len() < 3 {
        return Err(Reason::mended_by(say::TWO_CPUS_TOGETHER, say::ALLOW_MORE_CPUS));
    }
    let levels = cluster::levels(cpus.len(), &distances)
        .or_why(say::NOT_EVERY_PAIR, "cpulens run --only core_to_core --all-pairs")?;
    let named = |level: cluster::Level| {
        let set = |group: &Vec<usize>| group.iter().filter_map(|i| cpus.get(*i).copied()).collect();
        let groups: Vec<CpuSet> = level.groups.iter().map(set).collect();
        let stated = Relation::ALL
            .into_iter()
            .filter(|r| *r < Relation::Apart)
            .find(|r| divided(cpus, *r, relations) == groups)
            .map(|r| r.name().to_owned());
        Cluster { groups, within: level.within, between: level.between, stated }
    };
    Ok(levels.into_iter().map(named).collect())
}

/// The CPUs by what they share, that relation or a nearer one; groups by their smallest member.
fn divided(cpus: &[u32], by: Relation, relations: &Relations) -> Vec<CpuSet> {
    let mut groups: Vec<Vec<u32>> = vec![];
    for cpu in cpus {
        match groups.iter_mut().find(|g| relations.between(g[0], *cpu) <= by) {
            Some(group) => group.push(*cpu),
            None => groups.push(vec![*cpu]),
        }
    }
    groups.into_iter().map(|g| g.into_iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Cache, CacheKind, Cpu, Record, Series, Unit};

    /// So many CPUs, caches of so many, and each pair's round trips in nanoseconds.
    fn of(count: u32, cache: u32, samples: &dyn Fn(u32, u32) -> Vec<f64>) -> Matrix {
        let mut record = example::empty();
        let topology = &mut record.machine.topology;
        for id in 0..count {
            let siblings = [id].into_iter().collect();
            topology.cpus.push(Cpu {
                id,
                online: true,
                package: Some(0),
                siblings,
                ..Cpu::default()
            });
        }
        for first in (0..count).step_by(cache as usize) {
            topology.caches.push(Cache {
                level: 3,
                kind: CacheKind::Unified,
                bytes: None,
                line: None,
                ways: None,
                cpus: (first..first + cache).collect(),
            });
        }
        let mut all = vec![];
        for from in 0..count {
            for to in from + 1..count {
                let mut s = Series::new(Metric::RoundTrip, Unit::Seconds, Better::Lower)
                    .at(param::FROM, from)
                    .at(param::TO, to);
                s.samples = samples(from, to).iter().map(|ns| ns / 1e9).collect();
                all.push(s);
            }
        }
        example::measured(&mut record, "core_to_core", &[("method", "cas")], all);
        Vec::<Matrix>::compute(&Report::new(&record)).remove(0)
    }
    fn near_far(size: u32) -> impl Fn(u32, u32) -> Vec<f64> {
        move |a, b| vec![if a / size == b / size { 50.0 } else { 240.0 }; 3]
    }

    #[test]
    fn groups_are_compared_with_what_is_stated() {
        let hidden = of(8, 8, &near_far(4));
        let found = &hidden.clusters.unwrap()[0];
        let groups: Vec<String> = found.groups.iter().map(CpuSet::to_string).collect();
        assert_eq!((groups.join(" "), &found.stated), ("0-3 4-7".to_owned(), &None));
        let honest = of(8, 4, &near_far(4));
        assert_eq!(honest.clusters.unwrap()[0].stated.as_deref(), Some("same L3"));
        assert!(of(8, 8, &near_far(8)).clusters.unwrap().is_empty());
        assert!(of(2, 2, &near_far(2)).clusters.is_err());
    }

    #[test]
    fn classes_count_their_pairs_and_name_the_ends() {
        let matrix = of(8, 4, &near_far(4));
        let classes: Vec<_> = matrix.classes.iter().map(|c| (&c.relation[..], c.pairs)).collect();
        assert_eq!(classes, [("same L3", 12), ("same socket", 16)]);
        let far = &matrix.classes[1];
        assert_eq!((far.median, far.fastest.from, far.slowest.median), (240e-9, 0, 240e-9));
        assert_eq!((matrix.pairs, matrix.cells.len()), (28, 28));
    }

    /// Pairs of which no CPU was measured are pairs, too.
    #[test]
    fn a_sample_is_one_of_all_pairs_that_the_case_has() {
        let mut record = example::empty();
        let pair = |from: u32, to: u32| {
            let s = Series::new(Metric::RoundTrip, Unit::Seconds, Better::Lower);
            Series { samples: vec![1e-7; 3], ..s.at(param::FROM, from).at(param::TO, to) }
        };
        example::measured(&mut record, "core_to_core", &[], vec![pair(0, 1), pair(4, 900)]);
        let pairs = |record: &Record| {
            let matrix = Vec::<Matrix>::compute(&Report::new(record)).remove(0);
            (matrix.pairs, matrix.cells.len())
        };
        record.runs[0].case.place.cpus = (0..1024).collect();
        assert_eq!(pairs(&record), (523_776, 2));
        // Imported matrices have no place.
        record.runs[0].case.place.cpus = CpuSet::default();
        assert_eq!(pairs(&record), (6, 2));
    }

    /// Between 50 and 250 there is nothing: not the mean of two states, and not their median.
    #[test]
    fn two_states_are_reported_as_two_and_never_averaged() {
        let even = |_: u32, _: u32| vec![50.0, 51.0, 250.0, 251.0];
        let cell = &of(2, 2, &even).cells[0];
        assert_eq!(cell.states.len(), 2);
        assert!(cell.states.iter().any(|s| s.level == cell.median), "{cell:?}");
        let often = |_: u32, _: u32| vec![50.0, 50.0, 250.0, 250.0, 250.0];
        let cell = &of(2, 2, &often).cells[0];
        assert_eq!(cell.states.iter().map(|s| s.count).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(cell.median, 250e-9);
    }
}
