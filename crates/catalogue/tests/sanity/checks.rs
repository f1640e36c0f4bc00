//! The list of checks, and what they share. Each check compares reference results with other reference results.
use super::{claims, counters, machines, printed, readings};
use catalogue::{Measurement, Reference, SanityWarning};

/// A warning about one measurement.
pub(super) fn warning(m: &Measurement, what: String) -> SanityWarning {
    SanityWarning {
        machine: m.machine.clone(),
        publication: m.publication.clone(),
        line: Some(m.line),
        what,
        measurements: vec![m.id.clone()],
    }
}

/// A warning about several measurements; the first one gives its machine and line.
pub(super) fn warning_with<'a>(
    m: &Measurement,
    what: String,
    others: impl IntoIterator<Item = &'a Measurement>,
) -> SanityWarning {
    let mut warning = warning(m, what);
    warning.measurements.extend(others.into_iter().map(|m| m.id.clone()));
    warning
}

/// Every contradiction in the data.
pub(super) fn all(reference: &Reference) -> Vec<SanityWarning> {
    let checks: &[fn(&Reference, &mut Vec<SanityWarning>)] = &[
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
    checks.iter().for_each(|check| check(reference, &mut found));
    found
}

/// The first figure of a workload and metric on a machine that fits.
pub(super) fn first<'a>(
    reference: &'a Reference,
    machine: &'a str,
    series: (&'a str, &'a str),
    fits: impl Fn(&Measurement) -> bool,
) -> Option<(&'a Measurement, f64)> {
    let (workload, metric) = series;
    let mut all = reference.series(workload, metric).filter(|m| m.machine == machine && fits(m));
    all.find_map(|m| Some((m, m.value?)))
}

/// Half of the last printed digit.
pub(super) fn rounding(printed: &str) -> f64 {
    let digits = printed.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
    match digits[..end].split_once('.') {
        Some((_, decimals)) => 0.5 * 10f64.powi(-(decimals.len() as i32)),
        None => 0.5,
    }
}

/// Percent more of the first than of the second.
pub(super) fn more(a: f64, b: f64) -> f64 {
    (a / b - 1.0) * 100.0
}
