//! Units of measurement. Everything is stored in the base unit; scaling is `render`'s business.
use serde::{Deserialize, Serialize};

/// The unit of a stored number: SI base units, never scaled, so that no reader guesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Elapsed time in seconds.
    Seconds,
    /// A size in bytes.
    Bytes,
    /// A rate in bytes (1 B, not 1 MiB) per second.
    BytesPerSecond,
    /// A frequency in cycles per second.
    Hertz,
    /// Events per second.
    PerSecond,
    /// Operations per core cycle.
    PerCycle,
    /// Core cycles.
    Cycles,
    /// Memory transfers per second (a DIMM's MT/s, times 1e6).
    TransfersPerSecond,
    /// A plain count of things.
    Count,
    /// A share or a quotient; 1 is the whole.
    Ratio,
    /// Energy in joules.
    Joules,
    /// Watts.
    Watts,
    /// Degrees Celsius.
    Celsius,
}

/// Whether more or less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Less is better: a latency.
    Lower,
    /// More is better: a bandwidth.
    Higher,
    /// Neither: a property of the machine, such as a resolution or a size.
    Neither,
}
