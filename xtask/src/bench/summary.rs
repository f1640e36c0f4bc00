//! What is said about a handful of values: median, spread, quartiles.

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

    #[test]
    fn variation_is_relative() {
        assert_eq!(variation(&[1.0, 1.0]), Some(0.0));
        assert_eq!(variation(&[9.0, 11.0]), variation(&[90.0, 110.0]));
        assert_eq!(variation(&[1.0]), None);
    }
}
