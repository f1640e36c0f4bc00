//! The shift between paired values: Hodges and Lehmann's estimate with the interval of Wilcoxon's signed ranks
//! (Hollander & Wolfe, "Nonparametric Statistical Methods", 3.1 to 3.3), for one look at the data or several.

use crate::Interval;

/// Looks at growing data of a sequential test, evenly spread: a quarter of it, half, three quarters, all.
pub const LOOKS: usize = 4;
/// The confidence of each of [`LOOKS`] looks with which all of them together err in 5 % (Pocock 1977, table 1: 0.0182).
pub const LOOK_CONFIDENCE: f64 = 1.0 - 0.0182;
/// From this many pairs on the distribution of the rank sum is taken as normal; it differs by less than 0.1 % there.
const NORMAL_FROM: usize = 64;
/// Pairs that are averaged with each other; the averages of more are half a million and more.
const MOST: usize = 1024;

/// The decision from the pairs of one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// There is a shift: its interval does not hold zero.
    Differs,
    /// There is none as large as was asked for.
    Same,
    /// More pairs could tell.
    Open,
}

/// Decides at one of [`LOOKS`] looks whether there is a shift, or none of `least` or more to either side. A shift that is known
/// to be smaller than that, and is nearer to none, is none.
pub fn decide(differences: &[f64], least: f64) -> Decision {
    let found = shift(differences, LOOK_CONFIDENCE);
    let Some((shift, interval)) = found.and_then(|s| Some((s.estimate, s.interval?))) else {
        return Decision::Open;
    };
    let is_shifted = interval.low > 0.0 || interval.high < 0.0;
    let is_small = interval.low > -least && interval.high < least;
    match (is_small, is_shifted) {
        (true, true) if shift.abs() > 0.5 * least => Decision::Differs,
        (true, _) => Decision::Same,
        (false, true) => Decision::Differs,
        (false, false) => Decision::Open,
    }
}

/// The middle of the differences between pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// Median of the averages of all pairs of differences, in their unit.
    pub estimate: f64,
    /// Its interval; `None` where there are too few pairs to be that sure.
    pub interval: Option<Interval>,
}

/// The shift of these differences, exact where each is as likely to have either sign if there is none: so it is if which side
/// of a pair came first was drawn at random. `None` for no values, and if one is not finite. Of more than 1,024 the
/// first ones count.
///
/// ```
/// let shift = stats::paired::shift(&[0.9, 1.1, 1.0, 1.2, 0.8, 1.05, 0.95], 0.95).unwrap();
/// assert_eq!(shift.estimate, 1.0);
/// assert!(shift.interval.unwrap().low > 0.8);
/// assert!(stats::paired::shift(&[1.0, 1.1], 0.95).unwrap().interval.is_none());
/// ```
pub fn shift(differences: &[f64], confidence: f64) -> Option<Shift> {
    let xs = &differences[..differences.len().min(MOST)];
    if xs.is_empty() || xs.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let mut averages: Vec<f64> =
        (0..xs.len()).flat_map(|i| xs[i..].iter().map(move |x| 0.5 * (xs[i] + x))).collect();
    averages.sort_by(f64::total_cmp);
    let last = averages.len() - 1;
    let estimate = 0.5 * (averages[last / 2] + averages[last.div_ceil(2)]);
    let end = rank_sum_quantile(xs.len(), 0.5 * (1.0 - confidence));
    let interval = end.map(|at| Interval {
        low: averages[at.min(last / 2)],
        high: averages[last - at.min(last / 2)],
        confidence,
    });
    Some(Shift { estimate, interval })
}

/// Pairs below which no interval of this confidence exists.
pub fn fewest(confidence: f64) -> usize {
    (1..NORMAL_FROM)
        .find(|n| rank_sum_quantile(*n, 0.5 * (1.0 - confidence)).is_some())
        .unwrap_or(NORMAL_FROM)
}

/// The largest w with P(W ≤ w) ≤ `tail`, W being the sum of the ranks of n values with a positive sign, each as likely
/// as a negative one.
fn rank_sum_quantile(n: usize, tail: f64) -> Option<usize> {
    if n >= NORMAL_FROM {
        let nf = n as f64;
        let mean = nf * (nf + 1.0) / 4.0;
        let sd = (nf * (nf + 1.0) * (2.0 * nf + 1.0) / 24.0).sqrt();
        return Some(
            (mean - crate::distribution::normal_quantile(1.0 - tail) * sd - 0.5).floor() as usize
        );
    }
    let mut ways = vec![0.0; n * (n + 1) / 2 + 1];
    ways[0] = 0.5f64.powi(n as i32);
    for rank in 1..=n {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let mut below = 0.0;
    let fits = ways.iter().take_while(|way| {
        below += *way;
        below <= tail
    });
    fits.count().checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table A.4 of Hollander & Wolfe: P(W ≤ 2) = 0.0234 for n = 7, P(W ≤ 8) = 0.0244 for n = 10.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        assert_eq!(rank_sum_quantile(7, 0.025), Some(2));
        assert_eq!(rank_sum_quantile(10, 0.025), Some(8));
        assert_eq!((rank_sum_quantile(5, 0.025), rank_sum_quantile(6, 0.025)), (None, Some(0)));
        assert_eq!((fewest(0.95), fewest(LOOK_CONFIDENCE)), (6, 7));
        let exact = rank_sum_quantile(NORMAL_FROM - 1, 0.0091).unwrap() as f64;
        let normal = rank_sum_quantile(NORMAL_FROM, 0.0091).unwrap() as f64;
        assert!((normal / exact - 1.033).abs() < 0.01, "{exact} {normal}");
    }

    #[test]
    fn a_shift_moves_the_interval_and_nothing_else() {
        let noise = [0.3, -0.2, 0.1, 0.0, -0.4, 0.25, -0.1, 0.15];
        let at = |by: f64| shift(&noise.map(|x| x + by), 0.95).unwrap();
        let (zero, one) = (at(0.0), at(1.0));
        assert!((one.estimate - zero.estimate - 1.0).abs() < 1e-12);
        let (a, b) = (zero.interval.unwrap(), one.interval.unwrap());
        assert!(a.low < 0.0 && a.high > 0.0 && b.low > 0.5);
        assert!((b.high - b.low - a.high + a.low).abs() < 1e-12);
        assert!(shift(&[], 0.95).is_none() && shift(&[f64::NAN], 0.95).is_none());
    }
}
