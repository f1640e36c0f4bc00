//! Levels of a latency curve: the flat runs, the knees between them, and which cache each belongs to.

mod assign;
mod segment;

pub use assign::assign;

use crate::order;

/// One measurement of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where, for example the working set in bytes; positive.
    pub x: f64,
    /// What was measured there, for example seconds per load; positive.
    pub y: f64,
}

/// A run of points on which the curve is flat, or nearly so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plateau {
    /// Smallest x on it.
    pub from: f64,
    /// Largest x on it.
    pub to: f64,
    /// Median y.
    pub level: f64,
    /// How many different x are on it.
    pub points: usize,
    /// (largest y − smallest y) / median y. Noise of 2 % gives some 0.08; more is a level that creeps.
    pub spread: f64,
}

/// What [`find`] found, from small x to large.
///
/// ```
/// use stats::plateau::{Point, find};
/// let curve: Vec<Point> = (13..24).map(|k| Point {
///     x: f64::from(1 << k),
///     y: if k < 16 { 1.0 } else { 3.0 },
/// }).collect();
/// let levels = find(&curve);
/// assert_eq!(levels.plateaus.len(), 2);
/// assert_eq!((levels.plateaus[0].level, levels.plateaus[1].level), (1.0, 3.0));
/// assert!(levels.knees[0] > 32_768.0 && levels.knees[0] < 65_536.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels {
    /// The flat runs.
    pub plateaus: Vec<Plateau>,
    /// Between each plateau and the next, the x at which the curve crosses the geometric mean of the two levels:
    /// one fewer than plateaus.
    pub knees: Vec<f64>,
}

/// Flat runs of a curve that is flat, or creeps, between steps: x and y are taken as ratios, as on paper with two
/// logarithmic axes.
///
/// A run is a plateau when it has 3 points over a factor of 1.4 in x, rises by less than the power 0.25 of x, and no
/// point is farther than 8 % from its line; at the end of the curve 2 points over a factor of 1.15 do, for
/// memory is often measured at few sizes. Runs are chosen to cover as much as they can, so a creeping level stays
/// whole. What is steeper is a knee and belongs to no plateau; a curve that only climbs has none. A plateau that
/// climbs all along says so by its `spread`. A step *inside* a cache level, as at the reach of a TLB, makes two
/// plateaus, for that is what the curve shows: [`assign`] knows better.
///
/// Points in any order; several at one x count as their median; those not positive and finite are left out.
pub fn find(points: &[Point]) -> Levels {
    let curve = curve(points);
    let plateaus: Vec<Plateau> = segment::flat_runs(&curve)
        .into_iter()
        .map(|run| plateau(&curve[run.start..run.end]))
        .collect();
    let knees = plateaus.windows(2).map(|pair| knee(&curve, &pair[0], &pair[1])).collect();
    Levels { plateaus, knees }
}

/// Sorted by x, one point for each.
fn curve(points: &[Point]) -> Vec<Point> {
    let usable = |value: f64| value.is_finite() && value > 0.0;
    let mut sorted: Vec<Point> =
        points.iter().copied().filter(|p| usable(p.x) && usable(p.y)).collect();
    sorted.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
    sorted
        .chunk_by(|a, b| a.x == b.x)
        .map(|same| Point { x: same[0].x, y: median_y(same) })
        .collect()
}

fn median_y(points: &[Point]) -> f64 {
    order::median_unsorted(&mut points.iter().map(|point| point.y).collect::<Vec<_>>())
}

fn plateau(run: &[Point]) -> Plateau {
    let level = median_y(run);
    let (low, high) = run
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), point| (low.min(point.y), high.max(point.y)));
    Plateau {
        from: run[0].x,
        to: run[run.len() - 1].x,
        level,
        points: run.len(),
        spread: (high - low) / level,
    }
}

/// Where the curve crosses half the way, in ratios, between the two: interpolated between the points around it.
fn knee(curve: &[Point], before: &Plateau, after: &Plateau) -> f64 {
    let half = (before.level * after.level).sqrt();
    let rising = after.level >= before.level;
    let between = curve.iter().filter(|point| point.x >= before.to && point.x <= after.from);
    let mut last: Option<&Point> = None;
    for point in between {
        let crossed = if rising { point.y >= half } else { point.y <= half };
        match last {
            Some(last) if crossed => {
                let rise = (point.y / last.y).ln();
                let share =
                    if rise == 0.0 { 0.5 } else { ((half / last.y).ln() / rise).clamp(0.0, 1.0) };
                return last.x * (point.x / last.x).powf(share);
            }
            _ => last = Some(point),
        }
    }
    (before.to * after.from).sqrt()
}
