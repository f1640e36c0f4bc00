//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod channels_unbalanced;
pub mod clock_below_advertised;
pub mod cpu_quota;
pub mod dimm_below_rating;
pub mod numa_hidden;
pub mod remote_memory;
pub mod shared_cache_untrue;
pub mod smt_untrue;
pub mod steal_time;
pub mod thp_never;

use crate::rule::Rule;

/// Every rule and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Rule)] = &[
    ("channels_unbalanced", &channels_unbalanced::ChannelsUnbalanced),
    ("clock_below_advertised", &clock_below_advertised::ClockBelowAdvertised),
    ("cpu_quota", &cpu_quota::CpuQuota),
    ("dimm_below_rating", &dimm_below_rating::DimmBelowRating),
    ("numa_hidden", &numa_hidden::NumaHidden),
    ("remote_memory", &remote_memory::RemoteMemory),
    ("shared_cache_untrue", &shared_cache_untrue::SharedCacheUntrue),
    ("smt_untrue", &smt_untrue::SmtUntrue),
    ("steal_time", &steal_time::StealTime),
    ("thp_never", &thp_never::ThpNever),
];
