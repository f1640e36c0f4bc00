//! Which values do not belong. They are flagged, never dropped: an outlier is an observation too.

use crate::Sample;

/// Iglewicz & Hoaglin (1993): suspicious beyond this many robust standard deviations.
const LIMIT: f64 = 3.5;
/// √(π/2): makes the mean absolute deviation of normal values their standard deviation.
const MEAN_DEVIATION_TO_SIGMA: f64 = 1.253_314;

/// One flag per value, in the same order: whether it lies more than 3.5 robust standard deviations (MAD × 1.4826)
/// from the median. When more than half of the values are equal the MAD is 0 and the mean absolute deviation takes
/// its place. A value that is not finite is always flagged, and left out of median and spread.
///
/// ```
/// assert_eq!(stats::outlier::flags(&[1.0, 1.1, 0.9, 1.0, 9.0]), [false, false, false, false, true]);
/// ```
pub fn flags(xs: &[f64]) -> Vec<bool> {
    let finite: Vec<f64> = xs.iter().copied().filter(|x| x.is_finite()).collect();
    let Some(sample) = Sample::new(&finite) else { return vec![true; xs.len()] };
    let median = sample.median();
    let sigma = match sample.mad() {
        0.0 => {
            let sum: f64 = finite.iter().map(|x| (x - median).abs()).sum();
            sum / finite.len() as f64 * MEAN_DEVIATION_TO_SIGMA
        }
        mad => mad,
    };
    xs.iter().map(|x| !x.is_finite() || (x - median).abs() > LIMIT * sigma).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn two_wild_values_do_not_hide_each_other() {
        let found = flags(&[10.0, 10.1, 9.9, 10.2, 9.8, 90.0, 95.0]);
        assert_eq!(found, [false, false, false, false, false, true, true]);
    }

    #[test]
    fn equal_values_are_no_outliers_and_the_odd_one_is() {
        assert_eq!(flags(&[5.0; 4]), [false; 4]);
        let mut xs = [5.0; 12];
        xs[3] = 6.0;
        assert_eq!(flags(&xs).iter().filter(|&&flag| flag).count(), 1);
    }

    #[test]
    fn what_is_not_a_number_is_flagged_and_harmless() {
        assert_eq!(flags(&[1.0, f64::NAN, 1.1, 0.9]), [false, true, false, false]);
        assert_eq!(flags(&[f64::NAN]), [true]);
        assert!(flags(&[]).is_empty());
    }

    #[test]
    fn normal_values_are_rarely_flagged() {
        let mut rng = Rng::new(4);
        let xs: Vec<f64> = (0..20_000).map(|_| rng.normal()).collect();
        let flagged = flags(&xs).iter().filter(|&&flag| flag).count();
        // 2 Φ(−3.5) = 0.047 %: 9.3 of 20,000.
        assert!((1..25).contains(&flagged), "{flagged}");
    }
}
