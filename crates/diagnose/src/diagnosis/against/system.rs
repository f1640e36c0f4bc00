//! The same processor under another system, or under another setting of it: what differs beyond noise then is the kernel, its
//! settings, or software that came with it; and what of both is unlike is named, so that it can be changed one at a time. A test
//! that asks nothing of the kernel is the control: where it moved, the frequency did. Source: one model of processor under
//! two distributions, 13 % apart in a loop of divisions.
use crate::report::Report;
use crate::say;
use crate::words::{number, percent};
use record::{Between, Case, Machine, Metric, ProbeId, Record, Series, Text, unixbench};
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

pub(super) fn sentences(own: &Report<'_>, other: &Report<'_>) -> Vec<Text> {
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
    let settings = match unlike.is_empty() {
        true => say::AGAINST_NO_SETTING.into(),
        false => Text::list(unlike, Between::Comma),
    };
    let frequency = frequency(own, other);
    let moved = found.iter().any(|(case, ..)| is_control(case));
    let control = match (frequency.is_none() && controlled, moved) {
        (false, _) => None,
        (true, true) => Some(say::CONTROL_MOVED.into()),
        (true, false) => Some(say::CONTROL_SAME.into()),
    };
    let between = match one_system {
        true => say::settings_differ(system(a)),
        false => say::systems_differ(system(a), system(b)),
    };
    let (low, high) = (number(*low), number(*high));
    let ratio = match found.len() {
        1 => say::system_times(between, case, low, high),
        n => say::system_times_and_more(between, case, low, high, n - 1),
    };
    let all = [Some(ratio), frequency, control, Some(say::change_one_at_a_time(settings))];
    vec![Text::list(all.into_iter().flatten(), Between::Sentences)]
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
fn frequency(own: &Report<'_>, other: &Report<'_>) -> Option<Text> {
    let of = |r: &Report<'_>| {
        r.estimates.iter().find(|e| e.probe == ProbeId::CoreFrequency).map(|e| (e.median, e.ends()))
    };
    match of(own).zip(of(other)) {
        Some(((a, (low, _)), (b, (_, high)))) if low > high => {
            Some(say::frequency_higher(percent(a / b - 1.0)))
        }
        Some(((a, (_, high)), (b, (low, _)))) if high < low => {
            Some(say::frequency_lower(percent(1.0 - a / b)))
        }
        Some(_) => Some(say::FREQUENCY_SAME.into()),
        None => None,
    }
}

fn unlike(a: &Machine, b: &Machine) -> Vec<Text> {
    let worded = |m: &Machine, name: &str| {
        let value = crate::facts::known(m, name).ok();
        value.map_or("unknown".to_owned(), ToString::to_string)
    };
    let flaws = a.facts.keys().filter(|name| name.starts_with("kernel.mitigations."));
    let names = DECIDED.iter().map(|name| (*name).to_owned()).chain(flaws.cloned());
    let pairs = names.map(|name| (worded(a, &name), worded(b, &name), name));
    pairs
        .filter(|(a, b, _)| a != b && a != "unknown" && b != "unknown")
        .map(|(a, b, name)| say::differs(name, a, b))
        .collect()
}
