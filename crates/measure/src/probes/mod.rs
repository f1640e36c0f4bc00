//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth;
pub mod bandwidth_scaling;
pub mod bc;
pub mod branch_miss;
pub mod cache_bandwidth;
pub mod cache_ways;
pub mod clock_load;
pub mod core_clock;
pub mod core_rate;
pub mod core_to_core;
pub mod data_content;
pub mod false_sharing;
pub mod instrument;
pub mod ladder;
pub mod lat_mem_rd;
pub mod lmbench_stream;
pub mod load_latency;
pub mod loaded_latency;
pub mod lock_cost;
pub mod memory_bound;
pub mod numa_matrix;
pub mod openssl;
pub mod page_fault;
pub mod preflight;
pub mod prime;
pub mod smt_pair;
pub mod spin_hint;
pub mod stream;
pub mod tlb_reach;
pub mod tlb_shootdown;

use crate::probe::Probe;

/// Every probe and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Probe)] = &[
    ("bandwidth", &bandwidth::Bandwidth),
    ("bandwidth_scaling", &bandwidth_scaling::BandwidthScaling),
    ("bc", &bc::Bc),
    ("branch_miss", &branch_miss::BranchMiss),
    ("cache_bandwidth", &cache_bandwidth::CacheBandwidth),
    ("cache_ways", &cache_ways::CacheWays),
    ("clock_load", &clock_load::ClockLoad),
    ("core_clock", &core_clock::CoreClock),
    ("core_rate", &core_rate::CoreRate),
    ("core_to_core", &core_to_core::CoreToCore),
    ("data_content", &data_content::DataContent),
    ("false_sharing", &false_sharing::FalseSharing),
    ("instrument", &instrument::Instrument),
    ("ladder", &ladder::Ladder),
    ("lat_mem_rd", &lat_mem_rd::LatMemRd),
    ("lmbench_stream", &lmbench_stream::LmbenchStream),
    ("load_latency", &load_latency::LoadLatency),
    ("loaded_latency", &loaded_latency::LoadedLatency),
    ("lock_cost", &lock_cost::LockCost),
    ("memory_bound", &memory_bound::MemoryBound),
    ("numa_matrix", &numa_matrix::NumaMatrix),
    ("openssl", &openssl::Openssl),
    ("page_fault", &page_fault::PageFault),
    ("preflight", &preflight::Preflight),
    ("prime", &prime::Prime),
    ("smt_pair", &smt_pair::SmtPair),
    ("spin_hint", &spin_hint::SpinHint),
    ("stream", &stream::Stream),
    ("tlb_reach", &tlb_reach::TlbReach),
    ("tlb_shootdown", &tlb_shootdown::TlbShootdown),
];
