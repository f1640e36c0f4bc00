//! Change points: where values that follow each other in time begin to come from another distribution.
use crate::rng::Rng;

/// Values on each side of a change: one alone is an outlier.
const LEAST: usize = 2;
/// Orders of the values that a split is compared with, and of fewer than `FEW` values, whose share of as good orders is a few
/// per mille at best and must be known well.
const ORDERS: u32 = 999;
const FEW: usize = 20;
const ORDERS_OF_FEW: u32 = 9_999;
/// Sums of the same distances in another order differ by rounding.
const SAME: f64 = 1.0 - 1e-9;
/// A split must be better than all but this share of the best splits of the same values in another order: so much for each value,
/// and never more than `MOST`. With what is then found in the parts of a false change, that is one false change in 1,000 values.
/// Nine values can be parted into four and five in 126 ways, of which two are the best: nothing can be found in fewer than ten.
const CHANCE: f64 = 0.0009;
const MOST: f64 = 0.03;

/// The indices at which a new stretch begins, ascending: E-divisive, which parts values by the energy distance of the two sides and
/// asks of each part whether orders of chance part as well (Matteson and James 2014, "A nonparametric approach for multiple change
/// point analysis of multivariate data"; in use at MongoDB and in Apache Otava). No distribution is assumed.
///
/// ```
/// let level = [5.0, 5.1, 4.9, 5.0, 5.1, 4.9, 7.0, 7.1, 6.9, 7.0, 7.1, 6.9];
/// assert_eq!(stats::changes::changes(&level, 1), [6]);
/// ```
pub fn changes(values: &[f64], seed: u64) -> Vec<usize> {
    let mut found = vec![];
    if values.iter().all(|x| x.is_finite()) {
        part(values, 0, &mut Rng::new(seed), &mut found);
    }
    found.sort_unstable();
    found
}

fn part(values: &[f64], from: usize, rng: &mut Rng, found: &mut Vec<usize>) {
    let Some((at, distance)) = split(values) else { return };
    let mut other = values.to_vec();
    let chance = (CHANCE * values.len() as f64).min(MOST);
    let mut as_good = 0;
    let orders = if values.len() < FEW { ORDERS_OF_FEW } else { ORDERS };
    for _ in 0..orders {
        rng.shuffle(&mut other);
        as_good += u32::from(split(&other).is_some_and(|(_, d)| d >= SAME * distance));
        if f64::from(as_good + 1) > chance * f64::from(orders + 1) {
            return;
        }
    }
    found.push(from + at);
    part(&values[..at], from, rng, found);
    part(&values[at..], from + at, rng, found);
}

/// The position at which the two sides differ most, and its energy statistic.
fn split(values: &[f64]) -> Option<(usize, f64)> {
    let n = values.len();
    if n < 2 * LEAST {
        return None;
    }
    let away = |i: usize, others: std::ops::Range<usize>| -> f64 {
        others.map(|j| (values[i] - values[j]).abs()).sum()
    };
    // Sums of distances inside the left side, inside the right, and between; one value changes sides at a time.
    let (mut left, mut between) = (0.0, 0.0);
    let mut right: f64 = (0..n).map(|i| away(i, i + 1..n)).sum();
    let mut best: Option<(usize, f64)> = None;
    for at in 1..=n - LEAST {
        let (to_left, to_right) = (away(at - 1, 0..at - 1), away(at - 1, at..n));
        left += to_left;
        right -= to_right;
        between += to_right - to_left;
        if at < LEAST {
            continue;
        }
        let (a, b) = (at as f64, (n - at) as f64);
        let inside = |sum: f64, k: f64| sum / (k * (k - 1.0) / 2.0);
        let energy = 2.0 * between / (a * b) - inside(left, a) - inside(right, b);
        let distance = a * b / (a + b) * energy;
        if best.is_none_or(|(_, most)| distance > most) {
            best = Some((at, distance));
        }
    }
    best.filter(|(_, distance)| *distance > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums that move along are those from scratch.
    #[test]
    fn a_split_is_that_of_the_definition() {
        let values = [3.0_f64, 1.0, 4.0, 1.5, 9.0, 2.6, 8.0, 7.0];
        let mean = |pairs: Vec<(usize, usize)>| {
            let count = pairs.len() as f64;
            pairs.into_iter().map(|(i, j)| (values[i] - values[j]).abs()).sum::<f64>() / count
        };
        let inside = |from: usize, to: usize| {
            mean((from..to).flat_map(|i| (i + 1..to).map(move |j| (i, j))).collect())
        };
        let of = |at: usize| {
            let across = (0..at).flat_map(|i| (at..8).map(move |j| (i, j))).collect();
            let (a, b) = (at as f64, 8.0 - at as f64);
            a * b / (a + b) * (2.0 * mean(across) - inside(0, at) - inside(at, 8))
        };
        let best = (2..=6).max_by(|a, b| of(*a).total_cmp(&of(*b))).unwrap();
        let (at, distance) = split(&values).unwrap();
        assert!(at == best && (distance - of(best)).abs() < 1e-9, "{at} {best} {distance}");
    }

    #[test]
    fn nothing_is_found_in_few_equal_or_unknown_values() {
        for values in [&[][..], &[1.0, 9.0, 9.0], &[2.0; 40], &[1.0, f64::NAN, 9.0, 9.0, 9.0, 9.0]]
        {
            assert!(changes(values, 1).is_empty());
        }
    }
}
