//! What is said about a handful of values: median, its interval, spread.

/// The middle value; the mean of the two middle ones.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Linear interpolation between order statistics (Hyndman and Fan 1996, type 7).
pub(crate) fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = share.clamp(0.0, 1.0) * last as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    Some(low + (high - low) * at.fract())
}

/// Between which order statistics the median lies with 95 % confidence, whatever the distribution; the extremes for fewer
/// than six values, which hold it less surely.
pub(crate) fn median_interval(values: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len();
    // The number of values below the median is binomial with a half: so many of the lowest may be left out.
    let mut term = 0.5f64.powi(i32::try_from(count).ok()?);
    let (mut tail, mut out) = (0.0, 0);
    while out < count / 2 {
        tail += term;
        if tail > 0.025 {
            break;
        }
        out += 1;
        term *= (count - out + 1) as f64 / out as f64;
    }
    let low = out.saturating_sub(1);
    Some((*sorted.get(low)?, sorted[count - 1 - low]))
}

/// Standard deviation over mean; nothing for fewer than two values.
pub(crate) fn variation(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (values.len() > 1 && mean != 0.0).then(|| (squares / (count - 1.0)).sqrt() / mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(quantile(&values, 0.25), Some(1.75));
        assert_eq!(quantile(&values, 1.0), Some(4.0));
        assert_eq!(median(&[]), None);
    }

    /// Ranks from tables of the sign test: 6 values need their extremes, 20 may lose 5 on either side.
    #[test]
    fn the_interval_of_the_median_has_the_ranks_of_the_sign_test() {
        let interval = |n: u32| median_interval(&(1..=n).map(f64::from).collect::<Vec<_>>());
        assert_eq!(interval(0), None);
        assert_eq!(interval(3), Some((1.0, 3.0)));
        assert_eq!(interval(7), Some((1.0, 7.0)));
        assert_eq!(interval(20), Some((6.0, 15.0)));
        assert_eq!(interval(100), Some((40.0, 61.0)));
    }

    #[test]
    fn variation_is_relative() {
        assert_eq!(variation(&[1.0, 1.0]), Some(0.0));
        assert_eq!(variation(&[9.0, 11.0]), variation(&[90.0, 110.0]));
        assert_eq!(variation(&[1.0]), None);
    }
}
