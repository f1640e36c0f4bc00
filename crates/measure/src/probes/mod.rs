//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth;
pub mod core_clock;
pub mod core_rate;
pub mod core_to_core;
pub mod instrument;
pub mod load_latency;
pub mod loaded_latency;
pub mod numa_matrix;
pub mod preflight;
pub mod stream;

use crate::probe::Probe;

/// Every probe and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Probe)] = &[
    ("bandwidth", &bandwidth::Bandwidth),
    ("core_clock", &core_clock::CoreClock),
    ("core_rate", &core_rate::CoreRate),
    ("core_to_core", &core_to_core::CoreToCore),
    ("instrument", &instrument::Instrument),
    ("load_latency", &load_latency::LoadLatency),
    ("loaded_latency", &loaded_latency::LoadedLatency),
    ("numa_matrix", &numa_matrix::NumaMatrix),
    ("preflight", &preflight::Preflight),
    ("stream", &stream::Stream),
];
