//! Decides what to run, runs it, and records what happened.
#![deny(missing_docs)]

pub mod bench;
pub mod cpu_contention;
pub mod events;
mod families;
pub mod memory_kernels;
pub mod open_samplers;
mod options;
pub mod own_process;
pub mod paired;
pub mod place;
pub mod placements;
pub mod plan;
pub mod probe;
pub mod rate;
pub mod reference_sample;
pub mod run;
mod sampler;
mod samplers;
pub mod scalable_work;
pub mod scaling_point;
pub mod scaling_run;
pub mod server;
pub mod spread;
pub mod stat;
pub mod threads;
pub mod time_left;
pub mod timing;
pub mod values;
pub mod visits;
