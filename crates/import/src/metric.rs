//! A metric with its unit and direction, and the parameters of a case.
use record::{Better, Metric, Unit, Value};

/// A metric, its unit, and which direction is better.
pub(crate) type Quantity = (Metric, Unit, Better);

/// A time: less is better.
pub(crate) const fn seconds(name: Metric) -> Quantity {
    (name, Unit::Seconds, Better::Lower)
}

/// A rate of bytes: more is better.
pub(crate) const fn bytes_per_second(name: Metric) -> Quantity {
    (name, Unit::BytesPerSecond, Better::Higher)
}

/// A rate of operations: more is better.
pub(crate) const fn per_second(name: Metric) -> Quantity {
    (name, Unit::PerSecond, Better::Higher)
}

/// A tool's own figure without a unit: more is better.
pub(crate) const SCORE: Quantity = (Metric::Score, Unit::Count, Better::Higher);

/// A figure that is neither good nor bad.
pub(crate) const fn neither(name: Metric, unit: Unit) -> Quantity {
    (name, unit, Better::Neither)
}

/// The parameters whose values are known.
pub(crate) fn known<const N: usize>(params: [(&str, Option<Value>); N]) -> Vec<(&str, Value)> {
    params.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
