//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub(crate) mod bc;
pub(crate) mod core_to_core_latency;
pub(crate) mod databases;
pub(crate) mod elapsed;
pub(crate) mod lat_mem_rd;
pub(crate) mod lmbench_stream;
pub(crate) mod mlc;
pub(crate) mod multichase;
pub(crate) mod openssl_speed;
pub(crate) mod stream;
pub(crate) mod sysbench_cpu;
pub(crate) mod unixbench;

use crate::equivalent::Equivalent;

/// Every equivalent and its id, which is its file's name.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &[Equivalent])] = &[
    ("bc", &bc::ROWS),
    ("core_to_core_latency", &core_to_core_latency::ROWS),
    ("databases", &databases::ROWS),
    ("elapsed", &elapsed::ROWS),
    ("lat_mem_rd", &lat_mem_rd::ROWS),
    ("lmbench_stream", &lmbench_stream::ROWS),
    ("mlc", &mlc::ROWS),
    ("multichase", &multichase::ROWS),
    ("openssl_speed", &openssl_speed::ROWS),
    ("stream", &stream::ROWS),
    ("sysbench_cpu", &sysbench_cpu::ROWS),
    ("unixbench", &unixbench::ROWS),
];
