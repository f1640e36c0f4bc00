//! Decides what to run, runs it, and records what happened.
#![deny(missing_docs)]

pub mod bench;
mod cache_eviction;
pub mod check_battery;
pub mod cpu_contention;
pub mod db;
pub mod events;
pub mod memory_kernels;
pub mod noise;
mod open_samplers;
pub mod paired;
pub mod pairs;
pub mod place;
pub mod placement_check;
pub mod plan;
pub mod probe;
pub mod probes;
pub mod rate;
pub mod reference_sample;
pub mod run;
pub mod sampler;
pub mod samplers;
pub mod scalable_work;
mod scaling_point;
pub mod scaling_run;
pub mod server;
pub mod spread;
pub mod stat;
pub mod threads;
pub mod timing;
pub mod undisturbed_speed;
pub mod unixbench;
mod visits;
