//! The same processor under another system, or under another setting of it: what differs beyond noise then is the kernel, its
//! settings, or software that came with it; and what of both is unlike is named, so that it can be changed one at a time. A test
//! that asks nothing of the kernel is the control: where it moved, the frequency did. Source: one model of processor under
//! two distributions, 13 % apart in a loop of divisions.
use crate::report::Report;
use crate::words::{number, percent};
use record::{Case, Machine, Metric, ProbeId, Record, Series, unixbench};
use stats::compare;

/// Tests that share little with the rest of the machine: what they differ by is no other user's doing.
const STEADY: &[ProbeId] = &[
    ProbeId::Prime,
    ProbeId::Bc,
    ProbeId::Openssl,
    ProbeId::CoreRate,
    ProbeId::ScalingRun,
    ProbeId::Syscall,
    ProbeId::Dhry2reg,
];
/// A difference below this is none worth acting on.
const WORTH: f64 = 0.03;
/// The one of UnixBench's tests that asks nothing of the kernel and of a library next to nothing.
const CONTROL: ProbeId = ProbeId::Dhry2reg;
/// Facts that a system decides.
const DECIDED: &[&str] = &[
    "cpu.governor",
    "cpu.driver",
    "kernel.hz",
    "kernel.cmdline.mitigations",
    "kernel.kpti",
    "kernel.preemption",
    "kernel.sched_ext",
    "kernel.cache_aware",
    "memory.numa_balancing",
    "memory.thp.enabled",
];

pub(super) fn sentences(own: &Report<'_>, other: &Report<'_>) -> Vec<String> {
    let (a, b) = (&own.record.machine, &other.record.machine);
    let same = |name: &str| a.text(name).is_some() && a.text(name) == b.text(name);
    let cpus = |m: &Machine| m.topology.online().len();
    let one_system = same("kernel.release") && same("os.name");
    let unlike = unlike(a, b);
    if !same("cpu.model") || cpus(a) != cpus(b) || (one_system && unlike.is_empty()) {
        return vec![];
    }
    let system = |m: &Machine| {
        let parts = ["os.name", "kernel.release"].map(|name| m.text(name).unwrap_or("unknown"));
        parts.join(", kernel ")
    };
    let theirs = steady(other.record);
    let mut controlled = false;
    let mut found: Vec<(String, f64, f64)> = vec![];
    for x in steady(own.record) {
        let alike = |y: &&Steady<'_>| x.case == y.case && alike(x.series, y.series);
        let Some(y) = theirs.iter().find(alike) else { continue };
        let Some(ratio) = compare::ratio(&x.samples, &y.samples, 1) else { continue };
        controlled |= is_control(&x.case);
        if ratio.distinguishable && (ratio.estimate - 1.0).abs() > WORTH {
            found.push((x.case, ratio.interval.low, ratio.interval.high));
        }
    }
    let Some((case, low, high)) = found.first() else { return vec![] };
    let kernel = match unlike.is_empty() {
        true => "no setting that the records tell".to_owned(),
        false => unlike.join(", "),
    };
    let frequency = frequency(own, other);
    let moved = found.iter().any(|(case, ..)| is_control(case));
    let control = match (frequency.is_empty() && controlled, moved) {
        (false, _) => "",
        (true, true) => {
            " dhry2reg, which asks nothing of the kernel, is among them: look at the frequency before a setting is blamed."
        }
        (true, false) => " dhry2reg, which asks nothing of the kernel, is the same on both.",
    };
    let between = match one_system {
        true => format!(
            "The processor and the system are the same ({}), and its settings are not",
            system(a)
        ),
        false => format!(
            "The processor is the same and the system is not ({} and {})",
            system(a),
            system(b)
        ),
    };
    vec![format!(
        "{between}: {case} is {} to {} times the other's{}, beyond noise.{frequency}{control} Different between the systems: {kernel}. Change one at a time; a library or server of another version cannot be separated from the kernel.",
        number(*low),
        number(*high),
        match found.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        }
    )]
}

/// Whether a case is of the test that is the control.
fn is_control(case: &str) -> bool {
    case.split(' ').next() == Some(CONTROL.as_str())
}

/// The result of a steady test.
struct Steady<'a> {
    /// The case in one line, without which turn and repeat it was.
    case: String,
    /// The first of its series.
    series: &'a Series,
    samples: Vec<f64>,
}

fn alike(a: &Series, b: &Series) -> bool {
    (&a.metric, &a.at, a.unit) == (&b.metric, &b.at, b.unit)
}

/// The samples of every steady test. A test of UnixBench has its passes in turns and repeats, which are one sample; what else it
/// states is how the machine was used.
fn steady(record: &Record) -> Vec<Steady<'_>> {
    let mut all: Vec<Steady<'_>> = vec![];
    for run in record.runs.iter().filter(|r| STEADY.contains(&r.case.probe)) {
        let of_test = unixbench::of_probe(run.case.probe).is_some();
        let case = if of_test { whole(&run.case) } else { run.case.label() };
        for s in run.series().iter().filter(|s| !of_test || s.metric == Metric::Rate) {
            let same =
                |known: &&mut Steady<'_>| of_test && known.case == case && alike(known.series, s);
            match all.iter_mut().find(same) {
                Some(known) => known.samples.extend(s.undisturbed()),
                None => {
                    all.push(Steady { case: case.clone(), series: s, samples: s.undisturbed() });
                }
            }
        }
    }
    all
}

/// A test with all of its turns and repeats.
fn whole(case: &Case) -> String {
    let mut case = case.clone();
    for part in ["turn", "repeat"] {
        case.params.remove(part);
    }
    case.label()
}

/// Whether the frequency explains it.
fn frequency(own: &Report<'_>, other: &Report<'_>) -> String {
    let of = |r: &Report<'_>| {
        r.estimates.iter().find(|e| e.probe == ProbeId::CoreFrequency).map(|e| (e.median, e.ends()))
    };
    match of(own).zip(of(other)) {
        Some(((a, (low, _)), (b, (_, high)))) if low > high => {
            format!(" Its frequency is {} higher.", percent(a / b - 1.0))
        }
        Some(((a, (_, high)), (b, (low, _)))) if high < low => {
            format!(" Its frequency is {} lower.", percent(1.0 - a / b))
        }
        Some(_) => " Both run at the same frequency.".into(),
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
