//! One quantity along one coordinate in several records: also where their points do not coincide, which rows cannot show.
use super::{Cell, Quantity};
use record::{Metric, ProbeId, Sort, Unit, Value};
use stats::Interval;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Curves of one quantity, one for each record.
#[derive(Debug, Clone, serde::Serialize)]
pub struct CurveSet {
    /// The probe's id.
    pub probe: ProbeId,
    /// The metric.
    pub metric: Metric,
    /// Unit of the heights.
    pub unit: Unit,
    /// The coordinate that it runs along.
    pub axis: &'static str,
    /// The other parameters and coordinates.
    pub at: BTreeMap<String, Value>,
    /// Records that have it.
    pub records: usize,
    /// By record; empty where it has none, and held of the first 50 that have one and of the baseline.
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
/// No picture shows more lines, and those of a thousand records would be a tenth of all that a comparison holds.
const HELD: usize = 50;

/// A point before it is known whose: a quantity by its number, and the coordinate; nothing where that is the number of threads.
type Place = (usize, Option<f64>);
/// The properties that all points of a curve share.
type Key = (ProbeId, Metric, Vec<String>);

/// The curves that at least two records have.
pub(super) fn curves(
    quantities: &[Arc<Quantity>],
    cells: &[BTreeMap<usize, Box<Cell>>],
    baseline: usize,
) -> Vec<CurveSet> {
    let mut sets: BTreeMap<Key, (CurveSet, Vec<Place>)> = BTreeMap::new();
    for (index, quantity) in quantities.iter().enumerate() {
        // A scaling run's steps are many threads on one machine and few on another, under one name.
        let steps =
            matches!(quantity.probe, ProbeId::ScalingRun | ProbeId::PointSelect | ProbeId::Tpcc);
        let scaled = steps && quantity.metric == Metric::Throughput;
        let (axis, x) = match quantity.along() {
            Some((axis, x)) => (axis, Some(x).filter(|_| !scaled)),
            None if scaled => ("threads", None),
            None => continue,
        };
        let mut at = quantity.at.clone();
        at.remove(axis);
        if scaled {
            at.remove("step");
        }
        let rest: Vec<String> = at.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let new = || CurveSet {
            probe: quantity.probe,
            metric: quantity.metric,
            unit: quantity.unit,
            axis,
            at,
            records: 0,
            lines: vec![],
        };
        let set = sets.entry((quantity.probe, quantity.metric, rest));
        set.or_insert_with(|| (new(), vec![])).1.push((index, x));
    }
    let filled = |(mut set, places): (CurveSet, Vec<Place>)| {
        let mut curves = 0;
        for (number, side) in cells.iter().enumerate() {
            let mut line = line(&places, side);
            curves += usize::from(line.len() >= POINTS);
            set.records += usize::from(!line.is_empty());
            if set.records > HELD && number != baseline {
                line = vec![];
            }
            set.lines.push(line);
        }
        (curves > 1).then_some(set)
    };
    sets.into_values().filter_map(filled).collect()
}

/// The points of a record.
fn line(places: &[Place], side: &BTreeMap<usize, Box<Cell>>) -> Vec<CurveAt> {
    let at = |(index, x): &Place| {
        let cell = side.get(index).filter(|cell| cell.conditions.meant)?;
        let x = x.unwrap_or(cell.conditions.cpus as f64);
        Some(CurveAt { x, y: cell.median, interval: cell.interval })
    };
    let mut line: Vec<CurveAt> = places.iter().filter_map(at).collect();
    line.order_by(|a, b| a.x.total_cmp(&b.x));
    line.dedup_by(|a, b| a.x == b.x);
    line
}
