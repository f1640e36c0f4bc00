//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub(crate) mod bandwidth;
pub(crate) mod conclusions;
pub(crate) mod core;
pub(crate) mod core_to_core;
pub(crate) mod databases;
pub(crate) mod energy;
pub(crate) mod environment;
pub(crate) mod findings;
pub(crate) mod imported;
pub(crate) mod instrument;
pub(crate) mod lat_mem_rd;
pub(crate) mod latency;
pub(crate) mod loaded_latency;
pub(crate) mod machine;
pub(crate) mod memory_management;
pub(crate) mod nearest;
pub(crate) mod noise;
pub(crate) mod not_measured;
pub(crate) mod numa;
pub(crate) mod other;
pub(crate) mod provenance;
pub(crate) mod scaling_run;
pub(crate) mod stability;
pub(crate) mod tlb;
pub(crate) mod undisturbed_speed;
pub(crate) mod unixbench;
pub(crate) mod verify;
pub(crate) mod workloads;

use crate::section::ReportSection;

/// Every report section and its id, which is its file's name.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &ReportSection)] = &[
    ("bandwidth", &bandwidth::SECTION),
    ("conclusions", &conclusions::SECTION),
    ("core", &core::SECTION),
    ("core_to_core", &core_to_core::SECTION),
    ("databases", &databases::SECTION),
    ("energy", &energy::SECTION),
    ("environment", &environment::SECTION),
    ("findings", &findings::SECTION),
    ("imported", &imported::SECTION),
    ("instrument", &instrument::SECTION),
    ("lat_mem_rd", &lat_mem_rd::SECTION),
    ("latency", &latency::SECTION),
    ("loaded_latency", &loaded_latency::SECTION),
    ("machine", &machine::SECTION),
    ("memory_management", &memory_management::SECTION),
    ("nearest", &nearest::SECTION),
    ("noise", &noise::SECTION),
    ("not_measured", &not_measured::SECTION),
    ("numa", &numa::SECTION),
    ("other", &other::SECTION),
    ("provenance", &provenance::SECTION),
    ("scaling_run", &scaling_run::SECTION),
    ("stability", &stability::SECTION),
    ("tlb", &tlb::SECTION),
    ("undisturbed_speed", &undisturbed_speed::SECTION),
    ("unixbench", &unixbench::SECTION),
    ("verify", &verify::SECTION),
    ("workloads", &workloads::SECTION),
];
