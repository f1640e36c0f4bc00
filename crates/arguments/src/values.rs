//! Single words of the command line as values, or what such a word has to be.
use crate::Automatic;
pub(crate) use measure::values::{MOST_CORES, number, one_of, parameter, some_seconds, whole};

/// UnixBench writes one of its names with a hyphen.
pub(crate) fn test_of_unixbench(text: &str) -> Result<String, String> {
    let id = text.replace('-', "_");
    let tests = workloads::unixbench::TESTS.map(|(test, _)| test.as_str());
    match tests.contains(&&*id) {
        true => Ok(id),
        false => Err(format!("the tests are {}", tests.join(", "))),
    }
}

pub(crate) fn amount(text: &str) -> Result<(String, f64), String> {
    let known = text.rsplit_once('=').and_then(|(name, x)| Some((name, x.parse::<f64>().ok()?)));
    match known {
        Some((name, x)) if !name.is_empty() && x.is_finite() && x > 0.0 => Ok((name.to_owned(), x)),
        _ => Err("a record and a number above 0, as in db1.json=350".into()),
    }
}

pub(crate) fn automatic(text: &str) -> Result<Automatic, String> {
    match text {
        "auto" => Ok(Automatic(None)),
        _ => some_cores(text).map(|n| Automatic(Some(n))).map_err(|e| format!("auto, or {e}")),
    }
}

/// Parses a number of cores, at most as many as a kernel can have CPUs (NR_CPUS).
pub(crate) fn some_cores(text: &str) -> Result<usize, String> {
    whole(1..=MOST_CORES)(text)
}

/// A command line in one word.
#[derive(Debug, Clone)]
pub struct Words(pub Vec<String>);

/// Split as a shell does, without its variables and operators.
pub(crate) fn words(text: &str) -> Result<Words, String> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(Words(words)),
        Some(_) => Err("a command".into()),
        None => Err("a command, of which every quote is closed".into()),
    }
}

/// From what a counter resolves to a second, in nanoseconds; gives seconds.
pub(crate) fn nanoseconds(text: &str) -> Result<f64, String> {
    let fits = |ns: &f64| (10.0..=1e9).contains(ns);
    Ok(number(text, fits, "a number of nanoseconds, 10 to 1000000000")? * 1e-9)
}

pub(crate) fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.1..=1.0).contains(share), "a share of the time, 0.1 to 1")
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let fits = |s: &f64| s.is_finite() && *s >= 1.0;
    number(text, fits, "a time budget is a number of seconds, at least 1")
}

pub(crate) fn patience(text: &str) -> Result<f64, String> {
    number(text, |s| (0.0..=3600.0).contains(s), "a number of seconds, 0 to 3600")
}

/// The longest time that can be waited for is a year.
pub(crate) fn duration(text: &str) -> Result<f64, String> {
    let fits = |s: &f64| *s > 0.0 && *s <= 365.0 * 86_400.0;
    number(text, fits, "a time limit is a number of seconds, more than 0 and at most a year")
}
