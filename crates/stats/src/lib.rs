//! Numbers in, numbers out: no clock, no I/O, no global random state. The same input gives the same output.
//!
//! What each function promises (coverage, false alarms, power) is measured by the simulations in `tests/`;
//! where a promise does not hold exactly, its documentation says what holds instead.
#![deny(missing_docs)]

pub mod bootstrap;
pub mod changes;
pub mod cluster;
pub mod compare;
pub mod discovery;
mod distribution;
mod interval;
pub mod modes;
mod order;
pub mod paired;
pub mod plateau;
pub mod reach;
pub mod repeat;
pub mod rng;
mod sample;
pub mod saturation;
pub mod unixbench;
pub mod usl;

pub use interval::Interval;
pub use sample::{Sample, balanced_median, ends, median, median_of};
