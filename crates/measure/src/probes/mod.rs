//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth;
pub mod core_clock;
pub mod core_rate;
pub mod core_to_core;
pub mod instrument;
pub mod lat_mem_rd;
pub mod load_latency;
pub mod preflight;
pub mod stream;
pub mod tlb_reach;

use crate::probe::Probe;

/// Every probe and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Probe)] = &[
    ("bandwidth", &bandwidth::Bandwidth),
    ("core_clock", &core_clock::CoreClock),
    ("core_rate", &core_rate::CoreRate),
    ("core_to_core", &core_to_core::CoreToCore),
    ("instrument", &instrument::Instrument),
    ("lat_mem_rd", &lat_mem_rd::LatMemRd),
    ("load_latency", &load_latency::LoadLatency),
    ("preflight", &preflight::Preflight),
    ("stream", &stream::Stream),
    ("tlb_reach", &tlb_reach::TlbReach),
];
