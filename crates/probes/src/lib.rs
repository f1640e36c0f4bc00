//! What is measured: every probe, and what only probes use. How it is planned, timed and run is `measure`'s.
#![deny(missing_docs)]

mod cache_eviction;
pub mod check_battery;
pub mod db;
pub mod noise;
pub mod pairs;
pub mod placement_check;
mod prelude;
pub mod probes;
pub mod undisturbed_speed;
pub mod unixbench;
