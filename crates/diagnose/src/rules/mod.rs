//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth_below_channels;
pub mod bandwidth_saturated;
pub mod cache_partitioned;
pub mod cache_share_small;
pub mod channels_unbalanced;
pub mod core_shared;
pub mod counters_of_others;
pub mod cpu_contention;
pub mod cpu_quota;
pub mod cpuset_smaller;
pub mod die_interleaving;
pub mod dimm_below_rating;
pub mod flat_beyond_socket;
pub mod footprint_in_cache;
pub mod frequency_above_stated;
pub mod frequency_below_boost;
pub mod governor_slows;
pub mod hardware_errors;
pub mod heat_throttles;
pub mod host_pages_small;
pub mod interrupts_remote;
pub mod interrupts_uneven;
pub mod ipc_falls;
pub mod kernel_contention;
pub mod link_below_capability;
pub mod lock_bound;
pub mod memory_latency_dominant;
pub mod memory_limited_by_cpu;
pub mod memory_missing_from_nodes;
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
pub mod wrong_results;

use crate::rule::Rule;

/// Every rule and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Rule)] = &[
    ("bandwidth_below_channels", &bandwidth_below_channels::RULE),
    ("bandwidth_saturated", &bandwidth_saturated::RULE),
    ("cache_partitioned", &cache_partitioned::RULE),
    ("cache_share_small", &cache_share_small::RULE),
    ("channels_unbalanced", &channels_unbalanced::RULE),
    ("core_shared", &core_shared::RULE),
    ("counters_of_others", &counters_of_others::RULE),
    ("cpu_contention", &cpu_contention::RULE),
    ("cpu_quota", &cpu_quota::RULE),
    ("cpuset_smaller", &cpuset_smaller::RULE),
    ("die_interleaving", &die_interleaving::RULE),
    ("dimm_below_rating", &dimm_below_rating::RULE),
    ("flat_beyond_socket", &flat_beyond_socket::RULE),
    ("footprint_in_cache", &footprint_in_cache::RULE),
    ("frequency_above_stated", &frequency_above_stated::RULE),
    ("frequency_below_boost", &frequency_below_boost::RULE),
    ("governor_slows", &governor_slows::RULE),
    ("hardware_errors", &hardware_errors::RULE),
    ("heat_throttles", &heat_throttles::RULE),
    ("host_pages_small", &host_pages_small::RULE),
    ("interrupts_remote", &interrupts_remote::RULE),
    ("interrupts_uneven", &interrupts_uneven::RULE),
    ("ipc_falls", &ipc_falls::RULE),
    ("kernel_contention", &kernel_contention::RULE),
    ("link_below_capability", &link_below_capability::RULE),
    ("lock_bound", &lock_bound::RULE),
    ("memory_latency_dominant", &memory_latency_dominant::RULE),
    ("memory_limited_by_cpu", &memory_limited_by_cpu::RULE),
    ("memory_missing_from_nodes", &memory_missing_from_nodes::RULE),
    ("migrations_cost", &migrations_cost::RULE),
    ("mitigations_at_entry", &mitigations_at_entry::RULE),
    ("nodes_unalike", &nodes_unalike::RULE),
    ("numa_hidden", &numa_hidden::RULE),
    ("page_tables_isolated", &page_tables_isolated::RULE),
    ("pinning_harmful", &pinning_harmful::RULE),
    ("power_capped", &power_capped::RULE),
    ("remote_memory", &remote_memory::RULE),
    ("shared_cache_untrue", &shared_cache_untrue::RULE),
    ("slit_untrue", &slit_untrue::RULE),
    ("small_pages", &small_pages::RULE),
    ("smt_harmful", &smt_harmful::RULE),
    ("smt_off", &smt_off::RULE),
    ("smt_untrue", &smt_untrue::RULE),
    ("smt_useless", &smt_useless::RULE),
    ("steal_time", &steal_time::RULE),
    ("thp_never", &thp_never::RULE),
    ("too_noisy", &too_noisy::RULE),
    ("wakeups_far", &wakeups_far::RULE),
    ("wide_vectors_slow", &wide_vectors_slow::RULE),
    ("wrong_results", &wrong_results::RULE),
];
