//! Estimates from the samples of one record, and an analysis for each question they answer.
//! Pure: the same record gives the same analyses on any machine, on any day.

pub mod analyses;
pub mod analysis;
pub mod between_runs;
mod computed;
pub mod estimate;
#[cfg(test)]
#[path = "../tests/example/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod example;
pub mod expected;
pub mod facts;
pub mod groups;
pub mod memory_speed;
mod microarchitectures;
pub mod quantity;
pub mod report;
mod resources;
mod say {
    i18n::messages!("estimates");
}
pub mod software;
pub mod unit_of_tool;
pub mod verified;
pub mod words;
