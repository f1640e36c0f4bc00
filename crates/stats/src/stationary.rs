//! Whether a series stayed what it was: drift, steps and memory. An interval of a series that did not is a fiction.

use crate::{Sample, order, rng::Rng};

/// A trend over the whole series.
///
/// ```
/// let warming: Vec<f64> = (0..20).map(|k| 100.0 - f64::from(k)).collect();
/// let drift = stats::stationary::drift(&warming).unwrap();
/// assert!(drift.significant && (drift.slope_per_sample + 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Theil–Sen slope: unit of the values per sample.
    pub slope_per_sample: f64,
    /// The slope over the whole series as a fraction of the median; infinite around a median of zero.
    pub relative_change: f64,
    /// Whether Mann and Kendall's test finds it at 5 %. Significant is not large: look at `relative_change` too.
    pub significant: bool,
}

/// With fewer than 5 values even a perfect trend comes by chance more often than once in twenty.
const FEWEST_FOR_DRIFT: usize = 5;
/// Pairs grow with the square; longer series are reduced to medians of consecutive blocks.
const MOST_FOR_DRIFT: usize = 400;
/// Two-sided 5 % of the normal distribution.
const Z: f64 = 1.959_964;

/// Theil–Sen slope with Mann and Kendall's test (ties and continuity corrected). `None` for fewer than 5 values or
/// one that is not finite.
///
/// White noise is called drifting in 2 % of series of 5 or 6, 3 % of 8 and 5 % of 10 and more values. A change of
/// 10 % under noise of 2 % is found in 74 % of series of 8, 92 % of 10 and all of 20. Correlated noise ([`lag1`] well above 0) is called so
/// more often: there the trend of this series is real, but it need not go on.
pub fn drift(xs: &[f64]) -> Option<Drift> {
    let sample = Sample::new(xs)?;
    if sample.len() < FEWEST_FOR_DRIFT {
        return None;
    }
    let block = sample.len().div_ceil(MOST_FOR_DRIFT);
    let levels: Vec<f64> =
        xs.chunks_exact(block).map(|chunk| order::median_unsorted(&mut chunk.to_vec())).collect();
    let mut slopes = Vec::with_capacity(levels.len() * (levels.len() - 1) / 2);
    let mut score = 0_i64;
    for (i, early) in levels.iter().enumerate() {
        for (distance, late) in levels[i + 1..].iter().enumerate() {
            slopes.push((late - early) / ((distance + 1) * block) as f64);
            score += i64::from(late > early) - i64::from(late < early);
        }
    }
    let slope = order::median_unsorted(&mut slopes);
    let change = slope * (sample.len() - 1) as f64;
    let relative_change = if change == 0.0 { 0.0 } else { change / sample.median().abs() };
    let z = (score.abs() - 1).max(0) as f64 / kendall_variance(&levels).sqrt();
    Some(Drift { slope_per_sample: slope, relative_change, significant: z > Z })
}

/// Variance of the Mann–Kendall score under no trend. Ties lower it; all equal make it 0, and the test 0 / 0: no.
fn kendall_variance(levels: &[f64]) -> f64 {
    let mut sorted = levels.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let term = |n: usize| (n * (n - 1) * (2 * n + 5)) as f64;
    let ties: f64 = sorted.chunk_by(|a, b| a == b).map(|group| term(group.len())).sum();
    (term(levels.len()) - ties) / 18.0
}

/// Correlation of each value with the next, −1 to 1. Near 0 for independent values; well above, n values are worth
/// fewer than n. `None` for fewer than 3 values, one that is not finite, or values that do not vary.
///
/// ```
/// let sawtooth = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0];
/// assert!(stats::stationary::lag1(&sawtooth).unwrap() < -0.8);
/// ```
pub fn lag1(xs: &[f64]) -> Option<f64> {
    let sample = Sample::new(xs)?;
    if sample.len() < 3 || sample.min() == sample.max() {
        return None;
    }
    let mean = sample.mean();
    let squares: f64 = xs.iter().map(|x| (x - mean).powi(2)).sum();
    let products: f64 = xs.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    (squares > 0.0).then_some(products / squares)
}

/// One change of level.
///
/// ```
/// let throttled = [5.0, 5.1, 5.0, 4.9, 5.0, 7.0, 7.1, 7.0, 6.9, 7.0];
/// let step = stats::stationary::step(&throttled).unwrap();
/// assert!(step.significant && step.at == 5);
/// assert_eq!((step.before, step.after), (5.0, 7.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Index of the first value after the step.
    pub at: usize,
    /// Median before.
    pub before: f64,
    /// Median from there on.
    pub after: f64,
    /// Whether Pettitt's test finds it at 5 %.
    pub significant: bool,
}

/// With fewer than 8 values the clearest step comes by chance more often than once in twenty.
const FEWEST_FOR_STEP: usize = 8;
/// Up to here the test is made by shuffling; beyond, Pettitt's formula is good enough and quicker.
const MOST_SHUFFLED: usize = 64;
const SHUFFLES: u32 = 999;
/// 5 % of the shuffles and the series itself.
const SELDOM: u32 = 50;
/// Fixed, so that the same series always gets the same answer.
const SEED: u64 = 1979;

/// The likeliest single change of level (Pettitt 1979: rank sums, no distribution assumed). `None` for fewer than 8
/// values or one that is not finite. A drift is a significant step too: ask [`drift`] as well.
///
/// White noise is said to step in 3 to 5 % of series; a step of 10 % half-way under noise of 2 % is found in more
/// than 99 %.
pub fn step(xs: &[f64]) -> Option<Step> {
    let sample = Sample::new(xs)?;
    let n = sample.len();
    if n < FEWEST_FOR_STEP {
        return None;
    }
    let mut ranks = order::double_ranks(xs);
    let (at, height) = pettitt(&ranks);
    let seldom = if n > MOST_SHUFFLED {
        let (n, height) = (n as f64, height as f64);
        2.0 * (-6.0 * height * height / (n * n * n + n * n)).exp() <= 0.05
    } else {
        seldom_by_shuffling(&mut ranks, height)
    };
    let median = |part: &[f64]| order::median_unsorted(&mut part.to_vec());
    Some(Step { at, before: median(&xs[..at]), after: median(&xs[at..]), significant: seldom })
}

/// Whether a random order of the ranks gives a score this high in 5 % of cases or fewer.
fn seldom_by_shuffling(ranks: &mut [i64], height: i64) -> bool {
    let mut rng = Rng::new(SEED);
    let mut as_high = 1;
    for _ in 0..SHUFFLES {
        rng.shuffle(ranks);
        as_high += u32::from(pettitt(ranks).1 >= height);
        if as_high > SELDOM {
            return false;
        }
    }
    true
}

/// Where the rank sum of the first values is farthest from what it would be by chance, and how far.
fn pettitt(double_ranks: &[i64]) -> (usize, i64) {
    let n = double_ranks.len();
    let (mut sum, mut best) = (0, (1, 0));
    for (k, rank) in double_ranks[..n - 1].iter().enumerate() {
        sum += rank - (n as i64 + 1);
        if sum.abs() > best.1 {
            best = (k + 1, sum.abs());
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_series_neither_drifts_nor_steps() {
        let found = drift(&[2.0; 12]).unwrap();
        assert_eq!(
            (found.slope_per_sample, found.relative_change, found.significant),
            (0.0, 0.0, false)
        );
        assert!(!step(&[2.0; 12]).unwrap().significant);
        assert_eq!(lag1(&[2.0; 12]), None);
    }

    #[test]
    fn ties_lower_the_variance_of_the_score() {
        // (5·4·15 − 2·2·1·9) / 18
        assert!((kendall_variance(&[1.0, 2.0, 1.0, 3.0, 2.0]) - 264.0 / 18.0).abs() < 1e-12);
        assert_eq!(kendall_variance(&[1.0; 9]), 0.0);
    }

    #[test]
    fn one_wild_value_does_not_tilt_the_slope() {
        let mut xs: Vec<f64> = (0..21).map(|k| 10.0 + f64::from(k)).collect();
        xs[20] = 1e6;
        assert!((drift(&xs).unwrap().slope_per_sample - 1.0).abs() < 0.01);
    }

    #[test]
    fn long_series_keep_their_slope() {
        let xs: Vec<f64> = (0..5_000).map(|k| 3.0 + 0.5 * f64::from(k)).collect();
        let found = drift(&xs).unwrap();
        assert!(found.significant && (found.slope_per_sample - 0.5).abs() < 1e-9);
    }

    #[test]
    fn the_shortest_perfect_trend_counts_and_a_shorter_one_cannot() {
        assert!(drift(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap().significant);
        assert!(drift(&[1.0, 2.0, 3.0, 4.0]).is_none());
        assert!(step(&[1.0, 1.1, 1.2, 1.3, 5.0, 5.1, 5.2, 5.3]).unwrap().significant);
        assert!(step(&[1.0, 1.1, 1.2, 5.0, 5.1, 5.2, 5.3]).is_none());
    }

    #[test]
    fn the_score_of_pettitt_is_his() {
        // U of 1 2 3 4: |−3|, |−4|, |−3| at k = 1, 2, 3.
        assert_eq!(pettitt(&order::double_ranks(&[1.0, 2.0, 3.0, 4.0])), (2, 4));
    }
}
