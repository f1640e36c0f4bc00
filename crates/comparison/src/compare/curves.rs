//! One quantity along one coordinate in several records: also where their points do not coincide, which rows cannot show.
use super::{Cell, Quantity};
use record::{Metric, ProbeId, Unit, Value};
use stats::Interval;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Curves of one quantity, one for each record.
#[derive(Debug, Clone, serde::Serialize)]
pub struct CurveSet {
    /// The probe's id.
    pub probe: ProbeId,
    /// What was observed.
    pub metric: Metric,
    /// Unit of the heights.
    pub unit: Unit,
    /// The coordinate that it runs along.
    pub axis: &'static str,
    /// The other parameters and coordinates.
    pub at: BTreeMap<String, Value>,
    /// By record; empty where it has none.
    pub lines: Vec<Vec<CurveAt>>,
}

/// One point.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct CurveAt {
    /// The coordinate.
    pub x: f64,
    /// The median.
    pub y: f64,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
}

/// Fewer points are no curve.
const POINTS: usize = 3;

/// The curves that at least two records have.
pub(super) fn curves(
    quantities: &[Arc<Quantity>],
    cells: &[BTreeMap<usize, Box<Cell>>],
) -> Vec<CurveSet> {
    let mut sets: BTreeMap<(ProbeId, Metric, Vec<String>), CurveSet> = BTreeMap::new();
    for (index, quantity) in quantities.iter().enumerate() {
        // A scaling run's steps are many threads on one machine and few on another, under one name.
        let steps =
            matches!(quantity.probe, ProbeId::ScalingRun | ProbeId::PointSelect | ProbeId::Tpcc);
        let scaled = steps && quantity.metric == Metric::Throughput;
        let (axis, x) = match quantity.along() {
            Some(along) => along,
            None if scaled => ("threads", 0.0),
            None => continue,
        };
        let mut at = quantity.at.clone();
        at.remove(axis);
        if scaled {
            at.remove("step");
        }
        let rest: Vec<String> = at.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let set = sets.entry((quantity.probe, quantity.metric, rest)).or_insert_with(|| CurveSet {
            probe: quantity.probe,
            metric: quantity.metric,
            unit: quantity.unit,
            axis,
            at,
            lines: vec![vec![]; cells.len()],
        });
        for (line, side) in set.lines.iter_mut().zip(cells) {
            line.extend(side.get(&index).filter(|cell| cell.conditions.meant).map(|cell| {
                CurveAt {
                    x: if scaled { cell.conditions.cpus as f64 } else { x },
                    y: cell.median,
                    interval: cell.interval,
                }
            }));
        }
    }
    let mut sets: Vec<CurveSet> = sets.into_values().collect();
    for set in &mut sets {
        for line in &mut set.lines {
            line.sort_by(|a, b| a.x.total_cmp(&b.x));
            line.dedup_by(|a, b| a.x == b.x);
        }
    }
    sets.retain(|set| set.lines.iter().filter(|line| line.len() >= POINTS).count() > 1);
    sets
}
