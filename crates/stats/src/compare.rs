//! Whether two measurements differ, and by what factor.

use crate::distribution::normal_quantile;
use crate::order::{self, ByCount};
use crate::{Interval, Sample, rng::Rng};

/// The ratio of two medians.
///
/// ```
/// let before = [10.1, 10.0, 9.9, 10.2, 10.0, 10.1, 9.9, 10.0];
/// let after = [12.1, 12.0, 11.9, 12.2, 12.0, 12.1, 11.9, 12.0];
/// let ratio = stats::compare::ratio(&after, &before, 1).unwrap();
/// assert!(ratio.distinguishable && (ratio.estimate - 1.2).abs() < 0.01);
/// assert!(!stats::compare::ratio(&before, &before, 1).unwrap().distinguishable);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ratio {
    /// Median of the first over the median of the second.
    pub estimate: f64,
    /// Its interval, with 95 % confidence.
    pub interval: Interval,
    /// Whether the interval leaves out 1 *and* shuffling the values between the two rarely (p ≤ 5 %) sets their
    /// ranks as far apart. The second keeps the false alarms at or below 5 % for any distribution and any count.
    pub distinguishable: bool,
}

const CONFIDENCE: f64 = 0.95;
/// Φ⁻¹(0.975).
const Z: f64 = 1.959_964;
/// With the observed split counted in (Davison & Hinkley 1997), 5 % is 50 of 1,000.
const SHUFFLES: u32 = 999;
const SELDOM: u32 = 50;
/// Three against three can be split in 20 ways: no outcome is rarer than 10 %, so no difference could be significant.
const FEWEST: usize = 4;

/// Ratio of the medians of `a` and `b` with its 95 % interval (Price & Bonett 2002, "Distribution-free confidence
/// intervals for difference and ratio of medians"). The seed drives the shuffles and belongs in the record.
///
/// `None` for fewer than 4 values on a side, and for values that are not positive and finite: they have no ratio.
///
/// Distinguishable, in percent of simulated comparisons of n with n values (`tests/promise/comparison.rs`):
///
/// | n | nothing changed | + 5 %, noise 1 % | + 5 %, noise 2 % | + 5 %, noise 3 % | + 5 %, noise 5 % |
/// |---|---|---|---|---|---|
/// | 4 | 1.9 – 2.9 | 100 | 62 | 30 | 11 |
/// | 6 | 1.6 – 3.4 | 100 | 84 | 48 | 16 |
/// | 8 | 2.4 – 4.1 | 100 | 95 | 66 | 26 |
/// | 10 | 1.9 – 4.3 | 100 | 98 | 73 | 30 |
/// | 25 | 1.1 – 4.3 | 100 | 100 | 99 | 76 |
/// | 50 | 0.6 – 4.6 | 100 | 100 | 100 | 97 |
///
/// Noise is the coefficient of variation of normal values; "nothing changed" is over normal, log-normal and
/// two-state noise. The interval covers the ratio in 95 to 97.5 % of comparisons of normal and log-normal noise.
/// With *two states* it covers too little: 65 % at n = 6, 74 % at 10, 96 % at 25 when they come 70 : 30, and half when
/// they come 50 : 50, where there is no one median. Ask [`crate::modes`] first, and compare each state with its own.
pub fn ratio(a: &[f64], b: &[f64], seed: u64) -> Option<Ratio> {
    let (estimate, interval) = of_medians(a, b)?;
    let outside = interval.low > 1.0 || interval.high < 1.0;
    Some(Ratio { estimate, interval, distinguishable: outside && seldom_by_shuffling(a, b, seed) })
}

/// The estimate and the interval of [`ratio`] alone, without asking whether the two differ; `None` as there.
pub fn of_medians(a: &[f64], b: &[f64]) -> Option<(f64, Interval)> {
    Some(Middle::of(a)?.over(&Middle::of(b)?))
}

/// A median and how far its logarithm can be off: all that [`of_medians`] asks of one side, for who has one side to set
/// against many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Middle {
    median: f64,
    variance: f64,
}

impl Middle {
    /// Takes the median of these values; `None` where [`of_medians`] has none.
    pub fn of(values: &[f64]) -> Option<Middle> {
        Middle::of_sample(&Sample::new(values)?)
    }
    /// Takes the median of values that have been sorted already.
    pub fn of_sample(sample: &Sample<'_>) -> Option<Middle> {
        let usable = sample.len() >= FEWEST && sample.min() > 0.0;
        usable.then(|| Middle { median: sample.median(), variance: variance(sample.sorted()) })
    }
    /// Variance of the logarithm of the median, if the values are independent.
    pub fn variance(&self) -> f64 {
        self.variance
    }
    /// [`of_medians`] of two sides whose values are not at hand any more.
    pub fn over(&self, other: &Middle) -> (f64, Interval) {
        let estimate = self.median / other.median;
        let factor = (Z * (self.variance + other.variance).sqrt()).exp();
        let interval =
            Interval { low: estimate / factor, high: estimate * factor, confidence: CONFIDENCE };
        (estimate, interval)
    }
}

/// Variance of the logarithm of the median, from the distance of two order statistics (Price & Bonett).
fn variance(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    let (position, z) = spanned(n);
    ((sorted[n - position].ln() - sorted[position - 1].ln()) / (2.0 * z)).powi(2)
}

/// The order statistics of `n` values that are taken, and how many standard errors they are apart from the middle.
fn spanned(n: usize) -> (usize, f64) {
    static KNOWN: ByCount<(usize, f64)> = ByCount::new();
    KNOWN.get(n, || {
        let position = ((n as f64 + 1.0) / 2.0 - (n as f64).sqrt()).round().max(1.0) as usize;
        (position, -normal_quantile(order::binomial_tail(n, position)))
    })
}

/// Whether a random split of all the values gives rank sums at least this far apart in 5 % of cases or fewer.
/// Ranks, for medians of random splits of few values come in too few sizes to be significant.
fn seldom_by_shuffling(a: &[f64], b: &[f64], seed: u64) -> bool {
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
        if as_far > SELDOM {
            return false;
        }
    }
    true
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
