//! Whether two measurements differ by more than a stated band: one small number that many rows can be judged by.

use crate::{Sample, distribution::student_upper};
use std::iter::repeat_n;

/// Share of the values that is left out at either end (Yuen 1974; Wilcox 2012 recommends it for medians' purposes).
const TRIMMED: f64 = 0.2;
/// As for [`crate::compare::ratio`].
const FEWEST: usize = 4;

/// Probability of values at least this far apart if the ratio of `a` to `b` is truly within 1/(1+band) to 1+band.
///
/// Yuen's test for trimmed means of unlike variances (Biometrika 61, 1974), on logarithms, against the nearer edge of
/// the band, doubled for the two edges. Unlike a test by ranks it can say "one in a million" of seven values, which is
/// what it takes to judge hundreds of rows at once ([`crate::discovery`]); unlike a plain t-test, one wild value in five
/// moves it little.
///
/// `None` for fewer than 4 values on a side, for values that are not positive and finite, and for a band that is not
/// zero or more. Values must be independent; those of one run share whatever that run had in common.
///
/// Below p = 5 %, 1 % and 0.1 %, in percent of 100,000 simulated pairs whose ratio lies at the band's edge, where false
/// alarms are most frequent, and of equal pairs at a band of 2 % (`tests/promise/discoveries.rs`):
///
/// | n | normal, at the edge | log-normal, σ = 0.3, at the edge | normal 5 %, equal |
/// |---|---|---|---|
/// | 4 | 2.0, 0.32, 0.02 | 3.4, 0.54, 0.04 | 1.2, 0.16, 0.01 |
/// | 5 | 2.1, 0.40, 0.03 | 3.6, 0.68, 0.06 | 1.3, 0.22, 0.02 |
/// | 7 | 2.4, 0.47, 0.05 | 3.8, 0.75, 0.07 | 0.9, 0.15, 0.01 |
/// | 10 | 2.5, 0.56, 0.05 | 3.9, 0.81, 0.07 | 0.7, 0.11, 0.01 |
///
/// Two states, 70 : 30, are called apart in up to 3.3 % at p = 0.1 % for n = 5: ask [`crate::modes`] first.
///
/// ```
/// let before = [10.1, 10.0, 9.9, 10.2, 10.0, 10.1, 9.9, 10.0];
/// let after = before.map(|x| x * 1.1);
/// assert!(stats::beyond::p_value(&after, &before, 0.02).unwrap() < 1e-4);
/// assert_eq!(stats::beyond::p_value(&before, &before, 0.02), Some(1.0));
/// ```
pub fn p_value(a: &[f64], b: &[f64], band: f64) -> Option<f64> {
    Trimmed::of(a)?.p_value(&Trimmed::of(b)?, band)
}

/// The middle of the logarithms: all that [`p_value`] asks of one side, for who has one side to set against many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trimmed {
    mean: f64,
    /// Of the mean.
    variance: f64,
    degrees: f64,
}

impl Trimmed {
    /// [`p_value`] of two sides whose values are not at hand any more.
    pub fn p_value(&self, other: &Trimmed, band: f64) -> Option<f64> {
        let (a, b) = (self, other);
        if !(band >= 0.0 && band.is_finite()) {
            return None;
        }
        let beyond = (a.mean - b.mean).abs() - (1.0 + band).ln();
        if beyond <= 0.0 {
            return Some(1.0);
        }
        let variance = a.variance + b.variance;
        if variance <= 0.0 {
            return Some(0.0);
        }
        let degrees =
            variance.powi(2) / (a.variance.powi(2) / a.degrees + b.variance.powi(2) / b.degrees);
        Some((2.0 * student_upper(beyond / variance.sqrt(), degrees)).min(1.0))
    }
    /// Of these values; `None` where [`p_value`] has none.
    pub fn of(values: &[f64]) -> Option<Trimmed> {
        Trimmed::of_sample(&Sample::new(values)?)
    }
    /// Of values that have been sorted already.
    pub fn of_sample(sample: &Sample<'_>) -> Option<Trimmed> {
        let n = sample.len();
        if n < FEWEST || sample.min() <= 0.0 {
            return None;
        }
        let cut = (TRIMMED * n as f64).floor() as usize;
        let kept: Vec<f64> = sample.sorted()[cut..n - cut].iter().map(|x| x.ln()).collect();
        let mean = kept.iter().sum::<f64>() / kept.len() as f64;
        // Winsorised: what was cut counts as the nearest value that was not.
        let (low, high, h) = (kept[0], kept[kept.len() - 1], kept.len() as f64);
        let all = || repeat_n(low, cut).chain(kept.iter().copied()).chain(repeat_n(high, cut));
        let middle = all().sum::<f64>() / n as f64;
        let squares: f64 = all().map(|x| (x - middle).powi(2)).sum();
        Some(Trimmed { mean, variance: squares / (h * (h - 1.0)), degrees: h - 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: [f64; 7] = [1.0, 1.002, 0.998, 1.001, 0.999, 1.003, 0.997];

    #[test]
    fn turning_the_question_round_changes_nothing() {
        let other = QUIET.map(|x| x * 1.05);
        assert_eq!(p_value(&QUIET, &other, 0.02), p_value(&other, &QUIET, 0.02));
    }

    #[test]
    fn inside_the_band_nothing_is_reported_and_outside_it_much() {
        assert_eq!(p_value(&QUIET.map(|x| x * 1.015), &QUIET, 0.02), Some(1.0));
        assert!(p_value(&QUIET.map(|x| x * 1.05), &QUIET, 0.02).unwrap() < 1e-6);
        assert!(p_value(&QUIET.map(|x| x * 1.015), &QUIET, 0.0).unwrap() < 1e-4);
    }

    #[test]
    fn a_wild_value_does_not_hide_a_difference() {
        let mut wild = QUIET.map(|x| x * 1.05);
        wild[3] = 9.0;
        assert!(p_value(&wild, &QUIET, 0.02).unwrap() < 1e-3);
    }

    #[test]
    fn exact_counts_are_distinguished_by_themselves() {
        assert_eq!(p_value(&[3.0; 5], &[2.0; 5], 0.02), Some(0.0));
        assert_eq!(p_value(&[3.0; 5], &[3.0; 5], 0.02), Some(1.0));
    }

    #[test]
    fn what_cannot_be_judged_is_none() {
        assert_eq!(p_value(&[1.0; 3], &[2.0; 9], 0.02), None);
        assert_eq!(p_value(&[1.0, 1.0, 0.0, 1.0], &[2.0; 9], 0.02), None);
        assert_eq!(p_value(&[1.0, 1.0, f64::NAN, 1.0], &[2.0; 9], 0.02), None);
        assert_eq!(p_value(&[1.0; 4], &[2.0; 4], f64::NAN), None);
    }
}
