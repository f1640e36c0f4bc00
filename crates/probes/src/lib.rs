//! Every probe, and code that only probes use. Planning, timing and running are in `measure`.
#![deny(missing_docs)]

mod cache_eviction;
pub mod check_battery;
pub mod noise;
pub mod pairs;
pub mod placement_check;
mod prelude;
pub mod probes;
pub mod undisturbed_speed;
