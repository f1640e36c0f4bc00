//! The saturation point of a curve that rises to a limit: the number of threads that use memory up.
//!
//! The highest of several noisy values is too high by chance, so the limit is the median of all points that do not differ
//! significantly from the highest. What is found is a point that was measured, with the range of points that it may be. A curve whose
//! only such point is its last has not been seen to end. Coverage by simulation: `tests/promise/saturation.rs`.

/// A measured point with the interval that its value lies in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Its value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// The saturation point of a curve. Points are counted from 0 in the order of the curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saturation {
    /// The limit: the level of the points that do not differ significantly from the highest.
    pub limit: f64,
    /// The first point whose value is near enough to the limit.
    pub first: usize,
    /// The first point that may be.
    pub earliest: usize,
    /// The first point that is for sure, if any is.
    pub latest: Option<usize>,
    /// Whether a later point shows that no more comes of going on; otherwise the curve still rises where it ends.
    pub seen: bool,
}

/// Finds where the curve first reaches `share` of its limit; nothing for fewer than two points, or for values
/// that are no positive numbers.
pub fn saturation(points: &[Point], share: f64) -> Option<Saturation> {
    let sound =
        |p: &Point| p.value.is_finite() && p.value > 0.0 && p.low <= p.value && p.value <= p.high;
    if points.len() < 2 || !points.iter().all(sound) {
        return None;
    }
    let highest = points.iter().max_by(|a, b| a.value.total_cmp(&b.value))?;
    let mut top: Vec<f64> =
        points.iter().filter(|p| p.high >= highest.low).map(|p| p.value).collect();
    top.sort_by(f64::total_cmp);
    let middle = top.len() / 2;
    let limit = if top.len().is_multiple_of(2) {
        f64::midpoint(top[middle - 1], top[middle])
    } else {
        top[middle]
    };
    let enough = limit * share;
    let first = points.iter().position(|p| p.value >= enough)?;
    Some(Saturation {
        limit,
        first,
        earliest: points.iter().position(|p| p.high >= enough)?,
        latest: points.iter().position(|p| p.low >= enough),
        seen: first + 1 < points.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(values: &[f64]) -> Vec<Point> {
        values.iter().map(|v| Point { value: *v, low: *v, high: *v }).collect()
    }

    #[test]
    fn the_first_point_near_the_limit_is_found() {
        let found = saturation(&exact(&[30.0, 60.0, 90.0, 98.0, 100.0, 99.0]), 0.95).unwrap();
        assert_eq!((found.first, found.earliest, found.latest), (3, 3, Some(3)));
        assert_eq!((found.limit, found.seen), (100.0, true));
    }

    #[test]
    fn a_curve_that_rises_to_its_end_is_not_saturated() {
        let found = saturation(&exact(&[30.0, 60.0, 90.0, 120.0]), 0.95).unwrap();
        assert_eq!((found.first, found.seen), (3, false));
    }

    /// Too many threads get in each other's way: the limit is still the best that was reached.
    #[test]
    fn a_curve_may_fall_again() {
        let found = saturation(&exact(&[40.0, 80.0, 100.0, 90.0, 70.0]), 0.95).unwrap();
        assert_eq!((found.limit, found.first, found.seen), (100.0, 2, true));
    }

    #[test]
    fn noise_widens_the_range_and_lowers_the_limit_to_the_level() {
        let noisy = |value: f64| Point { value, low: value - 3.0, high: value + 3.0 };
        let points: Vec<Point> = [50.0, 94.0, 101.0, 97.0, 99.0].map(noisy).into();
        let found = saturation(&points, 0.95).unwrap();
        assert_eq!((found.earliest, found.first, found.latest), (1, 2, Some(2)));
        assert_eq!(found.limit, 99.0);
    }

    #[test]
    fn what_is_no_curve_has_no_saturation() {
        assert_eq!(saturation(&exact(&[1.0]), 0.95), None);
        assert_eq!(saturation(&exact(&[1.0, f64::NAN]), 0.95), None);
        assert_eq!(saturation(&exact(&[1.0, -1.0]), 0.95), None);
    }
}
