//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod lat_mem_rd;
pub mod lmbench_stream;
pub mod lscpu;
pub mod numactl;

use crate::importer::Importer;

/// Every importer and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Importer)] = &[
    ("lat_mem_rd", &lat_mem_rd::LatMemRd),
    ("lmbench_stream", &lmbench_stream::LmbenchStream),
    ("lscpu", &lscpu::Lscpu),
    ("numactl", &numactl::Numactl),
];
