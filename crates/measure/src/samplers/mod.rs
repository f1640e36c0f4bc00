//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod counters;
pub mod interrupts;
pub mod migrations;
pub mod others;
pub mod scheduler;

use crate::sampler::Sampler;

/// Every sampler and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Sampler)] = &[
    ("counters", &counters::Counters),
    ("interrupts", &interrupts::Interrupts),
    ("migrations", &migrations::Migrations),
    ("others", &others::Others),
    ("scheduler", &scheduler::Scheduler),
];
