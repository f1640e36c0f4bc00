//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth_scalings;
pub mod cache_bandwidth;
pub mod curves;
pub mod drift;
pub mod energy;
pub mod expected;
pub mod judgement;
pub mod loaded;
pub mod loaded_frequencies;
pub mod matrices;
pub mod mispredictions;
pub mod numa;
pub mod operations;
pub mod shared_core;
pub mod theoretical;
pub mod tlb;
pub mod undisturbed_speeds;
pub mod zeros;

use crate::analysis::Entry;

/// Every entry and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Entry)] = &[
    ("bandwidth_scalings", &bandwidth_scalings::ANALYSIS),
    ("cache_bandwidth", &cache_bandwidth::ANALYSIS),
    ("curves", &curves::ANALYSIS),
    ("drift", &drift::ANALYSIS),
    ("energy", &energy::ANALYSIS),
    ("expected", &expected::ANALYSIS),
    ("judgement", &judgement::ANALYSIS),
    ("loaded", &loaded::ANALYSIS),
    ("loaded_frequencies", &loaded_frequencies::ANALYSIS),
    ("matrices", &matrices::ANALYSIS),
    ("mispredictions", &mispredictions::ANALYSIS),
    ("numa", &numa::ANALYSIS),
    ("operations", &operations::ANALYSIS),
    ("shared_core", &shared_core::ANALYSIS),
    ("theoretical", &theoretical::ANALYSIS),
    ("tlb", &tlb::ANALYSIS),
    ("undisturbed_speeds", &undisturbed_speeds::ANALYSIS),
    ("zeros", &zeros::ANALYSIS),
];
