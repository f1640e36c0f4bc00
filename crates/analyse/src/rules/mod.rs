//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth_below_channels;
pub mod channels_unbalanced;
pub mod clock_below_advertised;
pub mod cpu_quota;
pub mod die_interleaving;
pub mod dimm_below_rating;
pub mod lock_bound;
pub mod numa_hidden;
pub mod pinning_harmful;
pub mod remote_memory;
pub mod shared_cache_untrue;
pub mod slit_untrue;
pub mod smt_harmful;
pub mod smt_untrue;
pub mod steal_time;
pub mod thp_never;

use crate::rule::Rule;

/// Every rule and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Rule)] = &[
    ("bandwidth_below_channels", &bandwidth_below_channels::BandwidthBelowChannels),
    ("channels_unbalanced", &channels_unbalanced::ChannelsUnbalanced),
    ("clock_below_advertised", &clock_below_advertised::ClockBelowAdvertised),
    ("cpu_quota", &cpu_quota::CpuQuota),
    ("die_interleaving", &die_interleaving::DieInterleaving),
    ("dimm_below_rating", &dimm_below_rating::DimmBelowRating),
    ("lock_bound", &lock_bound::LockBound),
    ("numa_hidden", &numa_hidden::NumaHidden),
    ("pinning_harmful", &pinning_harmful::PinningHarmful),
    ("remote_memory", &remote_memory::RemoteMemory),
    ("shared_cache_untrue", &shared_cache_untrue::SharedCacheUntrue),
    ("slit_untrue", &slit_untrue::SlitUntrue),
    ("smt_harmful", &smt_harmful::SmtHarmful),
    ("smt_untrue", &smt_untrue::SmtUntrue),
    ("steal_time", &steal_time::StealTime),
    ("thp_never", &thp_never::ThpNever),
];
