//! Why workloads are faster or slower, as data: each factor on both sides with where it comes from, and what is left.
use super::{interval, quantity};
use analyse::Interval;
use analyse::explain::{Amount, Explanation, Factor, Parts, Times};
use record::Unit;
use serde_json::{Value, json};

pub(super) fn one(of: &Explanation) -> Value {
    let (parts, declined) = match &of.parts {
        Ok(parts) => (Some(self::parts(parts)), None),
        Err(why) => (None, Some(json!({ "why": why.why, "remedy": why.remedy }))),
    };
    json!({
        "record": of.side,
        "probe": of.probe,
        "metric": of.metric,
        "at": of.at,
        "times_as_fast": of.ratio,
        "main": of.main().map(|(factor, _)| factor.name()),
        "told": of.told,
        "unlike": of.unlike.iter().map(|u| super::compared::unlike(u, "")).collect::<Vec<_>>(),
        "parts": parts,
        "declined": declined,
    })
}

fn parts(of: &Parts) -> Value {
    let steps = of.steps.iter().map(|step| {
        let side = |i: usize| step.sides[i].as_ref().map(|a| amount(step.factor, a));
        let (times, unknown) = match &step.times {
            Ok(times) => (Some(self::times(times)), None),
            Err(why) => (None, Some(json!({ "why": why.why, "remedy": why.remedy }))),
        };
        json!({
            "factor": step.factor.name(),
            "baseline": side(0),
            "here": side(1),
            "times": times,
            "unknown": unknown,
        })
    });
    let holds: Vec<&str> = of.rest.holds.iter().map(|f| f.name()).collect();
    json!({
        "factors": steps.collect::<Vec<_>>(),
        "rest": { "times": times(&of.rest.times), "holds": holds, "residual": holds.is_empty() },
    })
}

fn amount(factor: Factor, of: &Amount) -> Value {
    json!({
        "value": quantity(of.value, factor.unit()),
        "range": range(of.low, of.high, factor.unit()),
        "how": of.how.word(),
        "from": of.from,
    })
}

fn times(of: &Times) -> Value {
    json!({
        "value": of.value,
        "log": of.value.ln(),
        "range": range(of.low, of.high, Unit::Ratio),
        "how": of.how.word(),
    })
}

/// What it can have been: every value of the range is possible, so it is no interval of a confidence.
fn range(low: f64, high: f64, unit: Unit) -> Value {
    let whole = interval(Some(Interval { low, high, confidence: 1.0 }), unit);
    if low == high { Value::Null } else { whole }
}
