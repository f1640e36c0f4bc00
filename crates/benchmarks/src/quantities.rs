//! Quantities that rules, predictions, placement and explanations ask for of any source: own samples first, then what
//! another tool printed, then a published figure. Each comes with what it rests on (`docs/adr/0040`).
mod basis;
pub mod copies;
pub mod footprints;
pub mod latency;
pub mod modules;
pub mod plateaus;
pub mod throughput;

pub use basis::{Basis, Grade};

/// A quantity with what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Graded<T> {
    /// The quantity.
    pub value: T,
    /// Its basis.
    pub basis: Basis,
}
