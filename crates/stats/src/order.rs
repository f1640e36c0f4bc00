//! Order statistics of sorted, finite, non-empty slices: quantiles, and the interval of the median they carry.

use crate::Interval;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// Median of values in any order; reorders them. The slice must not be empty.
pub(crate) fn median_unsorted(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if !even {
        return upper;
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    lower + (upper - lower) / 2.0
}

/// Type 7: linear between the values at positions 0 … n − 1.
pub(crate) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let position = q.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = sorted[position.floor() as usize];
    let above = sorted[position.ceil() as usize];
    (below + (above - below) * position.fract()).clamp(below, above)
}

/// Twice the rank of each value, so that the middle rank of ties stays a whole number.
pub(crate) fn double_ranks(xs: &[f64]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..xs.len()).collect();
    order.sort_unstable_by(|&a, &b| xs[a].total_cmp(&xs[b]));
    let mut ranks = vec![0; xs.len()];
    let mut below = 0;
    for group in order.chunk_by(|&a, &b| xs[a] == xs[b]) {
        for &index in group {
            ranks[index] = (2 * below + group.len() + 1) as i64;
        }
        below += group.len();
    }
    ranks
}

/// P(X < k) for k = 0 … n + 1 with X binomial(n, 1/2). Built outwards from the middle, where nothing underflows.
fn binomial_below(n: usize) -> Vec<f64> {
    let mut weights = vec![0.0; n + 1];
    let middle = n / 2;
    weights[middle] = 1.0;
    for k in (0..middle).rev() {
        weights[k] = weights[k + 1] * (k + 1) as f64 / (n - k) as f64;
    }
    for k in middle + 1..=n {
        weights[k] = weights[n - k];
    }
    if n % 2 == 1 {
        weights[middle + 1] = 1.0;
    }
    let total: f64 = weights.iter().sum();
    let mut below = vec![0.0; n + 2];
    for k in 0..=n {
        below[k + 1] = below[k] + weights[k] / total;
    }
    below
}

/// P(X < k) with X binomial(n, 1/2): how surely the k-th smallest of n values lies below the median, turned round.
pub(crate) fn binomial_tail(n: usize, k: usize) -> f64 {
    binomial_below(n)[k]
}

/// Hettmansperger & Sheather, "Confidence intervals based on interpolated order statistics", 1986: which value from either
/// end an interval begins at, and how far towards the next. The d-th value covers with 1 − 2 P(X < d); the wanted confidence
/// lies between those of d and d + 1.
fn interpolated(n: usize, confidence: f64) -> Option<(usize, f64)> {
    let below = binomial_below(n);
    let coverage = |d: usize| 1.0 - 2.0 * below[d];
    let d = (1..=n / 2).take_while(|&d| coverage(d) >= confidence).last()?;
    let (outer, inner) = (coverage(d), coverage(d + 1).max(0.0));
    let share = (outer - confidence) / (outer - inner);
    let (nf, df) = (n as f64, d as f64);
    Some((d, (nf - df) * share / (df + (nf - 2.0 * df) * share)))
}

/// The one confidence that is asked for by the hundred thousand.
const USUAL: f64 = 0.95;

/// Results that depend on a count alone, kept: a comparison of many records asks for that of the same few again and again.
pub(crate) struct ByCount<T>(RwLock<BTreeMap<usize, T>>);

impl<T: Copy> ByCount<T> {
    pub(crate) const fn new() -> ByCount<T> {
        ByCount(RwLock::new(BTreeMap::new()))
    }
    pub(crate) fn get(&self, n: usize, work_out: impl Fn() -> T) -> T {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&n).copied();
        known.unwrap_or_else(|| {
            let found = work_out();
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(n, found);
            found
        })
    }
}

/// [`interpolated`] at [`USUAL`].
fn usual(n: usize) -> Option<(usize, f64)> {
    static KNOWN: ByCount<Option<(usize, f64)>> = ByCount::new();
    KNOWN.get(n, || interpolated(n, USUAL))
}

/// The interval of the median; `None` where there are too few values to be that sure.
pub(crate) fn median_interval(sorted: &[f64], confidence: f64) -> Option<Interval> {
    let n = sorted.len();
    if !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let (d, weight) = if confidence == USUAL { usual(n) } else { interpolated(n, confidence) }?;
    let (low, high) = (sorted[d - 1], sorted[n - d]);
    let (next_low, next_high) = if 2 * d == n {
        let median = quantile(sorted, 0.5);
        (median, median)
    } else {
        (sorted[d], sorted[n - d - 1])
    };
    Some(Interval {
        low: low + weight * (next_low - low),
        high: high - weight * (high - next_high),
        confidence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binomial_is_that_of_the_tables() {
        assert!((binomial_tail(5, 1) - 1.0 / 32.0).abs() < 1e-15);
        assert!((binomial_tail(6, 2) - 7.0 / 64.0).abs() < 1e-15);
        assert!((binomial_tail(10, 3) - 56.0 / 1024.0).abs() < 1e-15);
        // 0.5^5000 is no f64; the tail still is.
        assert!((binomial_tail(5000, 2501) - 0.505_641).abs() < 1e-5);
    }

    #[test]
    fn six_values_are_the_fewest_for_95_percent() {
        let values: Vec<f64> = (0..6).map(f64::from).collect();
        assert!(median_interval(&values[..5], 0.95).is_none());
        let interval = median_interval(&values, 0.95).unwrap();
        // γ₁ = 0.96875, γ₂ = 0.78125: share 0.1, weight 5·0.1 / (1 + 4·0.1) = 0.357…
        assert!(
            (interval.low - 0.5 / 1.4).abs() < 1e-9
                && (interval.high - (5.0 - 0.5 / 1.4)).abs() < 1e-9
        );
    }

    #[test]
    fn any_confidence_gives_an_interval_around_the_median_or_none() {
        let values: Vec<f64> = (0..12).map(|k| f64::from(k * k)).collect();
        for n in 1..=12 {
            let median = quantile(&values[..n], 0.5);
            for confidence in [0.001, 0.1, 0.3, 0.5, 0.9, 0.999] {
                if let Some(interval) = median_interval(&values[..n], confidence) {
                    assert!(
                        interval.low <= median && median <= interval.high,
                        "{n} {confidence} {interval:?}"
                    );
                }
            }
            for nonsense in [0.0, 1.0, -1.0, f64::NAN] {
                assert!(median_interval(&values[..n], nonsense).is_none());
            }
        }
    }

    #[test]
    fn ties_share_their_rank() {
        assert_eq!(double_ranks(&[5.0, 1.0, 5.0]), [5, 2, 5]);
    }

    #[test]
    fn the_quick_median_is_the_median() {
        for n in 1..9 {
            let mut values: Vec<f64> = (0..n).map(|k| f64::from((k * 5) % n * 3)).collect();
            let quick = median_unsorted(&mut values);
            values.sort_unstable_by(f64::total_cmp);
            assert_eq!(quick, quantile(&values, 0.5));
        }
    }
}
