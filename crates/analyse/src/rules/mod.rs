//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth_below_channels;
pub mod bandwidth_saturated;
pub mod cache_partitioned;
pub mod cache_share_small;
pub mod channels_unbalanced;
pub mod counters_of_others;
pub mod cpu_contention;
pub mod cpu_quota;
pub mod cpuset_smaller;
pub mod die_interleaving;
pub mod dimm_below_rating;
pub mod flat_beyond_socket;
pub mod footprint_in_cache;
pub mod frequency_below_boost;
pub mod governor_slows;
pub mod heat_throttles;
pub mod interrupts_uneven;
pub mod kernel_contention;
pub mod lock_bound;
pub mod memory_latency_dominant;
pub mod migrations_cost;
pub mod mitigations_at_entry;
pub mod nodes_unalike;
pub mod numa_hidden;
pub mod page_tables_isolated;
pub mod pinning_harmful;
pub mod power_capped;
pub mod remote_memory;
pub mod shared_cache_untrue;
pub mod slit_untrue;
pub mod small_pages;
pub mod smt_harmful;
pub mod smt_off;
pub mod smt_untrue;
pub mod smt_useless;
pub mod steal_time;
pub mod thp_never;
pub mod too_noisy;
pub mod wakeups_far;
pub mod wide_vectors_slow;

use crate::rule::Rule;

/// Every rule and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Rule)] = &[
    ("bandwidth_below_channels", &bandwidth_below_channels::BandwidthBelowChannels),
    ("bandwidth_saturated", &bandwidth_saturated::BandwidthSaturated),
    ("cache_partitioned", &cache_partitioned::CachePartitioned),
    ("cache_share_small", &cache_share_small::CacheShareSmall),
    ("channels_unbalanced", &channels_unbalanced::ChannelsUnbalanced),
    ("counters_of_others", &counters_of_others::CountersOfOthers),
    ("cpu_contention", &cpu_contention::CpuContention),
    ("cpu_quota", &cpu_quota::CpuQuota),
    ("cpuset_smaller", &cpuset_smaller::CpusetSmaller),
    ("die_interleaving", &die_interleaving::DieInterleaving),
    ("dimm_below_rating", &dimm_below_rating::DimmBelowRating),
    ("flat_beyond_socket", &flat_beyond_socket::FlatBeyondSocket),
    ("footprint_in_cache", &footprint_in_cache::FootprintInCache),
    ("frequency_below_boost", &frequency_below_boost::FrequencyBelowBoost),
    ("governor_slows", &governor_slows::GovernorSlows),
    ("heat_throttles", &heat_throttles::HeatThrottles),
    ("interrupts_uneven", &interrupts_uneven::InterruptsUneven),
    ("kernel_contention", &kernel_contention::KernelContention),
    ("lock_bound", &lock_bound::LockBound),
    ("memory_latency_dominant", &memory_latency_dominant::MemoryLatencyDominant),
    ("migrations_cost", &migrations_cost::MigrationsCost),
    ("mitigations_at_entry", &mitigations_at_entry::MitigationsAtEntry),
    ("nodes_unalike", &nodes_unalike::NodesUnalike),
    ("numa_hidden", &numa_hidden::NumaHidden),
    ("page_tables_isolated", &page_tables_isolated::PageTablesIsolated),
    ("pinning_harmful", &pinning_harmful::PinningHarmful),
    ("power_capped", &power_capped::PowerCapped),
    ("remote_memory", &remote_memory::RemoteMemory),
    ("shared_cache_untrue", &shared_cache_untrue::SharedCacheUntrue),
    ("slit_untrue", &slit_untrue::SlitUntrue),
    ("small_pages", &small_pages::SmallPages),
    ("smt_harmful", &smt_harmful::SmtHarmful),
    ("smt_off", &smt_off::SmtOff),
    ("smt_untrue", &smt_untrue::SmtUntrue),
    ("smt_useless", &smt_useless::SmtUseless),
    ("steal_time", &steal_time::StealTime),
    ("thp_never", &thp_never::ThpNever),
    ("too_noisy", &too_noisy::TooNoisy),
    ("wakeups_far", &wakeups_far::WakeupsFar),
    ("wide_vectors_slow", &wide_vectors_slow::WideVectorsSlow),
];
