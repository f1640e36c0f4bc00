//! An interval with its confidence.

/// A confidence interval, in the unit of the values it was made from.
///
/// ```
/// let interval = stats::Interval { low: 9.8, high: 10.2, confidence: 0.95 };
/// assert!((interval.half_width_relative(10.0) - 0.02).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end, in the unit of the value.
    pub low: f64,
    /// Upper end, in the unit of the value; never below `low`.
    pub high: f64,
    /// The confidence asked for, a share between 0 and 1; the function that made the interval states what is covered.
    pub confidence: f64,
}

impl Interval {
    /// Half the width, in the unit of the values.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The lower and the upper end.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Half the width as a fraction of `center`: the "± 2 %" of a printed value. Infinite around a center of zero,
    /// unless the interval has no width at all.
    pub fn half_width_relative(&self, center: f64) -> f64 {
        let half = self.half_width();
        if half == 0.0 { 0.0 } else { half / center.abs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_center_is_no_precision() {
        let wide = Interval { low: -1.0, high: 1.0, confidence: 0.9 };
        assert_eq!(wide.half_width_relative(0.0), f64::INFINITY);
        assert_eq!(wide.half_width_relative(-4.0), 0.25);
        assert_eq!(Interval { low: 0.0, high: 0.0, confidence: 0.9 }.half_width_relative(0.0), 0.0);
    }
}
