//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bash_time;
pub mod cpu_list;
pub mod dmidecode;
pub mod lat_mem_rd;
pub mod lmbench_stream;
pub mod lscpu;
pub mod lshw;
pub mod mccalpin_stream;
pub mod numactl;
pub mod openssl_speed;
pub mod perf_stat;
pub mod table;
pub mod unixbench;

use crate::importer::Importer;

/// Every importer and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Importer)] = &[
    ("bash_time", &bash_time::BashTime),
    ("cpu_list", &cpu_list::CpuList),
    ("dmidecode", &dmidecode::Dmidecode),
    ("lat_mem_rd", &lat_mem_rd::LatMemRd),
    ("lmbench_stream", &lmbench_stream::LmbenchStream),
    ("lscpu", &lscpu::Lscpu),
    ("lshw", &lshw::Lshw),
    ("mccalpin_stream", &mccalpin_stream::MccalpinStream),
    ("numactl", &numactl::Numactl),
    ("openssl_speed", &openssl_speed::OpensslSpeed),
    ("perf_stat", &perf_stat::PerfStat),
    ("table", &table::Table),
    ("unixbench", &unixbench::Unixbench),
];
