//! Choosing the flat runs: of all ways to cut the curve, the one that covers most of it with nearly flat lines.

use super::Point;
use std::ops::Range;

/// Steepest plateau, as the power of x by which y rises. A third-level cache that creeps from 9.5 to 12.6 ns over
/// its range rises by 0.16; between levels the power is near 1 and above.
const STEEPEST: f64 = 0.25;
/// Farthest a point may lie from its line, as a ratio: four times noise of 2 %.
const FARTHEST: f64 = 0.08;
/// Noise granted to slopes: the standard deviation of a point, as a ratio.
const NOISE: f64 = 0.02;
/// What a run must earn before it is worth being one, in points on the line. Makes one long run better than two.
const COST: f64 = 1.8;
/// Fewest points and narrowest range of x, inside the curve and for the run that ends it.
const INSIDE: (usize, f64) = (3, 1.4);
const AT_END: (usize, f64) = (2, 1.15);
/// The run that ends the curve costs less, or two points could never earn it.
const COST_AT_END: f64 = 1.0;

/// The runs, as ranges of indices into the curve, which must be sorted by x without doubles.
pub(super) fn flat_runs(curve: &[Point]) -> Vec<Range<usize>> {
    let n = curve.len();
    let logs = Logs::new(curve);
    // best[end]: the most that the first `end` points can earn, and the start of the run that ends there, if one does.
    let mut best: Vec<(f64, Option<usize>)> = vec![(0.0, None); n + 1];
    for end in 1..=n {
        best[end] = (best[end - 1].0, None);
        for start in 0..end {
            if let Some(worth) = logs.worth(start..end) {
                let total = best[start].0 + worth;
                if total > best[end].0 {
                    best[end] = (total, Some(start));
                }
            }
        }
    }
    let mut runs = Vec::new();
    let mut end = n;
    while end > 0 {
        match best[end].1 {
            Some(start) => {
                runs.push(start..end);
                end = start;
            }
            None => end -= 1,
        }
    }
    runs.reverse();
    runs
}

/// The curve in logarithms, y smoothed by a running median of three: it takes out a single wild point and leaves
/// every rise where it is.
struct Logs {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Logs {
    fn new(curve: &[Point]) -> Logs {
        let x = curve.iter().map(|point| point.x.ln()).collect();
        let raw: Vec<f64> = curve.iter().map(|point| point.y.ln()).collect();
        let mut y = raw.clone();
        for (k, around) in raw.windows(3).enumerate() {
            let (a, b, c) = (around[0], around[1], around[2]);
            y[k + 1] = a.max(b).min(a.min(b).max(c));
        }
        Logs { x, y }
    }

    /// What this run earns: up to 1 for each point, less the farther it lies from the line and the steeper the line
    /// is. `None` if it is no plateau.
    fn worth(&self, run: Range<usize>) -> Option<f64> {
        let ends_curve = run.end == self.x.len();
        let (fewest, narrowest) = if ends_curve { AT_END } else { INSIDE };
        let (x, y) = (&self.x[run.clone()], &self.y[run.clone()]);
        if x.len() < fewest || x[x.len() - 1] - x[0] < narrowest.ln() - 1e-9 {
            return None;
        }
        let n = x.len() as f64;
        let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
        let spread_x: f64 = x.iter().map(|x| (x - mean_x).powi(2)).sum();
        let slope =
            x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / spread_x;
        let steepness = (slope.abs() - 1.5 * NOISE / spread_x.sqrt()).max(0.0) / STEEPEST;
        if steepness > 1.0 {
            return None;
        }
        let mut worth = -if ends_curve { COST_AT_END } else { COST };
        for (x, y) in x.iter().zip(y) {
            let distance = ((y - mean_y - slope * (x - mean_x)) / FARTHEST).abs();
            if distance > 1.0 {
                return None;
            }
            worth += 1.0 - distance * distance - steepness * steepness;
        }
        Some(worth)
    }
}
