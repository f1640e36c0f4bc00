//! Whether two measurements differ, and by what factor.

use crate::distribution::normal_quantile;
use crate::{Interval, Sample, order, rng::Rng};

/// How many times larger one median is than another.
///
/// ```
/// let before = [10.1, 10.0, 9.9, 10.2, 10.0, 10.1, 9.9, 10.0];
/// let after = [12.1, 12.0, 11.9, 12.2, 12.0, 12.1, 11.9, 12.0];
/// let ratio = stats::compare::ratio(&after, &before, 1).unwrap();
/// assert!(ratio.distinguishable && (ratio.estimate - 1.2).abs() < 0.01);
/// assert!(!stats::compare::ratio(&before, &before, 1).unwrap().distinguishable);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Median of the first over the median of the second.
    pub estimate: f64,
    /// Where that ratio lies, with 95 % confidence.
    pub interval: Interval,
    /// Whether the interval leaves out 1 *and* shuffling the values between the two rarely (p ≤ 5 %) sets their
    /// ranks as far apart. The second keeps the false alarms at or below 5 % for any distribution and any count.
    pub distinguishable: bool,
}

const CONFIDENCE: f64 = 0.95;
/// With the +1 of Davison & Hinkley a p of exactly 5 % is possible: 50 of 1,000.
const SHUFFLES: u32 = 999;
/// Three against three can be split in 20 ways: no outcome is rarer than 10 %, so nothing could ever be told.
const FEWEST: usize = 4;

/// Ratio of the medians of `a` and `b` with its 95 % interval (Price & Bonett 2002, "Distribution-free confidence
/// intervals for difference and ratio of medians"). The seed drives the shuffles and belongs in the record.
///
/// `None` for fewer than 4 values on a side, and for values that are not positive and finite: they have no ratio.
pub fn ratio(a: &[f64], b: &[f64], seed: u64) -> Option<Ratio> {
    let (first, second) = (Sample::new(a)?, Sample::new(b)?);
    if first.len().min(second.len()) < FEWEST || first.min() <= 0.0 || second.min() <= 0.0 {
        return None;
    }
    let estimate = first.median() / second.median();
    let margin = normal_quantile(0.5 + CONFIDENCE / 2.0) * (variance(a) + variance(b)).sqrt();
    let factor = margin.exp();
    let interval =
        Interval { low: estimate / factor, high: estimate * factor, confidence: CONFIDENCE };
    let outside = interval.low > 1.0 || interval.high < 1.0;
    Some(Ratio {
        estimate,
        interval,
        distinguishable: outside && shuffled_p(a, b, seed) <= 1.0 - CONFIDENCE,
    })
}

/// Variance of the logarithm of the median, from the distance of two order statistics (Price & Bonett).
fn variance(values: &[f64]) -> f64 {
    let n = values.len();
    let mut logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    logs.sort_unstable_by(f64::total_cmp);
    let position = ((n as f64 + 1.0) / 2.0 - (n as f64).sqrt()).round().max(1.0) as usize;
    let z = -normal_quantile(order::binomial_tail(n, position));
    ((logs[n - position] - logs[position - 1]) / (2.0 * z)).powi(2)
}

/// How often a random split of all the values gives rank sums at least this far apart, the observed split included.
/// Ranks, for medians of random splits of few values come in too few sizes to tell anything.
fn shuffled_p(a: &[f64], b: &[f64], seed: u64) -> f64 {
    let pool: Vec<f64> = a.iter().chain(b).copied().collect();
    let mut ranks = order::double_ranks(&pool);
    let expected = (a.len() * (pool.len() + 1)) as i64;
    let apart = |ranks: &[i64]| (ranks[..a.len()].iter().sum::<i64>() - expected).abs();
    let observed = apart(&ranks);
    let mut rng = Rng::new(seed);
    let mut as_far = 1;
    for _ in 0..SHUFFLES {
        rng.shuffle(&mut ranks);
        as_far += u32::from(apart(&ranks) >= observed);
    }
    f64::from(as_far) / f64::from(SHUFFLES + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_the_question_round_turns_the_answer_round() {
        let (a, b) = ([1.0, 1.1, 1.2, 1.3, 1.4], [2.0, 2.3, 2.1, 2.2, 2.5, 2.4]);
        let (there, back) = (ratio(&a, &b, 1).unwrap(), ratio(&b, &a, 1).unwrap());
        assert!((there.estimate * back.estimate - 1.0).abs() < 1e-12);
        assert!((there.interval.low * back.interval.high - 1.0).abs() < 1e-12);
        assert!(there.distinguishable && back.distinguishable);
    }

    #[test]
    fn exact_counts_differ_without_any_spread() {
        let found = ratio(&[3.0; 5], &[2.0; 5], 1).unwrap();
        assert_eq!((found.estimate, found.interval.low, found.interval.high), (1.5, 1.5, 1.5));
        assert!(found.distinguishable);
        assert!(!ratio(&[3.0; 5], &[3.0; 5], 1).unwrap().distinguishable);
    }

    #[test]
    fn too_few_and_no_ratio_are_none() {
        assert!(ratio(&[1.0; 3], &[2.0; 9], 1).is_none());
        assert!(ratio(&[1.0, 2.0, 3.0, 0.0], &[2.0; 9], 1).is_none());
        assert!(ratio(&[1.0; 4], &[1.0, 2.0, -3.0, 4.0], 1).is_none());
    }
}
