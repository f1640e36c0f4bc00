//! Growth of throughput with the number of processors: Gunther's universal scalability law, with intervals.
//!
//! X(n) = γ n / (1 + σ (n − 1) + κ n (n − 1)): γ is what one does, σ the share that waits its turn (contention), κ the
//! cost of agreeing with all others (coherency). With κ the curve falls again beyond the knee √((1 − σ) / κ). Source:
//! N. Gunther, Guerrilla Capacity Planning, chapter 4. Coverage by simulation: `tests/promise/scalability.rs`.
use crate::distribution::student_two_sided;
use crate::{Interval, Sample};

/// A count of processors and the throughput that was seen with it; repetitions are points of their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Processors, 1 or more.
    pub count: f64,
    /// Throughput, in any unit.
    pub rate: f64,
}

/// The law that fits best. All intervals are of the confidence that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UslFit {
    /// Throughput of one processor, in the unit of the rates.
    pub gamma: f64,
    /// Contention, a ratio from 0 to 1.
    pub sigma: f64,
    /// The interval of the contention.
    pub sigma_interval: Interval,
    /// Coherency, a ratio of 0 or more.
    pub kappa: f64,
    /// The interval of the coherency.
    pub kappa_interval: Interval,
    /// The count with the highest throughput and where it lies; nothing where the interval of `kappa` includes 0, for then
    /// the curve need not have one.
    pub knee: Option<(f64, Interval)>,
    /// Standard deviation of the rates around the law, as a fraction of it.
    pub noise: f64,
    /// The largest distance of the median rate of one count from the law, as a fraction of it.
    pub misfit: f64,
}

impl UslFit {
    /// Throughput that the law gives so many processors.
    pub fn rate(&self, count: f64) -> f64 {
        let others = count - 1.0;
        self.gamma * count / (1.0 + self.sigma * others + self.kappa * count * others)
    }
}

/// Fewest distinct counts: the law has three parameters.
const FEWEST: usize = 4;
/// Rounds in which each point gets the weight of its fitted value; the fit stands still long before.
const ROUNDS: usize = 12;
/// Halvings on the way to an end of an interval.
const HALVINGS: usize = 40;

/// Fits the law by least squares of the relative errors, with 0 ≤ σ ≤ 1 and κ ≥ 0.
///
/// n / X(n) is linear: d + b n + c n (n − 1) with γ = 1 / (b + d), σ = b / (b + d) and κ = c / (b + d), and the bounds are
/// those of coefficients that are not negative, so the best fit is found exactly. Intervals are profiles: all values for
/// which the best fit with that value is not worse than Student's t allows (Seber & Wild 1989, section 5.2). They rest on
/// errors that are independent and as large in proportion at every count.
///
/// `None` for fewer than 4 distinct counts or 4 points, and for counts below 1 and rates that are no positive numbers.
///
/// Coverage of the 95 % intervals in percent, counts 1, 2, 4 ... 32, noise 1 to 5 % (`tests/promise/scalability.rs`):
/// 94 to 96 for each of σ, κ and the knee where none of them is 0; above 95 where σ or κ is 0, since
/// there is nothing below. Where κ is 0 a knee is seen in 2 to 3 % of the curves.
///
/// ```
/// use stats::usl::{Point, fit};
/// let curve = |n: f64| 100.0 * n / (1.0 + 0.05 * (n - 1.0) + 0.001 * n * (n - 1.0));
/// let points: Vec<Point> = [1.0, 2.0, 4.0, 8.0, 16.0].map(|n| Point { count: n, rate: curve(n) }).into();
/// let law = fit(&points, 0.95).unwrap();
/// assert!((law.sigma - 0.05).abs() < 1e-6 && (law.kappa - 0.001).abs() < 1e-6);
/// assert!((law.knee.unwrap().0 - 30.8).abs() < 0.1);
/// assert!(fit(&points[..3], 0.95).is_none());
/// ```
pub fn fit(points: &[Point], confidence: f64) -> Option<UslFit> {
    let sound = |p: &Point| {
        p.count >= 1.0 && p.count.is_finite() && p.rate > 0.0 && (p.count / p.rate).is_finite()
    };
    let mut counts: Vec<f64> = points.iter().map(|p| p.count).collect();
    counts.sort_by(f64::total_cmp);
    counts.dedup();
    if counts.len() < FEWEST || !points.iter().all(sound) || !(confidence > 0.0 && confidence < 1.0)
    {
        return None;
    }
    let y: Vec<f64> = points.iter().map(|p| p.count / p.rate).collect();
    let column = |of: &dyn Fn(f64) -> f64| points.iter().map(|p| of(p.count)).collect::<Vec<f64>>();
    let (one, count) = (column(&|_| 1.0), column(&|n| n));
    let pairs = column(&|n| n * (n - 1.0));
    let all = [&one[..], &count[..], &pairs[..]];

    let mut scale = y.clone();
    let mut found = bounded(&all, &y, &scale)?;
    for _ in 0..ROUNDS {
        let fitted = |i: usize| all.iter().zip(&found.0).map(|(x, k)| x[i] * k).sum::<f64>();
        scale = (0..y.len()).map(fitted).collect();
        if scale.iter().any(|s| *s <= 0.0) {
            return None;
        }
        found = bounded(&all, &y, &scale)?;
    }
    let (coefficients, least) = found;
    let [d, b, c] = coefficients[..] else { return None };
    let whole = b + d;
    if whole <= 0.0 {
        return None;
    }

    let degrees = points.len() - 3;
    let t = student_two_sided(degrees, confidence);
    // The last term is for data without noise, where rounding is all there is.
    let allowed = least * (1.0 + t * t / degrees as f64) + 1e-24 * points.len() as f64;
    // Mixtures of two columns, `s` of the second: the best fit whose parameter is tied to `s`.
    let mixed = |x: &[f64], z: &[f64], s: f64| -> Vec<f64> {
        x.iter().zip(z).map(|(x, z)| (1.0 - s) * x + s * z).collect()
    };
    let fits = |a: &[f64], b: &[f64]| {
        bounded(&[a, b], &y, &scale).is_some_and(|(_, squares)| squares <= allowed)
    };
    let range =
        |at: f64, inside: &dyn Fn(f64) -> bool| (end(at, 0.0, inside), end(at, 1.0, inside));

    let sigma = b / whole;
    let of_sigma = range(sigma, &|s| fits(&mixed(&one, &count, s), &pairs));
    // κ from 0 to infinity as a share from 0 to 1, and likewise the knee from infinity to 0.
    let kappa = c / whole;
    let of_kappa =
        range(kappa / (1.0 + kappa), &|s| fits(&mixed(&one, &pairs, s), &mixed(&count, &pairs, s)));
    let odds = |s: f64| s / (1.0 - s).max(f64::MIN_POSITIVE);
    let knee = (of_kappa.0 > 0.0 && d > 0.0).then(|| {
        let (low, high) = range(c / (c + d), &|s| fits(&mixed(&one, &pairs, s), &count));
        let at = |s: f64| (1.0 / odds(s)).sqrt();
        ((d / c).sqrt(), Interval { low: at(high), high: at(low), confidence })
    });
    let interval = |(low, high): (f64, f64)| Interval { low, high, confidence };
    let law = UslFit {
        gamma: 1.0 / whole,
        sigma,
        sigma_interval: interval(of_sigma),
        kappa,
        kappa_interval: interval((odds(of_kappa.0), odds(of_kappa.1))),
        knee,
        noise: (least / degrees as f64).sqrt(),
        misfit: 0.0,
    };
    let off = |count: &f64| {
        let rates: Vec<f64> = points.iter().filter(|p| p.count == *count).map(|p| p.rate).collect();
        Some((Sample::new(&rates)?.median() / law.rate(*count) - 1.0).abs())
    };
    Some(UslFit { misfit: counts.iter().filter_map(off).fold(0.0, f64::max), ..law })
}

/// The last value from `from`, which is inside, towards `to` that still is. What is inside is one interval: its values
/// are ratios over a convex set of coefficients.
fn end(from: f64, to: f64, inside: &dyn Fn(f64) -> bool) -> f64 {
    if inside(to) {
        return to;
    }
    let (mut good, mut bad) = (from, to);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(good, bad);
        if inside(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// Coefficients of the columns, none of them negative, with the least sum of squares of (y − fit) / scale, and that sum.
/// All sets of columns that are not 0 are tried, which of three are seven.
fn bounded(columns: &[&[f64]], y: &[f64], scale: &[f64]) -> Option<(Vec<f64>, f64)> {
    let mut best: Option<(Vec<f64>, f64)> = None;
    for chosen in 1_usize..1 << columns.len() {
        let used: Vec<usize> = (0..columns.len()).filter(|i| chosen >> i & 1 == 1).collect();
        let dot = |a: &dyn Fn(usize) -> f64, b: &dyn Fn(usize) -> f64| -> f64 {
            (0..y.len()).map(|i| a(i) * b(i) / (scale[i] * scale[i])).sum()
        };
        let matrix: Vec<Vec<f64>> = used
            .iter()
            .map(|r| {
                let row = used.iter().map(|c| dot(&|i| columns[*r][i], &|i| columns[*c][i]));
                row.chain([dot(&|i| columns[*r][i], &|i| y[i])]).collect()
            })
            .collect();
        let Some(solved) = solve(matrix) else { continue };
        if solved.iter().any(|k| *k < 0.0 || !k.is_finite()) {
            continue;
        }
        let mut coefficients = vec![0.0; columns.len()];
        for (at, k) in used.iter().zip(solved) {
            coefficients[*at] = k;
        }
        let off = |i: usize| {
            let fitted: f64 = columns.iter().zip(&coefficients).map(|(x, k)| x[i] * k).sum();
            ((y[i] - fitted) / scale[i]).powi(2)
        };
        let squares: f64 = (0..y.len()).map(off).sum();
        if best.as_ref().is_none_or(|(_, least)| squares < *least) {
            best = Some((coefficients, squares));
        }
    }
    best
}

/// Solves a system of equations, each row with its right side at the end, by elimination with scaled pivots.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for at in 0..n {
        let best = (at..n).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()))?;
        rows.swap(at, best);
        let pivot = rows[at][at];
        if pivot.abs() < f64::MIN_POSITIVE {
            return None;
        }
        let row = rows[at].clone();
        for other in rows.iter_mut().skip(at + 1) {
            let factor = other[at] / pivot;
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let mut found = vec![0.0; n];
    for at in (0..n).rev() {
        let known: f64 = (at + 1..n).map(|k| rows[at][k] * found[k]).sum();
        found[at] = (rows[at][n] - known) / rows[at][at];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn curve(sigma: f64, kappa: f64, counts: &[f64]) -> Vec<Point> {
        let law = |n: f64| 7.0 * n / (1.0 + sigma * (n - 1.0) + kappa * n * (n - 1.0));
        counts.iter().map(|n| Point { count: *n, rate: law(*n) }).collect()
    }

    #[test]
    fn a_straight_line_has_neither_contention_nor_a_knee() {
        let law = fit(&curve(0.0, 0.0, &[1.0, 2.0, 4.0, 8.0]), 0.95).unwrap();
        assert!(law.sigma < 1e-9 && law.kappa < 1e-9 && law.knee.is_none(), "{law:?}");
        assert!((law.gamma - 7.0).abs() < 1e-9 && law.misfit < 1e-9);
    }

    #[test]
    fn what_is_no_curve_has_no_law() {
        let points = curve(0.1, 0.0, &[1.0, 2.0, 4.0, 8.0]);
        assert!(fit(&points, 1.0).is_none());
        // Four points, three counts.
        assert!(fit(&curve(0.1, 0.0, &[1.0, 2.0, 4.0, 4.0]), 0.95).is_none());
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut points = points.clone();
            points[2].rate = bad;
            assert!(fit(&points, 0.95).is_none(), "{bad}");
            points[2] = Point { count: if bad > 0.0 { bad } else { 0.5 }, rate: 1.0 };
            assert!(fit(&points, 0.95).is_none(), "{bad}");
        }
    }

    /// Throughput that does not rise at all: everything waits its turn.
    #[test]
    fn a_flat_curve_is_all_contention() {
        let law = fit(&curve(1.0, 0.0, &[1.0, 2.0, 4.0, 8.0]), 0.95).unwrap();
        assert!((law.sigma - 1.0).abs() < 1e-9 && law.knee.is_none(), "{law:?}");
    }

    /// More than linear: the law has nothing for that, and says how far off it is.
    #[test]
    fn a_curve_of_another_shape_is_off() {
        let points: Vec<Point> =
            [1.0_f64, 2.0, 4.0, 8.0].map(|n| Point { count: n, rate: n.powf(1.3) }).into();
        let law = fit(&points, 0.95).unwrap();
        assert!((law.sigma, law.kappa) == (0.0, 0.0) && law.misfit > 0.2, "{law:?}");
    }

    proptest! {
        #[test]
        fn an_exact_curve_gives_its_parameters_back(sigma in 0.0..0.9_f64, kappa in 1e-5..0.1_f64) {
            let law = fit(&curve(sigma, kappa, &[1.0, 2.0, 3.0, 6.0, 12.0, 24.0]), 0.95).unwrap();
            prop_assert!((law.sigma - sigma).abs() < 1e-6 && (law.kappa - kappa).abs() < 1e-6, "{:?}", law);
            let knee = law.knee.unwrap();
            prop_assert!((knee.0 / ((1.0 - sigma) / kappa).sqrt() - 1.0).abs() < 1e-3);
            prop_assert!(knee.1.low <= knee.0 * 1.000_001 && knee.0 <= knee.1.high * 1.000_001);
        }

        #[test]
        fn the_unit_of_the_rate_does_not_matter(scale in 1e-9..1e12_f64) {
            let points = [1.0, 2.0, 4.0, 8.0].map(|n: f64| Point { count: n, rate: n.powf(0.8) + 0.01 * (n % 3.0) });
            let scaled = points.map(|p| Point { rate: p.rate * scale, ..p });
            let (a, b) = (fit(&points, 0.95).unwrap(), fit(&scaled, 0.95).unwrap());
            prop_assert!((a.sigma - b.sigma).abs() < 1e-6 && (a.gamma * scale / b.gamma - 1.0).abs() < 1e-6);
            prop_assert!((a.sigma_interval.high - b.sigma_interval.high).abs() < 1e-6);
        }
    }
}
