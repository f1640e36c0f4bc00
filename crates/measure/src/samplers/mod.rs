//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod contention;
pub mod counters;
pub mod energy;
pub mod hardware_errors;
pub mod interrupts;
pub mod migrations;
pub mod scheduler;

use crate::sampler::Sampler;

/// Every sampler and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Sampler)] = &[
    ("contention", &contention::Contention),
    ("counters", &counters::Counters),
    ("energy", &energy::Energy),
    ("hardware_errors", &hardware_errors::HardwareErrors),
    ("interrupts", &interrupts::Interrupts),
    ("migrations", &migrations::Migrations),
    ("scheduler", &scheduler::Scheduler),
];
