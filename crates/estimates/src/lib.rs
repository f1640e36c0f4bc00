//! What follows from the samples of one record: estimates, and an analysis for each question they answer.
//! Pure: the same record gives the same analyses on any machine, on any day.

pub mod bandwidth_scaling;
pub mod cache_bandwidth;
pub mod channels;
pub mod curve;
pub mod data_content;
pub mod database;
pub mod drift;
pub mod environment;
pub mod estimate;
#[cfg(test)]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod example;
pub mod facts;
pub mod loaded;
pub mod matrix;
pub mod memory_speed;
pub mod noise;
pub mod numa;
pub mod observed;
pub mod operations;
pub mod program;
pub mod scaling_run;
pub mod software;
pub mod tlb;
pub mod undisturbed_speed;
pub mod unixbench;
pub mod words;
