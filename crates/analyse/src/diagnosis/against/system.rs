//! The same processor under another system: what differs beyond noise then is the kernel, its settings, or software that came
//! with it; and what of both is unlike is named, so that it can be changed one at a time. Source: one model of processor under
//! two distributions, 13 % apart in a loop of divisions.
use crate::estimate::Estimate;
use crate::report::Report;
use crate::words::{number, percent};
use record::{Machine, Outcome};
use stats::compare;

/// Tests that share little with the rest of the machine: what they differ by is no other user's doing.
const STEADY: &[&str] = &["prime", "bc", "openssl", "core_rate", "ladder", "syscall", "dhry2reg"];
/// A difference below this is none worth acting on.
const WORTH: f64 = 0.03;
/// Facts that a system decides.
const DECIDED: &[&str] = &[
    "cpu.governor",
    "cpu.driver",
    "kernel.hz",
    "kernel.kpti",
    "kernel.preemption",
    "memory.numa_balancing",
    "memory.thp.enabled",
];

pub(super) fn says(own: &Report<'_>, other: &Report<'_>) -> Vec<String> {
    let (a, b) = (&own.record.machine, &other.record.machine);
    let same = |name: &str| a.text(name).is_some() && a.text(name) == b.text(name);
    let cpus = |m: &Machine| m.topology.online().len();
    if !same("cpu.model") || cpus(a) != cpus(b) || (same("kernel.release") && same("os.name")) {
        return vec![];
    }
    let system = |m: &Machine| {
        let parts = ["os.name", "kernel.release"].map(|name| m.text(name).unwrap_or("unknown"));
        parts.join(", kernel ")
    };
    let mut found: Vec<(String, f64, f64)> = vec![];
    for x in own.estimates.iter().filter(|e| STEADY.contains(&e.probe.as_str())) {
        let alike = |y: &&Estimate| {
            (&x.case, &x.metric, &x.at, x.unit) == (&y.case, &y.metric, &y.at, y.unit)
        };
        let Some(y) = other.estimates.iter().find(alike) else { continue };
        let (Some(p), Some(q)) = (samples(own, x), samples(other, y)) else { continue };
        let Some(ratio) = compare::ratio(&p, &q, 1) else { continue };
        if ratio.distinguishable && (ratio.estimate - 1.0).abs() > WORTH {
            found.push((x.case.clone(), ratio.interval.low, ratio.interval.high));
        }
    }
    let Some((case, low, high)) = found.first() else { return vec![] };
    let unlike = unlike(a, b);
    let kernel = match unlike.is_empty() {
        true => "no setting that the records tell".to_owned(),
        false => unlike.join(", "),
    };
    let clock = clock(own, other);
    vec![format!(
        "The processor is the same and the system is not ({} and {}): {case} is {} to {} times the other's{}, beyond noise.{clock} Unlike between the systems: {kernel}. Change one at a time; a library or server of another version is not told apart from the kernel.",
        system(a),
        system(b),
        number(*low),
        number(*high),
        match found.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        }
    )]
}

fn samples(report: &Report<'_>, e: &Estimate) -> Option<Vec<f64>> {
    match &report.record.runs.get(e.run)?.outcome {
        Outcome::Measured(series) => Some(series.get(e.series)?.unmarked()),
        _ => None,
    }
}

/// Whether the clock explains it.
fn clock(own: &Report<'_>, other: &Report<'_>) -> String {
    let of = |r: &Report<'_>| {
        r.estimates.iter().find(|e| e.probe == "core_clock").map(|e| (e.median, e.ends()))
    };
    match of(own).zip(of(other)) {
        Some(((a, (low, _)), (b, (_, high)))) if low > high => {
            format!(" Its clock is {} higher.", percent(a / b - 1.0))
        }
        Some(((a, (_, high)), (b, (low, _)))) if high < low => {
            format!(" Its clock is {} lower.", percent(1.0 - a / b))
        }
        Some(_) => " Both run at the same clock.".into(),
        None => String::new(),
    }
}

fn unlike(a: &Machine, b: &Machine) -> Vec<String> {
    let worded = |m: &Machine, name: &str| {
        let value = crate::facts::known(m, name).ok();
        value.map_or("unknown".to_owned(), ToString::to_string)
    };
    let flaws = a.facts.keys().filter(|name| name.starts_with("kernel.mitigations."));
    let names = DECIDED.iter().map(|name| (*name).to_owned()).chain(flaws.cloned());
    let pairs = names.map(|name| (worded(a, &name), worded(b, &name), name));
    pairs
        .filter(|(a, b, _)| a != b && a != "unknown" && b != "unknown")
        .map(|(a, b, name)| format!("{name} ({a} and {b})"))
        .collect()
}
