//! Words of the command line as names and numbers, or what such a word has to be.
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// The most CPUs that a kernel has (NR_CPUS).
pub const MOST_CORES: usize = 8192;

/// One of these, by its name.
pub fn one_of<T: Clone + Send + Sync + 'static, const N: usize>(
    all: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.each_ref().map(|(name, _)| *name)).try_map(move |text| {
        let found = all.iter().find(|(name, _)| *name == text);
        found.map(|(_, one)| one.clone()).ok_or("no such name")
    })
}

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

/// A name and its value.
///
/// # Errors
/// One of them is missing.
pub fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("it takes NAME=VALUE, as in pages=base or rack=a12".into()),
    }
}
