//! Values that come from more than one state: reported apart, never averaged.

use crate::Sample;

/// One state and how often it was seen.
///
/// ```
/// // Two cores that sometimes share a last-level cache and sometimes do not, in nanoseconds.
/// let modes = stats::modes::modes(&[25.0, 122.0, 26.0, 24.0, 121.0], 1.5);
/// assert_eq!(modes.len(), 2);
/// assert_eq!((modes[0].level, modes[0].count), (25.0, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Median of the values in this state.
    pub level: f64,
    /// The number of values in it. A mode of one value is an outlier until it is seen again.
    pub count: usize,
}

/// Splits the sorted values wherever one is more than `ratio` times the one below; lowest mode first.
///
/// Empty for no values, for a value that is not positive and finite, and for a ratio below 1: no ratio is defined.
pub fn modes(xs: &[f64], ratio: f64) -> Vec<Mode> {
    Sample::new(xs).map_or_else(Vec::new, |sample| of_sample(&sample, ratio))
}

/// [`modes`] of values that have been sorted already.
pub fn of_sample(sample: &Sample<'_>, ratio: f64) -> Vec<Mode> {
    if sample.min() <= 0.0 || ratio.is_nan() || ratio < 1.0 {
        return Vec::new();
    }
    sample
        .sorted()
        .chunk_by(|below, above| *above <= below * ratio)
        .map(|group| Mode { level: crate::order::quantile(group, 0.5), count: group.len() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_state_stays_one() {
        assert_eq!(modes(&[10.0, 11.0, 12.0], 1.5), [Mode { level: 11.0, count: 3 }]);
    }

    #[test]
    fn the_gap_decides_not_the_range() {
        // 10 to 40 in steps below 1.5: one creeping state, not three.
        assert_eq!(modes(&[10.0, 14.0, 20.0, 28.0, 40.0], 1.5).len(), 1);
        assert_eq!(modes(&[10.0, 15.1], 1.5).len(), 2);
    }

    #[test]
    fn values_without_a_ratio_have_no_modes() {
        assert!(modes(&[], 1.5).is_empty());
        assert!(modes(&[1.0, 0.0], 1.5).is_empty());
        assert!(modes(&[1.0, f64::INFINITY], 1.5).is_empty());
        assert!(modes(&[1.0], f64::NAN).is_empty());
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_levels_stay_apart(xs in prop::collection::vec(1e-9..1e9_f64, 1..50), ratio in 1.0..4.0_f64) {
            let found = modes(&xs, ratio);
            prop_assert_eq!(found.iter().map(|mode| mode.count).sum::<usize>(), xs.len());
            for pair in found.windows(2) {
                prop_assert!(pair[1].level > pair[0].level * ratio);
            }
        }
    }
}
