//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth;
pub mod bandwidth_scaling;
pub mod cache_bandwidth;
pub mod core_clock;
pub mod core_rate;
pub mod core_to_core;
pub mod data_content;
pub mod instrument;
pub mod lmbench_stream;
pub mod load_latency;
pub mod preflight;
pub mod stream;

use crate::probe::Probe;

/// Every probe and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Probe)] = &[
    ("bandwidth", &bandwidth::Bandwidth),
    ("bandwidth_scaling", &bandwidth_scaling::BandwidthScaling),
    ("cache_bandwidth", &cache_bandwidth::CacheBandwidth),
    ("core_clock", &core_clock::CoreClock),
    ("core_rate", &core_rate::CoreRate),
    ("core_to_core", &core_to_core::CoreToCore),
    ("data_content", &data_content::DataContent),
    ("instrument", &instrument::Instrument),
    ("lmbench_stream", &lmbench_stream::LmbenchStream),
    ("load_latency", &load_latency::LoadLatency),
    ("preflight", &preflight::Preflight),
    ("stream", &stream::Stream),
];
