//! Numbers of the command line, or what such a number has to be.
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// The most CPUs that a kernel has (NR_CPUS).
pub const MOST_CORES: usize = 8192;

/// A whole number of this range.
///
/// # Errors
/// The text is none: what it has to be.
pub fn whole<T: FromStr + PartialOrd + Display + Clone>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let known = text.parse().ok().filter(|n| range.contains(n));
        known.ok_or_else(|| format!("a whole number, {} to {}", range.start(), range.end()))
    }
}

/// A number that fits; else what it has to be.
///
/// # Errors
/// It does not fit.
pub fn number(text: &str, fits: impl Fn(&f64) -> bool, what: &str) -> Result<f64, String> {
    text.parse().ok().filter(fits).ok_or_else(|| what.to_owned())
}

/// A time from a hundredth of a second on.
///
/// # Errors
/// The text is none.
pub fn some_seconds(text: &str) -> Result<f64, String> {
    number(text, |s| (0.01..=1e6).contains(s), "a number of seconds, 0.01 to 1000000")
}
