//! Choosing the flat runs: of all ways to cut the curve, the one that covers most of it with nearly flat lines.

use super::Point;
use std::ops::Range;

/// Steepest plateau, as the power of x by which y rises. A third-level cache that creeps from 9.5 to 12.6 ns over
/// its range rises by 0.16; between levels the power is near 1 and above.
const STEEPEST: f64 = 0.25;
/// Farthest a point may lie from its line, as a ratio: four times noise of 2 %.
const FARTHEST: f64 = 0.08;
/// Noise granted to the slope of the run that ends the curve: the standard deviation of a point, as a ratio.
const NOISE: f64 = 0.02;
/// Lines that meet more closely than this, as a ratio, have no knee between them.
const KNEE: f64 = 0.1;
/// The cost of a run, in points on the line: one long run is better than two.
const COST: f64 = 1.8;
/// Fewest points and narrowest range of x, inside the curve and for the run that ends it.
const INSIDE: (usize, f64) = (3, 1.9);
const AT_END: (usize, f64) = (2, 1.4);
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
    joined(runs, &logs)
}

/// Neighbours without a knee between them are one: noise, or a bend, can make a creeping level look like several.
/// Joins runs; what is too steep when joined was a rise in pieces, and is no plateau.
fn joined(runs: Vec<Range<usize>>, logs: &Logs) -> Vec<Range<usize>> {
    // Each with its last piece, whose line is the one to meet.
    let mut joined: Vec<(Range<usize>, Range<usize>)> = Vec::with_capacity(runs.len());
    for run in runs {
        match joined.last_mut() {
            Some((whole, piece))
                if logs.jump(piece, &run) < KNEE || logs.worth(whole.start..run.end).is_some() =>
            {
                whole.end = run.end;
                *piece = run;
            }
            _ => joined.push((run.clone(), run)),
        }
    }
    joined
        .into_iter()
        .filter(|(whole, piece)| whole == piece || logs.line(whole).slope.abs() <= STEEPEST)
        .map(|(whole, _)| whole)
        .collect()
}

/// The curve in logarithms, y smoothed by a running median of three: it takes out a single wild point and leaves
/// every rise where it is.
struct Logs {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Sums of x, y, x² and xy over the first points: what the line through any run is made of.
    sums: Vec<[f64; 4]>,
}

impl Logs {
    fn new(curve: &[Point]) -> Logs {
        // From the first point on: small numbers, so that sums of squares keep their digits.
        let x: Vec<f64> = curve.iter().map(|point| point.x.ln() - curve[0].x.ln()).collect();
        let raw: Vec<f64> = curve.iter().map(|point| point.y.ln()).collect();
        let mut y = raw.clone();
        for (k, around) in raw.windows(3).enumerate() {
            let (a, b, c) = (around[0], around[1], around[2]);
            y[k + 1] = a.max(b).min(a.min(b).max(c));
        }
        let mut sums = vec![[0.0; 4]];
        let mut sum = [0.0; 4];
        for (x, y) in x.iter().zip(&y) {
            for (sum, term) in sum.iter_mut().zip([*x, *y, x * x, x * y]) {
                *sum += term;
            }
            sums.push(sum);
        }
        Logs { x, y, sums }
    }

    /// The line of least squares through a run of two or more points.
    fn line(&self, run: &Range<usize>) -> Line {
        let [x, y, xx, xy] =
            std::array::from_fn(|k| self.sums[run.end][k] - self.sums[run.start][k]);
        let n = run.len() as f64;
        let (mean_x, mean_y) = (x / n, y / n);
        let spread_x = xx - x * mean_x;
        let slope = (xy - x * mean_y) / spread_x;
        Line { mean_x, mean_y, slope, spread_x }
    }

    /// The distance of the lines of two neighbours, half-way between them.
    fn jump(&self, left: &Range<usize>, right: &Range<usize>) -> f64 {
        let middle = (self.x[left.end - 1] + self.x[right.start]) / 2.0;
        (self.line(left).at(middle) - self.line(right).at(middle)).abs()
    }

    /// The worth of this run: up to 1 for each point, less the farther it lies from the line and the steeper the line
    /// is. `None` if it is no plateau.
    fn worth(&self, run: Range<usize>) -> Option<f64> {
        let ends_curve = run.end == self.x.len();
        let ((fewest, narrowest), cost, noise) =
            if ends_curve { (AT_END, COST_AT_END, 1.5 * NOISE) } else { (INSIDE, COST, 0.0) };
        if run.len() < fewest || self.x[run.end - 1] - self.x[run.start] < narrowest.ln() {
            return None;
        }
        let line = self.line(&run);
        let steepness = (line.slope.abs() - noise / line.spread_x.sqrt()).max(0.0) / STEEPEST;
        if steepness > 1.0 {
            return None;
        }
        let mut worth = -cost;
        for k in run {
            let distance = ((self.y[k] - line.at(self.x[k])) / FARTHEST).abs();
            if distance > 1.0 {
                return None;
            }
            worth += 1.0 - distance * distance - steepness * steepness;
        }
        Some(worth)
    }
}

struct Line {
    mean_x: f64,
    mean_y: f64,
    slope: f64,
    /// Sum of squares of x around its mean: how well the slope is known.
    spread_x: f64,
}

impl Line {
    fn at(&self, x: f64) -> f64 {
        self.mean_y + self.slope * (x - self.mean_x)
    }
}
