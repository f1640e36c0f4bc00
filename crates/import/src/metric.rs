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

/// Bytes that a kernel moves in memory.
pub(crate) const BANDWIDTH: Quantity = bytes_per_second(Metric::Bandwidth);

/// Bytes that an algorithm takes.
pub(crate) const THROUGHPUT: Quantity = bytes_per_second(Metric::Throughput);

/// The time of a load, of which each waits for the one before.
pub(crate) const LOAD_TO_USE: Quantity = seconds(Metric::LoadToUse);

/// stress-ng's operations.
pub(crate) const BOGO_OPS: Quantity = per_second(Metric::BogoOps);

/// A tool's own figure without a unit: more is better.
pub(crate) const SCORE: Quantity = (Metric::Score, Unit::Count, Better::Higher);

/// A figure that is neither good nor bad.
pub(crate) const fn neither(name: Metric, unit: Unit) -> Quantity {
    (name, unit, Better::Neither)
}

/// The load beside which a latency was measured.
pub(crate) const INJECTED: Quantity = neither(Metric::Injected, Unit::BytesPerSecond);

/// The parameters whose values are known.
pub(crate) fn known<const N: usize>(params: [(&str, Option<Value>); N]) -> Vec<(&str, Value)> {
    params.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
