//! Intervals for any statistic, by resampling. For the median alone prefer `Sample::median_interval`: no resampling,
//! and a coverage that does not depend on the distribution.

use crate::distribution::{normal_cdf, student_two_sided};
use crate::{Interval, Sample, order, rng::Rng};

/// Fewest values: with less, the ends of the resamples are the ends of the values, whatever the confidence.
const FEWEST: usize = 5;

/// Interval of `statistic` from `resamples` resamples of `xs`; the seed belongs in the record.
///
/// The *expanded percentile* interval (Hesterberg 2015, section 5.2): plain percentiles of few values are too
/// narrow, by √(n−1)/n and by treating the spread as known, so wider percentiles are taken, as many as make up for
/// both. `None` for fewer than 5 values, a value that is not finite, no resamples, a confidence not between 0 and 1,
/// or a statistic that is not finite for some resample.
///
/// Coverage of the 95 % interval of the *mean* in percent, 4,000 experiments of 1,000 resamples
/// (`tests/promise/coverage.rs`):
///
/// | n | normal | log-normal, σ = 0.3 | log-normal, σ = 1 | two states, 70 : 30 |
/// |---|---|---|---|---|
/// | 5 | 92.0 | 91.2 | 80.7 | 81.5 |
/// | 6 | 93.3 | 92.3 | 82.2 | 86.0 |
/// | 10 | 94.1 | 93.5 | 85.1 | 95.3 |
/// | 25 | 94.9 | 94.4 | 88.8 | 95.0 |
/// | 100 | 95.2 | 95.0 | 91.7 | 95.0 |
///
/// Few values from a long tail do not show the tail: there it is no 95 % interval, and nothing made from those
/// values alone could be one.
///
/// ```
/// let mean = |xs: &[f64]| xs.iter().sum::<f64>() / xs.len() as f64;
/// let interval = stats::bootstrap::interval(&[9.0, 10.0, 11.0, 9.5, 10.5, 10.2], mean, 0.95, 2_000, 1).unwrap();
/// assert!(interval.low < 10.0 && interval.high > 10.0);
/// ```
pub fn interval(
    xs: &[f64],
    statistic: impl Fn(&[f64]) -> f64,
    confidence: f64,
    resamples: usize,
    seed: u64,
) -> Option<Interval> {
    let sample = Sample::new(xs)?;
    let n = sample.len();
    if n < FEWEST || resamples == 0 || !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let mut rng = Rng::new(seed);
    let mut resample = vec![0.0; n];
    let mut found = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        resample.fill_with(|| xs[rng.below(n as u64) as usize]);
        found.push(statistic(&resample));
    }
    if found.iter().any(|value| !value.is_finite()) {
        return None;
    }
    found.sort_unstable_by(f64::total_cmp);
    let nf = n as f64;
    let tail = normal_cdf(-(nf / (nf - 1.0)).sqrt() * student_two_sided(n - 1, confidence));
    Some(Interval {
        low: order::quantile(&found, tail),
        high: order::quantile(&found, 1.0 - tail),
        confidence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(xs: &[f64]) -> f64 {
        xs.iter().sum::<f64>() / xs.len() as f64
    }

    #[test]
    fn the_seed_decides_and_nothing_else() {
        let xs = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
        assert_eq!(interval(&xs, mean, 0.9, 200, 5), interval(&xs, mean, 0.9, 200, 5));
        assert_ne!(interval(&xs, mean, 0.9, 200, 5), interval(&xs, mean, 0.9, 200, 6));
    }

    #[test]
    fn more_confidence_is_a_wider_interval() {
        let xs: Vec<f64> = (0..20).map(f64::from).collect();
        let width =
            |confidence| interval(&xs, mean, confidence, 2_000, 1).map(|i| i.high - i.low).unwrap();
        assert!(width(0.5) < width(0.9) && width(0.9) < width(0.99));
    }

    #[test]
    fn what_cannot_be_reported_is_none() {
        let xs = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert!(interval(&xs[..4], mean, 0.95, 100, 1).is_none());
        assert!(interval(&xs, mean, 1.0, 100, 1).is_none());
        assert!(interval(&xs, mean, 0.95, 0, 1).is_none());
        assert!(interval(&xs, |_| f64::NAN, 0.95, 100, 1).is_none());
        assert!(interval(&[1.0, 2.0, 3.0, 4.0, f64::NAN], mean, 0.95, 100, 1).is_none());
    }
}
