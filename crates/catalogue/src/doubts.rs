//! What of the published figures does not agree with other published figures. Everything is computed anew from the data:
//! a doubt whose figures are corrected is gone.
mod claims;
mod counters;
mod machines;
mod printed;
mod readings;

use crate::reference::{Measurement, Reference};
pub(crate) use counters::of_machine;
pub(crate) use machines::distance;

/// A disagreement.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// The machine whose record tells it.
    pub machine: String,
    /// The publication's id.
    pub publication: String,
    /// The line that it is about.
    pub line: Option<u32>,
    /// A sentence without its full stop.
    pub what: String,
    /// The measurements that it is about, by id; cells of tables that hold them are marked.
    pub about: Vec<String>,
}

impl Doubt {
    fn of(m: &Measurement, what: String) -> Doubt {
        Doubt {
            machine: m.machine.clone(),
            publication: m.publication.clone(),
            line: Some(m.line),
            what,
            about: vec![m.id.clone()],
        }
    }
    /// The same, about others too.
    fn and<'a>(mut self, others: impl IntoIterator<Item = &'a Measurement>) -> Doubt {
        self.about.extend(others.into_iter().map(|m| m.id.clone()));
        self
    }
}

/// Every disagreement in the data.
pub(crate) fn all(of: &Reference) -> Vec<Doubt> {
    let checks: &[fn(&Reference, &mut Vec<Doubt>)] = &[
        printed::overheads,
        printed::no_number,
        printed::extremes,
        printed::pairs,
        printed::falls,
        printed::more_of_less,
        printed::overlaps,
        machines::distances,
        machines::other_configurations,
        machines::cores,
        counters::whose,
        counters::frequency,
        claims::share_of_intel,
        claims::share_of_x86,
        claims::doublings,
        claims::pair_of_prime,
        claims::pair_of_a_database,
        claims::network,
        claims::times_as_slow,
        claims::remote,
        claims::no_baseline,
        claims::many_cores,
        readings::ceilings,
        readings::two_changes,
        readings::dense,
        readings::order_by_system,
        readings::not_in_proportion,
    ];
    let mut found = vec![];
    checks.iter().for_each(|check| check(of, &mut found));
    found
}

/// The first figure of a workload and metric on a machine that fits.
fn first<'a>(
    of: &'a Reference,
    machine: &'a str,
    series: (&'a str, &'a str),
    fits: impl Fn(&Measurement) -> bool,
) -> Option<(&'a Measurement, f64)> {
    let (workload, metric) = series;
    let mut all = of.series(workload, metric).filter(|m| m.machine == machine && fits(m));
    all.find_map(|m| Some((m, m.value?)))
}

/// Half of the last printed digit.
fn rounding(printed: &str) -> f64 {
    let digits = printed.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    match digits[..end].split_once('.') {
        Some((_, decimals)) => 0.5 * 10f64.powi(-(decimals.len() as i32)),
        None => 0.5,
    }
}

/// Percent more of the first than of the second.
fn more(a: f64, b: f64) -> f64 {
    (a / b - 1.0) * 100.0
}
