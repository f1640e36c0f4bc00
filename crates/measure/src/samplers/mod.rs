//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub(crate) mod contention;
pub(crate) mod counters;
pub(crate) mod energy;
pub(crate) mod hardware_errors;
pub(crate) mod interrupts;
pub(crate) mod migrations;
pub(crate) mod scheduler;

use crate::sampler::Sampler;

/// Every sampler and its id, which is its file's name.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &Sampler)] = &[
    ("contention", &contention::SAMPLER),
    ("counters", &counters::SAMPLER),
    ("energy", &energy::SAMPLER),
    ("hardware_errors", &hardware_errors::SAMPLER),
    ("interrupts", &interrupts::SAMPLER),
    ("migrations", &migrations::SAMPLER),
    ("scheduler", &scheduler::SAMPLER),
];
