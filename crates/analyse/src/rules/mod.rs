//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth_below_channels;
pub mod cache_partitioned;
pub mod channels_unbalanced;
pub mod clock_below_advertised;
pub mod cpu_quota;
pub mod cpuset_smaller;
pub mod die_interleaving;
pub mod dimm_below_rating;
pub mod flat_beyond_socket;
pub mod interrupts_uneven;
pub mod lock_bound;
pub mod numa_hidden;
pub mod page_tables_isolated;
pub mod pinning_harmful;
pub mod remote_memory;
pub mod shared_cache_untrue;
pub mod slit_untrue;
pub mod smt_harmful;
pub mod smt_off;
pub mod smt_untrue;
pub mod steal_time;
pub mod thp_never;

use crate::rule::Rule;

/// Every rule and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Rule)] = &[
    ("bandwidth_below_channels", &bandwidth_below_channels::BandwidthBelowChannels),
    ("cache_partitioned", &cache_partitioned::CachePartitioned),
    ("channels_unbalanced", &channels_unbalanced::ChannelsUnbalanced),
    ("clock_below_advertised", &clock_below_advertised::ClockBelowAdvertised),
    ("cpu_quota", &cpu_quota::CpuQuota),
    ("cpuset_smaller", &cpuset_smaller::CpusetSmaller),
    ("die_interleaving", &die_interleaving::DieInterleaving),
    ("dimm_below_rating", &dimm_below_rating::DimmBelowRating),
    ("flat_beyond_socket", &flat_beyond_socket::FlatBeyondSocket),
    ("interrupts_uneven", &interrupts_uneven::InterruptsUneven),
    ("lock_bound", &lock_bound::LockBound),
    ("numa_hidden", &numa_hidden::NumaHidden),
    ("page_tables_isolated", &page_tables_isolated::PageTablesIsolated),
    ("pinning_harmful", &pinning_harmful::PinningHarmful),
    ("remote_memory", &remote_memory::RemoteMemory),
    ("shared_cache_untrue", &shared_cache_untrue::SharedCacheUntrue),
    ("slit_untrue", &slit_untrue::SlitUntrue),
    ("smt_harmful", &smt_harmful::SmtHarmful),
    ("smt_off", &smt_off::SmtOff),
    ("smt_untrue", &smt_untrue::SmtUntrue),
    ("steal_time", &steal_time::StealTime),
    ("thp_never", &thp_never::ThpNever),
];
