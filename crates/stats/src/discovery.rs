//! Many questions at once: how far each answer may be believed when hundreds are asked (Benjamini & Hochberg 1995).

/// The adjusted probability of each, in the order given. Calling every row different whose adjusted value is at most q
/// keeps the false ones among them below q on average; where nothing differs at all, it cries in at most a share q of
/// all comparisons, however many rows they have. It holds for rows that are independent or rise and fall together
/// (Benjamini & Yekutieli 2001), as those of one machine do.
///
/// A value that is not a number counts as 1: it is no evidence.
///
/// ```
/// assert_eq!(stats::discovery::adjusted(&[0.01, 0.5, 0.02]), [0.03, 0.5, 0.03]);
/// ```
pub fn adjusted(p: &[f64]) -> Vec<f64> {
    let value = |i: usize| if p[i].is_nan() { 1.0 } else { p[i].clamp(0.0, 1.0) };
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_unstable_by(|a, b| value(*a).total_cmp(&value(*b)));
    let mut found = vec![1.0; p.len()];
    let mut least = 1.0_f64;
    for (rank, index) in order.iter().enumerate().rev() {
        least = least.min(value(*index) * p.len() as f64 / (rank + 1) as f64);
        found[*index] = least;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand after the paper: the p times m over its rank, never more than that of a larger p.
    #[test]
    fn the_example_by_hand() {
        let found = adjusted(&[0.04, 0.001, 0.03, 0.9]);
        let expected = [0.16 / 3.0, 0.004, 0.16 / 3.0, 0.9];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn one_question_needs_no_adjustment_and_none_has_no_answer() {
        assert_eq!(adjusted(&[0.03]), [0.03]);
        assert!(adjusted(&[]).is_empty());
        assert_eq!(adjusted(&[f64::NAN, 0.01]), [1.0, 0.02]);
    }
}
