//! UnixBench's tests as JSON: every section with its scores, passes and index, and what follows from them.
use super::maybe;
use analyse::unixbench::{
    Counted, PlacementGain, Reference, Scaled, Section, Switched, TestScore, UnixBench,
};
use record::Unit;
use serde_json::{Value, json};

pub(super) fn unixbench(of: &UnixBench, references: &[Reference]) -> Value {
    json!({
        "sections": of.sections.iter().map(section).collect::<Vec<_>>(),
        "bandwidth_scalings": of.bandwidth_scalings.iter().map(scaled).collect::<Vec<_>>(),
        "gains": of.gains.iter().map(gain).collect::<Vec<_>>(),
        "switches": of.switches.iter().map(switched).collect::<Vec<_>>(),
        "references": references.iter().map(reference).collect::<Vec<_>>(),
        "says": of.says,
    })
}

fn reference(of: &Reference) -> Value {
    let index = |(test, index): &(&'static record::unixbench::Test, f64)| json!({ "test": test.name, "index": super::quantity(*index, Unit::Count) });
    json!({
        "name": of.name,
        "made": of.made,
        "copies": of.copies,
        "tests": of.indexes.iter().map(index).collect::<Vec<_>>(),
        "index": maybe(of.total, Unit::Count),
    })
}

fn counted(of: &Counted) -> Value {
    let per_second = |x: f64| super::quantity(x, Unit::PerSecond);
    json!({
        "minor_faults": per_second(of.minor_faults),
        "major_faults": per_second(of.major_faults),
        "voluntary_switches": per_second(of.waits),
        "involuntary_switches": per_second(of.preempted),
    })
}

/// A number in the unit of UnixBench's reports.
fn score(value: f64, label: &str) -> Value {
    json!({ "value": value, "unit": label })
}

fn scores(values: &[f64], label: &str) -> Value {
    json!({ "values": values, "unit": label })
}

fn section(of: &Section) -> Value {
    let missing: Vec<Value> =
        of.missing.iter().map(|(test, why)| json!({ "test": test.name, "why": why })).collect();
    json!({
        "variant": of.variant,
        "placement": of.placement,
        "start": of.start,
        "copies": of.copies,
        "cpus": of.cpus,
        "tests": of.tests.iter().map(test).collect::<Vec<_>>(),
        "missing": missing,
        "index": maybe(of.total, Unit::Count),
        "partial": of.partial(),
    })
}

fn test(of: &TestScore) -> Value {
    let label = of.test.label;
    json!({
        "test": of.test.name,
        "probe": of.test.id,
        "score": score(of.score, label),
        "baseline": score(of.test.baseline, label),
        "index": super::quantity(of.index, Unit::Count),
        "repeats": scores(&of.scores, label),
        "passes": scores(&of.passes, label),
        "kept": of.kept,
        "seconds": super::quantity(of.seconds, Unit::Seconds),
        "cv": maybe(of.cv, Unit::Ratio),
        "kernel_share": maybe(of.kernel, Unit::Ratio),
        "cpus_used": maybe(of.used, Unit::Count),
        "taken_by_others": maybe(of.taken, Unit::Ratio),
        "counted": of.counted.as_ref().map(counted),
        "ran": of.told,
        "parts": { "measured": of.parts.0, "planned": of.parts.1 },
        "parts_missing": of.lost,
    })
}

fn scaled(of: &Scaled) -> Value {
    json!({
        "test": of.test.name,
        "placement": of.placement,
        "copies": of.copies,
        "times": super::quantity(of.times, Unit::Ratio),
        "efficiency": super::quantity(of.efficiency, Unit::Ratio),
        "verdict": of.verdict.words(),
    })
}

fn gain(of: &PlacementGain) -> Value {
    let side = |(name, values): &(String, Vec<f64>)| json!({ "placement": name, "repeats": scores(values, of.test.label) });
    json!({
        "test": of.test.name,
        "copies": of.copies,
        "of": side(&of.placement),
        "against": side(&of.against),
        "ratio": super::quantity(of.ratio, Unit::Ratio),
        "apart": of.apart,
        "separation": maybe(of.separation, Unit::Ratio),
    })
}

fn switched(of: &Switched) -> Value {
    json!({
        "place": of.place,
        "cpus": of.cpus,
        "score": score(of.score, "lps"),
        "ratio": maybe(of.ratio, Unit::Ratio),
    })
}
