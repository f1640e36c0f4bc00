//! Words that the sections of a comparison and its first screen share.
use crate::{origin, quantity};
use analyse::Interval;
use analyse::compare::{Comparison, Incomparable, Quantity, Row};
use analyse::explain::Factor;
use record::{Metric, Text, Unit};

/// More records than this stand below each other, not side by side.
pub(crate) const BESIDE: usize = 4;

/// A ratio with three digits behind the point near 1, fewer farther off.
pub fn ratio(x: f64) -> String {
    match x {
        x if !x.is_finite() => "not a number".into(),
        x if x >= 99.95 => format!("{x:.0}"),
        x if x >= 9.995 => format!("{x:.1}"),
        x if x >= 1.9995 => format!("{x:.2}"),
        x if x >= 0.09995 => format!("{x:.3}"),
        x => format!("{x:.2e}"),
    }
}

/// A ratio with its interval, where that is known: `1.053 [1.021, 1.083]`.
pub(crate) fn ranged(x: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(i) => format!("{} [{}, {}]", ratio(x), ratio(i.low), ratio(i.high)),
        None => ratio(x),
    }
}

/// A reason why two values are not comparable, with what follows from it.
pub(crate) fn marked(unlike: &Incomparable, command: &str) -> Text {
    Text::from(&unlike.reason(command).after(unlike.grade().words()))
}

/// Whether a curve shows it: a point alone is none.
pub fn drawn(of: &Comparison, quantity: &Quantity) -> bool {
    let Some((axis, _)) = quantity.along() else { return false };
    let rest = || quantity.at.iter().filter(|(name, _)| *name != axis);
    of.curves.iter().any(|curve| {
        (curve.probe, curve.metric) == (quantity.probe, quantity.metric)
            && curve.axis == axis
            && rest().eq(curve.at.iter())
    })
}

/// `read, one thread (bandwidth)`.
pub fn label(quantity: &Quantity) -> String {
    label_words(quantity).join(", ")
}

/// The words of a label.
fn label_words(quantity: &Quantity) -> Vec<String> {
    let mut words = origin::coordinates(quantity.at.iter());
    let probe = quantity.probe.words();
    words.insert(
        0,
        if quantity.metric.as_str() == quantity.probe.as_str() {
            probe
        } else {
            match quantity.metric {
                Metric::LoadToUse
                | Metric::Bandwidth
                | Metric::TimePerOp
                | Metric::RoundTrip
                | Metric::Frequency => probe,
                metric => format!("{probe} {}", metric.words()),
            }
        },
    );
    words
}

/// The label of each row, and the common words of all.
pub fn labels(rows: &[&Row]) -> (Vec<String>, Option<String>) {
    let words: Vec<Vec<String>> = rows.iter().map(|row| label_words(&row.quantity)).collect();
    let (labels, common) = origin::without_common(&words);
    (labels, (!common.is_empty()).then(|| common.join(", ")))
}

/// The unit of a factor's value beside its name: only a frequency needs one.
pub fn unit(of: Factor) -> Unit {
    if of == Factor::Frequency { Unit::Hertz } else { Unit::Count }
}

/// `0.51 - 0.61`; one number where both are alike, and the unit once.
pub fn span([low, high]: [f64; 2], unit: Unit) -> String {
    let (low, high) = (quantity::plain(low, unit), quantity::plain(high, unit));
    if low == high {
        return low;
    }
    match (low.split_once(' '), high.split_once(' ')) {
        (Some((number, a)), Some((_, b))) if a == b => format!("{number} - {high}"),
        _ => format!("{low} - {high}"),
    }
}
